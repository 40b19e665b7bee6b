"""Plausibility checks of a vessel: positions outside the hull, mass, inertia, added mass.

Each check needs several keys; it is skipped if one of them is already known to be invalid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from steerageway.vessel.fossen import terms
from steerageway.vessel.fossen.build_mass import ROUGHLY, Masses
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame, centre
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.rigid_body import DEGREES_OF_FREEDOM
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

SIZES = geo.BREADTH, geo.DEPTH, geo.DRAFT
PLACED = ((thr.THRUSTERS, thr.LOCATION), (srf.CONTROL_SURFACES, srf.LOCATION))
FREEBOARD = 3.0  # multiple of the draught that is the maximum height of a hull of unknown depth
LEAST = 1e-12  # minimum eigenvalue of a mass matrix scaled to unit diagonal


def check_hull(folder: Folder, frame: Frame, mass: Masses, density: float) -> None:
    """Reject positions outside the hull, and more mass than the water in a box around it."""
    geometry, inertia = folder["geometry"], folder["inertia"]
    length = geometry.positive(geo.LENGTH)
    breadth, depth, draft = (geometry.number(key, 0.0) for key in SIZES)
    if not geometry.is_valid(geo.LENGTH, *SIZES):
        return
    if 0 < depth < draft:
        geometry.wrong(geo.DRAFT, f"{draft:g}", f"at most the depth of {depth:g} m", None)
    high = depth or FREEBOARD * draft
    across = max(breadth, high) or length
    reach = np.array([length, across, across])
    if centre(geometry, geo.CO).is_valid(geo.POSITION, geo.ORIENTATION):
        centres = (centre(geometry, name) for name in (geo.CG, geo.CB))
        for section in (*centres, inertia.section(inr.PAYLOAD)):
            _check_place(section, geo.POSITION, frame, reach)
        around = np.full(3, reach.max())  # allows for a mast or a bowsprit, but not for millimetres
        for section, key in _appendages(folder):
            _check_place(section, key, frame, around)
    _check_radii(folder, mass, max(reach))
    if breadth and high:
        water = density * length * breadth * high
        load = inertia.section(inr.PAYLOAD)
        key = inr.VOLUME if inr.VOLUME in inertia else inr.BUOYANCY_MASS
        scale = density if key == inr.VOLUME else 1.0
        displaced = scale * inertia.number(key, mass.mass / scale)
        # an input already reported as invalid has a placeholder: no second error about it
        known = inertia.is_valid(inr.MASS, key) and load.is_valid(inr.PAYLOAD_MASS)
        known = known and folder["vessel"].is_valid(ves.DENSITY)
        for name, value in ((inr.MASS, mass.mass), (key, displaced)):
            if value > water and known:
                box = f"at most {water:.4g} kg, the water in a box of the hull's size"
                inertia.wrong(name, f"{value:g}", box, None)


def _check_radii(folder: Folder, mass: Masses, size: float) -> None:
    """Reject inertia impossible for the hull's size: not in kg m², or not in metres."""
    geometry, inertia = folder["geometry"], folder["inertia"]
    if inr.INERTIA_MATRIX in inertia:
        section, key = inertia, inr.INERTIA_MATRIX
        radii = np.sqrt(np.abs(np.diag(mass.M_RB)[3:]) / mass.mass)
        most = np.hypot(size, np.linalg.norm(mass.r_bg))
    else:
        section, key, most = geometry, geo.GYRATION, size
        radii = geometry.vector(geo.GYRATION)
    if max(radii) > most * ROUGHLY and inertia.is_valid(inr.MASS) and section.is_valid(key):
        value = f"{max(radii):.4g} m of gyration in {DEGREES_OF_FREEDOM[3 + np.argmax(radii)]}"
        section.wrong(key, value, f"at most {size:g} m, the hull's own size", None)


def _appendages(folder: Folder) -> Iterator[tuple[Section, str]]:
    """Return the thrusters and control surfaces, each with the key of its position."""
    for file, key in PLACED:
        yield from ((section, key) for section in folder[file].sections(file))


def _check_place(section: Section, key: str, frame: Frame, reach: Floats) -> None:
    given = section.vector(key, 3, frame.origin.tolist())
    if (np.abs(frame.place(given)) > reach).any() and section.is_valid(key):
        x, y, z = reach
        inside = f"a position within {x:g}, {y:g} and {z:g} m of CO, the hull's size"
        section.wrong(key, str(given.tolist()), inside, None)


def sound_mass(folder: Folder, mass: Masses, active: Sequence[bool]) -> Floats:
    """Return M_RB + M_A (6, 6) if it is positive definite in the free degrees of freedom.

    Raises:
        InvalidValue: it is singular or indefinite; the error names degree of freedom and key.
    """
    free = [i for i in range(6) if active[i]]
    M, inertia = mass.M_RB + mass.M_A, folder["inertia"]
    known = inertia.is_valid(inr.MASS, inr.INERTIA_MATRIX, inr.ADDED_MASS_MATRIX)
    known = known and folder["geometry"].is_valid(geo.GYRATION, geo.LENGTH)
    section, key = inertia, str(inr.INERTIA_MATRIX)
    if inr.INERTIA_MATRIX in inertia and (axis := failing(mass.M_RB, free, -LEAST)) is not None:
        what, matrix = "M_RB", mass.M_RB
    elif (axis := failing(M, free, LEAST)) is not None:
        section, key = _likely_key(folder, axis)
        what, matrix = "M = M_RB + M_A", M
    else:
        return M
    if not known or not section.is_valid(key):
        return np.eye(6)
    value = f"{what} fails in {DEGREES_OF_FREEDOM[axis]}, its own entry {matrix[axis, axis]:.6g}"
    return section.wrong(key, value, "a positive definite sum", np.eye(6))


def failing(M: Floats, free: Sequence[int], least: float) -> int | None:
    """Return the first degree of freedom whose leading minor is not positive; None if all are."""
    scale = np.sqrt(np.abs(np.diag(M)))
    scale[scale == 0.0] = 1.0
    for i, axis in enumerate(free):
        these = np.ix_(free[: i + 1], free[: i + 1])
        if np.linalg.eigvalsh((M / np.outer(scale, scale))[these])[0] <= least:
            return axis
    return None


def _likely_key(folder: Folder, axis: int) -> tuple[Section, str]:
    """Return the key that most likely causes the invalid entry of M (added mass)."""
    inertia, hydrodynamics = folder["inertia"], folder["hydrodynamics"]
    if inr.ADDED_MASS_MATRIX in inertia:
        return inertia, inr.ADDED_MASS_MATRIX
    for key in hydrodynamics.nodes:
        if axis in (terms.acceleration(key) or ()):
            return hydrodynamics, key
    has_file = hyd.HYDRA_FILE in hydrodynamics
    return (hydrodynamics, hyd.HYDRA_FILE) if has_file else (inertia, inr.MASS)
