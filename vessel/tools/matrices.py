"""Plausibility warnings for the 6 by 6 matrices of a valid vessel, and for its HydRA file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen import terms
from steerageway.vessel.fossen.build_mass import Masses, masses
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.fossen.hydra import hull_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.kinematics import Smat
from steerageway.vessel.rigid_body import DEGREES_OF_FREEDOM
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

ALIKE = 1.5  # maximum ratio of masses of the same hull
RADIUS, TALL = 0.25, 2.0  # radius of gyration over the length; maximum ratio of lengths
DIFFER = 0.01  # relative tolerance of values for the same quantity
BODY, ADDED = inr.INERTIA_MATRIX, inr.ADDED_MASS_MATRIX


def matrix_remarks(folder: Folder) -> Iterator[str]:
    """Yield warnings of matrices that are not symmetric, or contradict mass, CG or derivatives.

    Args:
        folder: of a vessel of the coefficient form.
    """
    inertia = folder["inertia"]
    for key in (BODY, ADDED):
        if key in inertia:
            warnings = _asymmetries(inertia.matrix(key, 6, 6))
            yield from (f"{_place(inertia, key)}: {one}" for one in warnings)
    if BODY in inertia:
        mass = masses(folder, 1.0, frame_of(folder["geometry"]))  # added mass does not matter here
        if not mass.payload:
            free = folder["vessel"].vector(ves.ACTIVE_DOF) != 0
            warnings = _contradictions(mass, free, folder["geometry"].positive(geo.LENGTH))
            yield from (f"{_place(inertia, BODY)}: {one}" for one in warnings)
    yield from _other_hull(folder)
    unread = [key for key in folder["hydrodynamics"].nodes if terms.acceleration(key)]
    if ADDED in inertia and unread:
        yield f"{_place(inertia, ADDED)}: it is used, {', '.join(unread)} are not"


def _other_hull(folder: Folder) -> Iterator[str]:
    """Yield a warning if the HydRA file is for a hull of another mass or length."""
    hydrodynamics, key = folder["hydrodynamics"], "hydra_file"
    if key not in hydrodynamics:
        return
    heavy, radius = hull_of(folder.find(hydrodynamics, key))
    inertia = folder["inertia"]
    mass = inertia.positive(inr.BUOYANCY_MASS, inertia.positive(inr.MASS))
    length = folder["geometry"].positive(geo.LENGTH)
    odd = []
    if not mass / ALIKE < heavy < mass * ALIKE:
        odd.append(f"of {heavy:.4g} kg, where this one displaces {mass:g}")
    if not length / TALL < radius / RADIUS < length * TALL:
        odd.append(f"about {radius / RADIUS:.3g} m long, where length is {length:g}")
    if odd:
        yield f"{_place(hydrodynamics, key)}: of another vessel: a hull {', and '.join(odd)}"


def _place(section: Section, key: str) -> str:
    return section.where(key).removeprefix(f"{section.path.parent}/")


def _asymmetries(matrix: Floats) -> Iterator[str]:
    most = np.abs(matrix).max() * DIFFER
    for row, column in np.argwhere(np.triu(np.abs(matrix - matrix.T) > most)):
        one, other = matrix[row, column], matrix[column, row]
        place = f"row {row + 1}, column {column + 1}"
        yield f"{one:g} in {place}, but {other:g} across the diagonal: their mean is used"


def _contradictions(mass: Masses, free: NDArray[np.bool_], length: float) -> Iterator[str]:
    """Yield the entries of M_RB that contradict mass and CG: its blocks are m I and -m S(r_bg).

    Degrees of freedom that are not free are ignored, as a planar model may have zeros there.
    """
    m, M = mass.mass, mass.M_RB
    odd = [i for i in range(3) if free[i] and abs(M[i, i] - m) > DIFFER * m]
    if odd:
        named = ", ".join(f"{M[i, i]:g} in {DEGREES_OF_FREEDOM[i]}" for i in odd)
        yield f"{named}, but mass is {m:g}"
        return
    S, counts = -M[:3, 3:] / m, np.outer(free[:3], free[3:])
    S = np.where(counts, S, np.where(counts.T, -S.T, Smat(mass.r_bg)))
    r_bg = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    if (np.abs(r_bg - mass.r_bg) > DIFFER * length).any():
        its, given = ((np.round(place, 4) + 0.0).tolist() for place in (r_bg, mass.r_bg))
        yield f"of a body whose CG is at {its}, but CG is at {given}"
