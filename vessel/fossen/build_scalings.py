"""Scalings and offsets of a hull's parameters, for studies of model uncertainty.

``hydrodynamics.yml`` may have ``scalings`` (factors, default 1) and ``offsets`` (added to every
entry of a diagonal before scaling, default 0), as in the UUV Simulator: offsets of damping are
negative to increase it, as the coefficients are.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

SURGE = 0
ADDED_MASS, DAMPING, VOLUME = (hyd.SCALING_ADDED_MASS, hyd.SCALING_DAMPING, hyd.SCALING_VOLUME)
OFFSETS = hyd.OFFSETS_DAMPING


def displaced_mass(folder: Folder, mass: float, density: float) -> float:
    """Return the displaced mass [kg]: from the volume, else the vessel's mass."""
    inertia = folder["inertia"]
    if inr.VOLUME not in inertia:
        return scaling(folder, VOLUME) * inertia.positive(inr.BUOYANCY_MASS, mass)
    displaced = density * inertia.positive(inr.VOLUME)
    if inr.BUOYANCY_MASS in inertia:
        given = inertia.text(inr.BUOYANCY_MASS)
        inertia.wrong(inr.BUOYANCY_MASS, given, "no such key with volume", None)
    return scaling(folder, VOLUME) * displaced


def scaling(folder: Folder, what: str) -> float:
    """Return the factor of ``added_mass``, ``damping`` or ``volume``."""
    section = folder["hydrodynamics"].section(hyd.SCALINGS)
    found: dict[str, float] = {key: section.positive(key) for key in hyd.SCALINGS.keys}
    section.finish()
    return found[what]


def scaled_added_mass(folder: Folder, M_A: Floats) -> Floats:
    """Return M_A (6, 6) with its offset and its scaling."""
    offset, factor = _offsets(folder)[hyd.OFFSET_ADDED_MASS], scaling(folder, ADDED_MASS)
    if offset == 0.0 and factor == 1.0:
        return M_A
    return factor * (M_A + offset * np.eye(6))


def scaled_damping(folder: Folder, rows: np.ndarray, values: Floats) -> tuple[np.ndarray, Floats]:
    """Return the terms and their values with offsets and scaling."""
    offsets, factor = _offsets(folder), scaling(folder, DAMPING)
    more, added = [], []
    for name in OFFSETS:
        if offsets[name] != 0.0:
            for i in range(6):
                row = np.zeros(at.TERM, np.int64)
                own = {OFFSETS[0]: (i,), OFFSETS[1]: (SURGE, i), OFFSETS[2]: (i, i + 6)}[name]
                row[at.AXIS], row[at.FACTORS] = i, len(own)
                row[at.FIRST : at.FIRST + len(own)] = own
                more.append(row)
                added.append(offsets[name])
    if more:
        rows, values = np.concatenate((rows, more)), np.concatenate((values, added))
    return rows, values if factor == 1.0 else factor * values


def _offsets(folder: Folder) -> dict[str, float]:
    section: Section = folder["hydrodynamics"].section(hyd.OFFSETS)
    found: dict[str, float] = {key: section.number(key) for key in hyd.OFFSETS.keys}
    section.finish()
    return found
