"""Builds the mass matrices of a vessel: M_RB and M_A about CO, and the reduced system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steerageway.vessel.fossen import hydra, terms
from steerageway.vessel.fossen.build_scalings import scaled_added_mass
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame, angles, centre
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.rigid_body import DEGREES_OF_FREEDOM, Hmtrx
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

ROUGHLY = 1.05  # tolerance of radii of gyration, which are rules of thumb


@dataclass(frozen=True)
class Masses:
    """Masses and centres of a vessel, in BODY from CO.

    Attributes:
        M_RB, M_A: (6, 6), symmetric.
        mass: hull and payload [kg].
        payload: payload only [kg].
        r_bg, r_bb, r_bp: (3,) centres of gravity (hull and payload), buoyancy and payload [m].
    """

    M_RB: Floats
    M_A: Floats
    mass: float
    payload: float
    r_bg: Floats
    r_bb: Floats
    r_bp: Floats


def masses(folder: Folder, density: float, frame: Frame) -> Masses:
    """Read ``inertia.yml`` and the related keys of the geometry and hydrodynamics files."""
    geometry, inertia = folder["geometry"], folder["inertia"]
    r_bg, r_bb = _centre(geometry, geo.CG, frame), _centre(geometry, geo.CB, frame)
    axes = _principal_axes(geometry, frame, by_matrix=inr.INERTIA_MATRIX in inertia)
    mass = inertia.positive(inr.MASS)
    load = inertia.section(inr.PAYLOAD)
    payload = load.number(inr.PAYLOAD_MASS)
    r_bp = frame.place(load.vector(inr.PAYLOAD_POSITION))
    load.finish((inr.ACTS,))
    radii = _gyration(geometry, needed=inr.INERTIA_MATRIX not in inertia)
    if inr.INERTIA_MATRIX in inertia:
        M_RB = symmetric(inertia, inr.INERTIA_MATRIX)
    else:
        gyration2 = axes @ np.diag(radii) ** 2 @ axes.T
        M_RB = body(mass, r_bg, gyration2) + body(payload, r_bp, np.zeros((3, 3)))
    total = mass + payload
    return Masses(
        M_RB=M_RB,
        M_A=scaled_added_mass(folder, _added(folder, density, frame.co)),
        mass=total,
        payload=payload,
        r_bg=(mass * r_bg + payload * r_bp) / total,
        r_bb=r_bb,
        r_bp=r_bp,
    )


def body(mass: float, r: Floats, gyration2: Floats) -> Floats:
    """Return M_RB (6, 6) about CO of a body at r; ``gyration2`` (3, 3) is I_g / m, in BODY."""
    M = np.zeros((6, 6))
    M[:3, :3] = mass * np.eye(3)
    M[3:, 3:] = mass * gyration2
    H = Hmtrx(r)
    about_co: Floats = H.T @ M @ H
    return about_co


def symmetric(section: Section, key: str) -> Floats:
    """Read a 6 x 6 matrix and return its symmetric part."""
    matrix = section.matrix(key, 6, 6)
    return 0.5 * (matrix + matrix.T)


def solved(M: Floats, active: Sequence[bool]) -> tuple[Floats, Floats]:
    """Return the inverse of M's free part, zero elsewhere, and M's free rows and held columns."""
    free = [i for i in range(6) if active[i]]
    held = [i for i in range(6) if not active[i]]
    inverse, columns = np.zeros((6, 6)), np.zeros((6, 6))
    inverse[np.ix_(free, free)] = np.linalg.inv(M[np.ix_(free, free)])
    columns[np.ix_(free, held)] = M[np.ix_(free, held)]
    return inverse, columns


def _gyration(geometry: Section, *, needed: bool) -> Floats:
    """Read the radii of gyration (3,) [m]: no square exceeds the sum of the other two."""
    if not needed and geo.GYRATION not in geometry:
        return np.ones(3)
    radii = geometry.vector(geo.GYRATION)
    squares = radii**2
    if not (radii > 0).all() or (2 * squares > squares.sum() * ROUGHLY).any():
        expected = "three radii of a body [m]: above zero, no square above the other two together"
        return geometry.wrong(geo.GYRATION, str(radii.tolist()), expected, np.ones(3))
    return radii


def _centre(geometry: Section, name: str, frame: Frame) -> Floats:
    section = centre(geometry, name)
    position = frame.place(section.vector(geo.POSITION))
    section.finish((geo.ORIENTATION,))
    return position


def _principal_axes(geometry: Section, frame: Frame, *, by_matrix: bool) -> Floats:
    """Return the axes (3, 3) of the radii of gyration in BODY: those of CG, or BODY's own.

    An inertia matrix, which is in BODY, and a centre of buoyancy have no orientation.
    """
    gravity, buoyancy = centre(geometry, geo.CG), centre(geometry, geo.CB)
    _unturned(buoyancy, "it is a point")
    if by_matrix:
        _unturned(gravity, "an inertia_matrix is in BODY")
    turned = angles(gravity, geo.ORIENTATION)
    return frame.axes(turned) if geo.ORIENTATION in gravity else np.eye(3)


def _unturned(section: Section, why: str) -> None:
    eul = angles(section, geo.ORIENTATION)
    if eul.any():
        section.wrong(geo.ORIENTATION, str(eul.tolist()), f"[0, 0, 0]: {why}", None)


def _added(folder: Folder, density: float, co: Floats) -> Floats:
    """Return M_A: from a given matrix, else HydRA's file, else acceleration derivatives."""
    inertia, hydrodynamics = folder["inertia"], folder["hydrodynamics"]
    bow = hydrodynamics.choice(hyd.HYDRA_BOW)
    derivatives = _derivatives(folder, density)
    has_file = hyd.HYDRA_FILE in hydrodynamics
    if inr.ADDED_MASS_MATRIX in inertia:
        return _given_added(inertia)
    if has_file and derivatives is None:
        with hydrodynamics.collecting_errors():
            return hydra.added_mass(folder.find(hydrodynamics, hyd.HYDRA_FILE), co, bow)
    return np.zeros((6, 6)) if derivatives is None else derivatives


def _given_added(inertia: Section) -> Floats:
    """Read the matrix of added mass, whose sign is opposite to that of the derivatives."""
    M_A, own = symmetric(inertia, inr.ADDED_MASS_MATRIX), DEGREES_OF_FREEDOM
    if less := [f"{M_A[i, i]:g} in {own[i]}" for i in range(6) if M_A[i, i] < 0]:
        expected = "0 or more on the diagonal: added mass is minus the derivative"
        return inertia.wrong(inr.ADDED_MASS_MATRIX, ", ".join(less), expected, np.eye(6))
    return M_A


def _derivatives(folder: Folder, density: float) -> Floats | None:
    hydrodynamics = folder["hydrodynamics"]
    dimensional = hydrodynamics.flag(hyd.DIM_FLAG)
    length = folder["geometry"].positive(geo.LENGTH)
    M_A, found = np.zeros((6, 6)), False
    for key in list(hydrodynamics.nodes):
        place = terms.acceleration(key)
        if place is None:
            continue
        scale = 1.0 if dimensional else terms.acceleration_dimension(*place, density, length)
        value = hydrodynamics.number(key)
        if place[0] == place[1] and value > 0:
            wanted = f"0 or less: added mass in {DEGREES_OF_FREEDOM[place[0]]} is minus that"
            value = hydrodynamics.wrong(key, f"{value:g}", wanted, 0.0)
        M_A[place] = -scale * value
        found = True
    return 0.5 * (M_A + M_A.T) if found else None
