"""Linearisation of a vessel: Jacobians, damping, stiffness, eigenvalues, natural periods."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import NU, U_
from steerageway.vessel.tools.inertia import (
    coefficients,
    is_coefficient_form,
    mass_of,
    with_coefficients,
)
from steerageway.world.arrays import Floats

POSE = [2, 3, 4]  # pose variables that forces depend on: z, phi, theta
SPEEDS = "uvwpqr"
CROSSING = {"v": "YN", "r": "YN", "w": "ZM", "q": "ZM"}  # motion -> axes of its cross-flow drag
ROUNDING = 1e-9  # force that is taken as zero [N, N m]
MOTION = [*POSE, *range(6, 12)]


def state_at(vessel: Dynamics, speed: float) -> Floats:
    """Return the state at a speed ahead [m/s], level, with actuators at zero."""
    x = np.zeros_like(vessel.initial)
    if vessel.floating is not None:
        x[2:5] = vessel.floating.rest
    x[U_] = speed
    return x


def rates_of_decay(vessel: Dynamics, speed: float) -> Floats:
    """Return -d(nu_dot)/d(nu) (6, 6) at a speed ahead [1/s and mixed], with thrusters off."""
    command = np.zeros(len(vessel.commands))
    return -vessel.jacobian(state_at(vessel, speed), command, range(6, 12))[NU]


def damping(vessel: Dynamics, speed: float) -> Floats:
    """Return the linearised damping (6, 6) at a speed ahead, without Coriolis forces."""
    no_coriolis = without(vessel, "coriolis")
    slope: Floats = mass_of(vessel).M @ rates_of_decay(no_coriolis, speed)
    return slope


def without(vessel: Dynamics, *effects: str) -> Dynamics:
    """Return a coefficient-form vessel with effects turned off: scalars of ``layout`` set to 0."""
    p = coefficients(vessel)
    scalars = p.scalars.copy()
    for effect in effects:
        scalars[effect] = 0
    return with_coefficients(vessel, p._replace(scalars=scalars))


def cross_flow_coefficients(vessel: Dynamics) -> dict[str, float]:
    """Return the quadratic coefficients, as Y_v_av, equivalent to the cross-flow drag of a hull.

    Each is for one motion alone at 1 m/s or 1 rad/s, dimensional, as fitted by Panisim. Empty
    without cross-flow drag, or for a published model.
    """
    if not is_coefficient_form(vessel) or not coefficients(vessel).scalars["cross"]:
        return {}
    calm, command = vessel.surroundings(), np.zeros(len(vessel.commands))
    bare, M = without(vessel, "cross"), mass_of(vessel).M
    found = {}
    for motion, axes in CROSSING.items():
        x = state_at(vessel, 0.0)
        x[NU] = 0.0
        x[NU][SPEEDS.index(motion)] = 1.0
        rise = vessel.derivative(x, command, calm) - bare.derivative(x, command, calm)
        force = M @ rise[NU]
        for axis in axes:
            value = float(force["XYZKMN".index(axis)])
            if abs(value) > ROUNDING:
                found[f"{axis}_{motion}_a{motion}"] = value
    return found


def eigenvalues(vessel: Dynamics, x: Floats, command: Floats) -> NDArray[np.complex128]:
    """Return the eigenvalues [1/s] of heave, roll, pitch and the velocities, with fixed actuators.

    The slowest is first, with one of each conjugate pair.
    """
    A = vessel.jacobian(x, command, MOTION)[MOTION]
    values = np.linalg.eigvals(A).astype(np.complex128)
    values = values[values.imag >= 0]
    return values[np.lexsort((values.imag, -values.real))]


def natural_periods(vessel: Dynamics) -> dict[str, float]:
    """Return the undamped periods [s] of heave, roll and pitch that have a stiffness.

    For a coefficient-form vessel 2 pi sqrt(M_ii / G_ii), as commonly quoted; for another model the
    same from its accelerations.
    """
    names = ("heave", "roll", "pitch")
    return {
        name: float(2 * np.pi / np.sqrt(k))
        for name, k in zip(names, pull_back(vessel), strict=True)
        if k > 1e-9
    }


def pull_back(vessel: Dynamics) -> Floats:
    """Return the restoring accelerations per displacement (3,) of heave, roll, pitch [1/s²].

    For a coefficient-form vessel G_ii / M_ii; for another model its accelerations.
    """
    command = np.zeros(len(vessel.commands))
    K = -vessel.jacobian(state_at(vessel, 0.0), command, POSE)[NU]
    if is_coefficient_form(vessel):
        M = mass_of(vessel).M
        heavy = np.diag(M)[:, np.newaxis] > 0  # a degree of freedom that is not free may have none
        K = np.divide(M @ K, np.diag(M)[:, np.newaxis], out=np.zeros_like(K), where=heavy)
    stiffness: Floats = K[[2, 3, 4], [0, 1, 2]]
    return stiffness
