"""Inertia matrices of a vessel, rigid body and added mass, about CO.

A vessel of the coefficient form has them as matrices. In a published model they are the factors of
the accelerations in its equations, here made dimensional. A model without such factors (Norrbin's
is one time constant) has no kinetic energy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.published.tanker import LEAST_WATER
from steerageway.world.arrays import Floats

SURGE, SWAY, HEAVE, ROLL, PITCH, YAW = range(6)


def is_coefficient_form(vessel: Dynamics) -> bool:
    """Return whether masses and forces are separate parameters, unlike in a published model."""
    return isinstance(at.hull_of(vessel.parameters), at.Parameters)


def coefficients(vessel: Dynamics) -> at.Parameters:
    """Return the parameters of a coefficient-form vessel.

    Raises:
        InvalidValue: the vessel is a published model.
    """
    hull = at.hull_of(vessel.parameters)
    if not isinstance(hull, at.Parameters):
        raise InvalidValue(
            f"{vessel.name}: a published model: its coefficients fit inertia, Coriolis forces "
            f"and damping together; expected a vessel of the coefficient form"
        )
    return hull


def with_coefficients(vessel: Dynamics, hull: at.Parameters) -> Dynamics:
    """Return a coefficient-form vessel with its hull's parameters replaced."""
    met: Any = vessel.parameters
    return replace(vessel, parameters=met._replace(hull=hull) if hasattr(met, "hull") else hull)


def fields_of(vessel: Dynamics) -> tuple[str, ...]:
    """Return the names of a vessel's parameters, which are a NamedTuple."""
    names: tuple[str, ...] = vessel.parameters._fields  # type: ignore[attr-defined]
    return names


def module_of(vessel: Dynamics) -> str:
    """Return the name of the module that has its model's equations, e.g. "mariner"."""
    return vessel.model.derivative.__module__.rpartition(".")[2]


def inertia_of(vessel: Dynamics) -> Floats | None:
    """Return M_RB + M_A (6, 6), symmetric; None for a model without inertia.

    Degrees of freedom that a model does not have (heave of a planar ship) are 0.
    """
    if is_coefficient_form(vessel):
        return mass_of(vessel).M
    given: Any = vessel.parameters
    if "M_inv" in fields_of(vessel):
        moves = np.ix_(*[np.flatnonzero(np.diag(given.M_inv))] * 2)
        M = np.zeros((6, 6))
        M[moves] = np.linalg.inv(given.M_inv[moves])
    elif (model := module_of(vessel)) in WITHIN:
        names, values = given.scalars.dtype.names, given.scalars.item()
        scalars = SimpleNamespace(**dict(zip(names, values, strict=True)))
        M = WITHIN[model](scalars, vessel.density)
    else:
        return None
    return np.asarray((M + M.T) / 2, np.float64) if M.any() else None


def mass_of(vessel: Dynamics) -> at.Mass:
    """Return the mass of a coefficient-form vessel, or of a model with M_RB and M_A."""
    if "M_RB" in fields_of(vessel):
        given: Any = vessel.parameters
        return at.Mass(given.M_RB, given.M_A)
    return at.mass_of(coefficients(vessel))


def _in_plane(m11: float, m22: float, m23: float, m32: float, m33: float) -> Floats:
    M = np.zeros((6, 6))
    M[SURGE, SURGE] = m11
    M[np.ix_([SWAY, YAW], [SWAY, YAW])] = [[m22, m23], [m32, m33]]
    return M


def _dimensional(M: Floats, density: float, L: float) -> Floats:
    """Return M from prime units: rho L³ / 2 for a mass, times L for each moment or rotation."""
    arms = np.array([1.0, 1.0, 1.0, L, L, L])
    return 0.5 * density * L**3 * np.outer(arms, arms) * M


def _clarke(p: Any, density: float) -> Floats:
    return _in_plane(p.m11, p.m22, p.m23, p.m32, p.m33)


def _mariner(p: Any, density: float) -> Floats:
    moment = p.m * p.x_G
    sway, yaw = p.m - p.Y_vdot, p.I_z - p.N_rdot
    M = _in_plane(p.m - p.X_udot, sway, moment - p.Y_rdot, moment - p.N_vdot, yaw)
    return _dimensional(M, density, p.L)


def _mmg(p: Any, density: float) -> Floats:
    yaw = p.m * (p.k_zz**2 + p.x_G**2) + p.J_z
    M = _in_plane(p.m + p.m_x, p.m + p.m_y, p.m * p.x_G, p.m * p.x_G, yaw)
    if p.g_GM > 0.0:
        M[ROLL, ROLL] = p.I_x + p.m * p.z_G**2
        M[SWAY, ROLL] = M[ROLL, SWAY] = -(p.m_y * p.alpha_z + p.m * p.z_G)
        M[ROLL, YAW] = M[YAW, ROLL] = -p.m * p.x_G * p.z_G
    return _dimensional(p.slender * M, density, p.L)


def _tanker(p: Any, density: float) -> Floats:
    """Return M from bis units (relative to the ship's mass), at the water depth of its files."""
    z = p.T / max(p.water_depth - p.T, LEAST_WATER * p.T)
    yaw = p.L**2 * (p.m33 - p.N_rdotz * z)
    mass: float = p.mass
    return mass * _in_plane(p.m11 - p.X_udotz * z, p.m22 - p.Y_vdotz * z, 0.0, 0.0, yaw)


def _container(p: Any, density: float) -> Floats:
    yawing = p.m_y * p.alpha_y
    M = _in_plane(p.m + p.m_x, p.m + p.m_y, yawing, yawing, p.I_z + p.J_z)
    M[ROLL, ROLL] = p.I_x + p.J_x
    M[SWAY, ROLL] = M[ROLL, SWAY] = -p.m_y * p.l_y
    return _dimensional(M, density, p.L)


def _dsrv(p: Any, density: float) -> Floats:
    """Return M; its added mass in surge is not published: the constant speed has mass only."""
    M = np.zeros((6, 6))
    M[SURGE, SURGE] = p.m
    M[np.ix_([HEAVE, PITCH], [HEAVE, PITCH])] = [
        [p.m - p.Z_wdot, -p.Z_qdot],
        [-p.M_wdot, p.I_y - p.M_qdot],
    ]
    return _dimensional(M, density, p.L)


WITHIN: dict[str, Callable[[Any, float], Floats]] = {
    "clarke": _clarke,
    "container": _container,
    "dsrv": _dsrv,
    "mariner": _mariner,
    "mmg": _mmg,
    "tanker": _tanker,
}
