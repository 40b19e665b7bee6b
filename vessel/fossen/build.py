"""A coefficient-form vessel from its files: every number worked out once, here."""

from __future__ import annotations

from math import sqrt

import numpy as np

from steerageway.vessel.fossen import floating, seaway, terms
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.assembly import assembled, world
from steerageway.vessel.fossen.build_actuators import actuators
from steerageway.vessel.fossen.build_hull import hull_scalars
from steerageway.vessel.fossen.build_mass import Masses, masses, solved
from steerageway.vessel.fossen.coefficient import MODEL
from steerageway.vessel.fossen.document import Section
from steerageway.vessel.fossen.dynamics import Dynamics, Floats
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.fossen.plausible import check_hull, sound_mass

PRIME_SPEEDS = ("actual", "reference")


def build(folder: Folder) -> Dynamics:
    """Make the vessel of a folder.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
    """
    vessel, hydrodynamics = folder["vessel"], folder["hydrodynamics"]
    density, gravity = world(folder)
    frame = frame_of(folder["geometry"])
    mass, active = floating.with_added_mass(folder, masses(folder, density, frame)), _active(vessel)
    check_hull(folder, frame, mass, density)
    inverse, held = solved(sound_mass(folder, mass, active), active)
    scalars, stiffness, compliance, strips = hull_scalars(folder, frame, mass, density, gravity)
    speed = reference_speed(folder, gravity)
    damping = _damping(folder, density, speed)
    scalars[at.PRIME] = float((damping[0][:, at.FADING] >= 2).any())
    if vessel.flag("maintain_speed", False):
        scalars[at.PUSH] = -_resistance(damping, scalars, speed)
    moved = actuators(folder, density, frame, speed, wet=scalars[at.SURFACE] > 0.0)
    scalars[at.CROSS_FIRST], scalars[at.CROSS_ROWS] = len(moved.tables), len(strips)
    matrices = np.zeros((at.MATRICES, 6, 6))
    matrices[at.M_INV], matrices[at.HELD] = inverse, held
    scalars[at.HOLDING] = float(not all(active))
    _coriolis(hydrodynamics, mass, scalars, matrices)
    matrices[at.STIFFNESS], matrices[at.COMPLIANCE] = stiffness, compliance
    tables = np.concatenate((moved.tables, strips))
    parameters = at.Parameters(scalars, matrices, *damping, moved.channels, moved.effectors, tables)
    if floating.wanted(folder):
        met, floats = floating.in_calm(folder, parameters, mass, frame, (density, gravity))
        afloat = assembled(folder, seaway.IN_WAVES, met, moved.commands, moved.start)
        dynamics = floating.at_rest(afloat, floats, folder)
    else:
        dynamics = assembled(folder, MODEL, parameters, moved.commands, moved.start)
    _finish(folder)
    return dynamics


def reference_speed(folder: Folder, gravity: float) -> float:
    """Give U of prime coefficients: ``U``, or, where that is 0, Fn sqrt(g L); 0 if neither."""
    U = folder["vessel"].number("U", 0.0, low=0.0)
    geometry = folder["geometry"]
    froude = geometry.number("Fn", 0.0, low=0.0)
    return U if U != 0.0 else froude * sqrt(gravity * geometry.positive("length"))


def prime_by_reference(hydrodynamics: Section) -> bool:
    """Say whether prime coefficients go by the speed U of the files, not by the actual one.

    Source: the prime system's U is the actual speed (Fossen 2021, appendix D); Panisim's is U.
    """
    return hydrodynamics.choice("prime_speed", PRIME_SPEEDS, "actual") == "reference"


def _active(vessel: Section) -> list[bool]:
    flags = vessel.vector("active_dof", 6, [1.0] * 6)
    if not np.isin(flags, (0, 1)).all():
        return vessel.wrong("active_dof", str(flags), "six of 0 and 1", [True] * 6)
    return [bool(flag) for flag in flags]


def _damping(folder: Folder, density: float, speed: float) -> tuple[np.ndarray, Floats]:
    """Give the terms and their dimensional values, in the order of the file."""
    hydrodynamics = folder["hydrodynamics"]
    length = folder["geometry"].positive("length")
    fading = hydrodynamics.words("fading")
    dimensional = hydrodynamics.flag("dim_flag", True)
    by_reference = not dimensional and prime_by_reference(hydrodynamics)
    by_actual = not dimensional and not by_reference
    at_speed = 1.0 if by_actual else speed
    rows, values = [], []
    for key in list(hydrodynamics.nodes):
        term = terms.parsed(key)
        if term is None or terms.acceleration(key):
            continue
        if by_reference and len(term.factors) != 2 and speed <= 0:
            needs = "a reference speed U, or geometry's Fn"
            hydrodynamics.wrong(key, "a prime coefficient", needs, None)
        scale = 1.0 if dimensional else term.dimension(density, length, at_speed)
        factors = [*term.factors, *[0] * (terms.MOST_FACTORS - len(term.factors))]
        how = int(key in fading) + (2 * len(term.factors) if by_actual else 0)
        rows.append([term.axis, how, len(term.factors), *factors])
        values.append(scale * hydrodynamics.number(key))
    unknown = [name for name in fading if name not in hydrodynamics.nodes]
    if unknown:
        hydrodynamics.wrong("fading", unknown[0], "names of coefficients of this file", None)
    return np.array(rows, np.int64).reshape(-1, at.TERM), np.array(values, np.float64)


def _resistance(damping: tuple[np.ndarray, Floats], scalars: Floats, speed: float) -> float:
    """Give the surge damping force at the reference speed, straight ahead."""
    total = 0.0
    for row, value in zip(*damping, strict=True):
        factors = row[at.FIRST : at.FIRST + row[at.FACTORS]]
        if row[at.AXIS] == 0 and all(factor % 6 == 0 for factor in factors):
            fade = np.exp(-scalars[at.FADE] * speed) if row[at.FADING] % 2 else 1.0
            power = 2 if row[at.FADING] >= 2 else len(factors)
            total += value * speed**power * fade
    pressure = 0.5 * scalars[at.DENSITY] * speed**2
    return float(total - pressure * scalars[at.LIFT_AREA] * scalars[at.LIFT_CD0])


def _coriolis(hydrodynamics: Section, mass: Masses, scalars: Floats, matrices: Floats) -> None:
    omitted = hydrodynamics.pairs("coriolis_omit")
    whole = not omitted
    matrices[at.MASS] = mass.M_RB + mass.M_A if whole else mass.M_RB
    matrices[at.ADDED] = mass.M_A
    matrices[at.KEEP] = 1.0
    for row, column in omitted:
        if not (0 <= row < 6 and 0 <= column < 6):
            entry = f"[{row + 1}, {column + 1}]"
            hydrodynamics.wrong("coriolis_omit", entry, "entries 1 to 6", None)
            continue
        matrices[at.KEEP, row, column] = 0.0
    if hydrodynamics.flag("coriolis_flag", True):
        scalars[at.CORIOLIS] = 1.0 if whole else 2.0


def _finish(folder: Folder) -> None:
    """Refuse what nobody asked for: a word of the grammar gone wrong, or a key misspelt."""
    unused = {"vessel": ("type",), "geometry": ("depth", "geometry_file")}
    for name, section in folder.files.items():
        if name == "hydrodynamics":
            section.finish(meant=terms.respelt)
        else:
            section.finish(unused.get(name, ()))
