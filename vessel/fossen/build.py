"""Builds a coefficient-form vessel from its files: all parameters of the compiled model."""

from __future__ import annotations

from math import sqrt

import numpy as np

from steerageway.vessel.fossen import build_floating, seaway, terms
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.assembly import assembled, world
from steerageway.vessel.fossen.build_actuators import actuators
from steerageway.vessel.fossen.build_damping import damping, straight_ahead
from steerageway.vessel.fossen.build_hull import hull_scalars
from steerageway.vessel.fossen.build_mass import Masses, masses, solved
from steerageway.vessel.fossen.build_scalings import scaled_damping
from steerageway.vessel.fossen.coefficient import MODEL
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.plausible import check_hull, sound_mass
from steerageway.world.arrays import Floats
from steerageway.world.document import Section


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    vessel, hydrodynamics = folder["vessel"], folder["hydrodynamics"]
    density, gravity = world(folder)
    frame = frame_of(folder["geometry"])
    mass, active = (
        build_floating.with_added_mass(folder, masses(folder, density, frame)),
        _active(vessel),
    )
    check_hull(folder, frame, mass, density)
    inverse, held = solved(sound_mass(folder, mass, active), active)
    scalars, stiffness, compliance, strips = hull_scalars(folder, frame, mass, density, gravity)
    speed = reference_speed(folder, gravity)
    (rows, values), measured = damping(folder, density, speed)
    damped = scaled_damping(folder, rows, values)
    scalars["prime"] = float((damped[0][:, at.FADING] >= 2).any())
    if vessel.flag(ves.MAINTAIN_SPEED):
        scalars["push"] = -straight_ahead(damped, measured, scalars, speed)
    moved = actuators(folder, density, frame, speed, wet=scalars["surface"] > 0.0)
    scalars["sails"] = sum(row["kind"] == at.SAIL for row in moved.effector_rows)
    scalars["cross_first"], scalars["cross_rows"] = len(moved.tables), len(strips)
    matrices = np.zeros((at.MATRICES, 6, 6))
    matrices[at.M_INV], matrices[at.HELD] = inverse, held
    scalars["holding"] = float(not all(active))
    _coriolis(hydrodynamics, mass, scalars, matrices)
    matrices[at.STIFFNESS], matrices[at.COMPLIANCE] = stiffness, compliance
    tables = np.concatenate((moved.tables, strips, measured))
    scalars["resistance_first"] = len(moved.tables) + len(strips)
    scalars["resistance_rows"] = len(measured)
    parameters = at.Parameters(
        np.array(scalars), matrices, *damped, moved.channels, moved.effectors, tables
    )
    if build_floating.wanted(folder):
        met, floats = build_floating.in_calm(folder, parameters, mass, frame, (density, gravity))
        afloat = assembled(folder, seaway.IN_WAVES, met, moved.commands, moved.start, moved.states)
        dynamics = build_floating.at_rest(afloat, floats, folder)
    else:
        dynamics = assembled(folder, MODEL, parameters, moved.commands, moved.start, moved.states)
    _finish(folder)
    return dynamics


def reference_speed(folder: Folder, gravity: float) -> float:
    """Return the reference speed of prime coefficients: ``U``, if 0 Fn sqrt(g L); 0 if neither."""
    U = folder["vessel"].number(ves.U)
    geometry = folder["geometry"]
    froude = geometry.number(geo.FN)
    return U if U != 0.0 else froude * sqrt(gravity * geometry.positive(geo.LENGTH))


def _active(vessel: Section) -> list[bool]:
    flags = vessel.vector(ves.ACTIVE_DOF)
    if not np.isin(flags, (0, 1)).all():
        return vessel.wrong(ves.ACTIVE_DOF, str(flags), "six of 0 and 1", [True] * 6)
    return [bool(flag) for flag in flags]


def _coriolis(hydrodynamics: Section, mass: Masses, scalars: at.Record, matrices: Floats) -> None:
    omitted = hydrodynamics.pairs(hyd.CORIOLIS_OMIT)
    whole = not omitted
    matrices[at.MASS] = mass.M_RB + mass.M_A if whole else mass.M_RB
    matrices[at.ADDED] = mass.M_A
    matrices[at.KEEP] = 1.0
    for row, column in omitted:
        if not (0 <= row < 6 and 0 <= column < 6):
            entry = f"[{row + 1}, {column + 1}]"
            hydrodynamics.wrong(hyd.CORIOLIS_OMIT, entry, "entries 1 to 6", None)
            continue
        matrices[at.KEEP, row, column] = 0.0
    if hydrodynamics.flag(hyd.CORIOLIS_FLAG):
        scalars["coriolis"] = 1 if whole else 2


def _finish(folder: Folder) -> None:
    """Reject unread keys: coefficient names with a syntax error, and misspelt keys."""
    unused = {"vessel": (ves.TYPE,), "geometry": (geo.DEPTH, geo.GEOMETRY_FILE, geo.MESH)}
    for name, section in folder.files.items():
        if name == "hydrodynamics":
            section.finish(meant=terms.respelt)
        else:
            section.finish(unused.get(name, ()))
