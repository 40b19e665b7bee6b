"""Builds the damping of a hull: named coefficients, a table of products, a measured resistance."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import terms
from steerageway.vessel.fossen.build_actuators import read_table
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

FACTORS = {
    name: i for i, name in enumerate((*terms.VELOCITIES, *(f"a{v}" for v in terms.VELOCITIES)))
}
FACTORS |= {"phi": terms.HEEL, "aphi": terms.ABSOLUTE_HEEL}
TRIED = 100  # number of speeds at which a fit is checked
LARGEST_FORCE = 1e12  # magnitude beyond which a number is no resistance [N]
Damping = tuple[np.ndarray, Floats]
"""The terms (n, TERM), and their dimensional coefficients (n,)."""


def prime_by_reference(hydrodynamics: Section) -> bool:
    """Whether prime coefficients refer to the speed U of the files, not to the actual speed.

    Source: the prime system's U is the actual speed (Fossen 2021, appendix D); in Panisim it is U.
    """
    return hydrodynamics.choice(hyd.PRIME_SPEED) == "reference"


def damping(folder: Folder, density: float, speed: float) -> tuple[Damping, Floats]:
    """Return the terms, in the order of the file, and the rows (n, 3) of a measured resistance."""
    hydrodynamics = folder["hydrodynamics"]
    length = folder["geometry"].positive(geo.LENGTH)
    fading = hydrodynamics.words(hyd.FADING)
    dimensional = hydrodynamics.flag(hyd.DIM_FLAG)
    by_reference = not dimensional and prime_by_reference(hydrodynamics)
    by_actual = not dimensional and not by_reference
    at_speed = 1.0 if by_actual else speed
    rows, values = [], []
    fitted, measured = _resistance(folder)
    for section, key, term, value in (*_named(hydrodynamics), *_tabled(hydrodynamics)):
        if by_reference and len(term.velocities) != 2 and speed <= 0:
            needs = "a reference speed U, or geometry's Fn"
            section.wrong(key, "a prime coefficient", needs, None)
        scale = 1.0 if dimensional else term.dimension(density, length, at_speed)
        how = int(key in fading) + (2 * len(term.velocities) + 2 if by_actual else 0)
        rows.append(_row(term, how))
        values.append(scale * value)
    for k, value in enumerate(fitted, 1):  # u, u|u|, u^3: [N], as measured
        rows.append(_row(terms.Term(0, ((0,), (0, 6), (0, 0, 0))[k - 1]), 0))
        values.append(-value)
    unknown = [name for name in fading if name not in hydrodynamics.nodes]
    if unknown:
        hydrodynamics.wrong(hyd.FADING, unknown[0], "names of coefficients of this file", None)
    together = np.array(rows, np.int64).reshape(-1, at.TERM), np.array(values, np.float64)
    return together, measured


def straight_ahead(damping: Damping, measured: Floats, scalars: at.Record, speed: float) -> float:
    """Return the surge damping force at a speed straight ahead [N]."""
    total = 0.0
    for row, value in zip(*damping, strict=True):
        factors = row[at.FIRST : at.FIRST + row[at.FACTORS]]
        if row[at.AXIS] == 0 and all(factor in (0, 6) for factor in factors):
            fade = np.exp(-scalars["fade"] * speed) if row[at.FADING] % 2 else 1.0
            power = 2 if row[at.FADING] >= 2 else len(factors)
            total += value * speed**power * fade
    if len(measured):
        beyond = max(speed / measured[-1, 0], 1.0)
        total -= float(np.interp(speed, measured[:, 0], measured[:, 1])) * beyond**2
    pressure = 0.5 * scalars["density"] * speed**2
    return float(total - pressure * scalars["lift_area"] * scalars["lift_cd0"])


def _row(term: terms.Term, how: int) -> list[int]:
    factors = [*term.factors, *[0] * (terms.MOST_FACTORS - len(term.factors))]
    return [term.axis, how, len(term.factors), *factors]


def _named(hydrodynamics: Section) -> Iterator[tuple[Section, str, terms.Term, float]]:
    """Return the coefficients whose names define their factors."""
    for key in list(hydrodynamics.nodes):
        term = terms.parsed(key)
        if term is not None and not terms.acceleration(key):
            yield hydrodynamics, key, term, hydrodynamics.number(key)


def _tabled(hydrodynamics: Section) -> Iterator[tuple[Section, str, terms.Term, float]]:
    """Return the products of a table: axis, powers of velocities and heel, coefficient."""
    for item in hydrodynamics.sections(hyd.DAMPING_TERMS):
        axis = item.choice(hyd.TERM_AXIS)
        factors: list[int] = []
        for name, factor in FACTORS.items():
            power = item.number(name, 0.0, 0.0, terms.MOST_FACTORS)
            if power % 1.0:
                item.wrong(name, f"{power:g}", "a whole number: |u|^1.8 as a resistance", None)
            factors += [factor] * int(power)
        if not 0 < len(factors) <= terms.MOST_FACTORS:
            names = f"powers of {', '.join(FACTORS)}, {terms.MOST_FACTORS} together at most"
            item.wrong(hyd.TERM_AXIS, f"{axis} of {len(factors)} factors", names, None)
            factors = [0]
        value = item.number(hyd.TERM_COEFFICIENT)
        item.finish()
        yield item, hyd.TERM_COEFFICIENT, terms.Term(terms.AXES.index(axis), tuple(factors)), value


def _resistance(folder: Folder) -> tuple[list[float], Floats]:
    """Return the coefficients fitted to a measured resistance, or else its rows (n, 3)."""
    section = folder["hydrodynamics"].section(hyd.RESISTANCE)
    if not section.nodes:
        return [], np.empty((0, 3))
    points = section.rows(hyd.RESISTANCE_POINTS)
    if hyd.RESISTANCE_FILE in section:
        with section.collecting_errors():
            path = folder.find(section, hyd.RESISTANCE_FILE)
            points += [
                row[:2] for row in read_table(path, ("speed", "force"), False, LARGEST_FORCE)
            ]
    powers = section.number(hyd.RESISTANCE_FIT)
    key = hyd.RESISTANCE_FILE if hyd.RESISTANCE_FILE in section else hyd.RESISTANCE_POINTS
    problem, fitted = _wrong(points), [0.0]
    if problem:
        if section.is_valid(hyd.RESISTANCE_POINTS, hyd.RESISTANCE_FILE):
            section.wrong(key, problem, "two or more of [speed, force against the motion]", None)
        points = [[0.0, 0.0], [1.0, 1.0]]
    elif powers:
        fitted = _fitted(points, int(powers))
        if driven := _driven(fitted, max(abs(speed) for speed, _ in points)):
            section.wrong(
                hyd.RESISTANCE_FIT, driven, "fewer powers, or 0 to go from point to point", None
            )
    section.finish()
    if powers:
        return fitted, np.empty((0, 3))
    rows = np.array(points)
    if not (rows[:, 0] == 0.0).any():
        place = int(np.searchsorted(rows[:, 0], 0.0))
        rows = np.insert(rows, place, [0.0, 0.0], axis=0)
    return [], np.column_stack((rows, np.zeros(len(rows))))


def _wrong(points: list[list[float]]) -> str:
    """Return what makes points of speed and resistance invalid; "": valid."""
    speeds = [speed for speed, _ in points]
    if len(points) < 2 or sorted(set(speeds)) != speeds or max(speeds) <= 0.0:
        return f"{len(points)} points of speeds {speeds}, not ascending to one ahead"
    for speed, force in points:
        if not isfinite(force) or speed * force < 0.0 or (speed == 0.0 and force != 0.0):
            return f"{force:g} N at {speed:g} m/s accelerates the hull"
    return ""


def _fitted(points: list[list[float]], powers: int) -> list[float]:
    """Fit the first ``powers`` of u, u|u| and u^3 by least squares."""
    u, force = np.array(points).T
    columns = np.column_stack((u, u * abs(u), u**3))[:, :powers]
    found: list[float] = np.linalg.lstsq(columns, force, rcond=None)[0].tolist()
    return found


def _driven(fitted: list[float], fastest: float) -> str:
    """Return where a fitted resistance is negative; "": nowhere up to the highest speed."""
    for k in range(1, TRIED + 1):
        u = fastest * k / TRIED
        force = sum(value * u**power for power, value in enumerate(fitted, 1))
        if force < 0.0:
            return f"{len(fitted)}: {force:g} N at {u:g} m/s accelerates the hull"
    return ""
