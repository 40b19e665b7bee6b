"""Scalings and offsets of a hull's figures, to see what an uncertain model does.

``hydrodynamics.yml`` may have ``scalings`` (factors, 1 each) and ``offsets`` (added to every entry
of a diagonal before it is scaled, 0 each), as the UUV Simulator has them: offsets of damping are
negative where they damp, as the coefficients are.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.document import Section
from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.folder import Folder

SURGE = 0
OFFSETS = ("linear_damping", "linear_forward_damping", "quadratic_damping")


def displaced_mass(folder: Folder, mass: float, density: float) -> float:
    """Give the mass of the water a hull displaces [kg]: by its volume, else its own mass."""
    inertia = folder["inertia"]
    if "volume" not in inertia:
        return scaling(folder, "volume") * inertia.positive("buoyancy_mass", mass)
    displaced = density * inertia.positive("volume")
    if "buoyancy_mass" in inertia:
        given = inertia.text("buoyancy_mass")
        inertia.wrong("buoyancy_mass", given, "no such key beside volume", None)
    return scaling(folder, "volume") * displaced


def scaling(folder: Folder, what: str) -> float:
    """Give the factor of ``added_mass``, ``damping`` or ``volume``."""
    section = folder["hydrodynamics"].section("scalings")
    found = {name: section.positive(name, 1.0) for name in ("added_mass", "damping", "volume")}
    section.finish()
    return found[what]


def scaled_added_mass(folder: Folder, M_A: Floats) -> Floats:
    """Give M_A (6, 6) with its offset and its scaling."""
    offset, factor = _offsets(folder)["added_mass"], scaling(folder, "added_mass")
    if offset == 0.0 and factor == 1.0:
        return M_A
    return factor * (M_A + offset * np.eye(6))


def scaled_damping(folder: Folder, rows: np.ndarray, values: Floats) -> tuple[np.ndarray, Floats]:
    """Give the terms and their values with offsets and scaling."""
    offsets, factor = _offsets(folder), scaling(folder, "damping")
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
    section: Section = folder["hydrodynamics"].section("offsets")
    found = {name: section.number(name, 0.0) for name in ("added_mass", *OFFSETS)}
    section.finish()
    return found
