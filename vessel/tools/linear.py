"""A vessel near one state: Jacobians, damping, stiffness, eigenvalues, natural periods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vessel.errors import InvalidValue
from vessel.fossen import layout as at
from vessel.fossen.dynamics import NU, Dynamics, Floats

STEP = 1e-6
POSE = [2, 3, 4]  # what forces depend on of a pose: z, phi, theta
MOTION = [*POSE, *range(6, 12)]
APART = {"M_inv", "D", "G"}  # parameters of published models that keep inertia apart from forces


class Mass(NamedTuple):
    """The mass matrices (6, 6) of a vessel."""

    M_RB: Floats
    M_A: Floats

    @property
    def M(self) -> Floats:
        """Give the sum."""
        return self.M_RB + self.M_A


def is_coefficient_form(vessel: Dynamics) -> bool:
    """Say whether masses and forces are known apart; a published model has them in one."""
    return isinstance(vessel.parameters, at.Parameters)


def coefficients(vessel: Dynamics) -> at.Parameters:
    """Give the parameters of a coefficient-form vessel.

    Raises:
        InvalidValue: it is a published model.
    """
    if not isinstance(vessel.parameters, at.Parameters):
        raise InvalidValue(
            f"{vessel.name}: a published model: its coefficients fit inertia, Coriolis forces "
            f"and damping together; expected a vessel of the coefficient form"
        )
    return vessel.parameters


def fields_of(vessel: Dynamics) -> tuple[str, ...]:
    """Give the names of a vessel's parameters, which are a NamedTuple."""
    names: tuple[str, ...] = vessel.parameters._fields  # type: ignore[attr-defined]
    return names


def inertia_of(vessel: Dynamics) -> Floats | None:
    """Give M_RB + M_A (6, 6); None of a published model that fits it together with forces."""
    if is_coefficient_form(vessel):
        return mass_of(vessel).M
    if not set(fields_of(vessel)) >= APART:
        return None
    M_inv: Floats = vessel.parameters.M_inv  # type: ignore[attr-defined]
    return np.asarray(np.linalg.inv(M_inv), np.float64)


def mass_of(vessel: Dynamics) -> Mass:
    """Give the mass of a coefficient-form vessel, or of another that knows both parts."""
    if "M_RB" in fields_of(vessel):
        given: Any = vessel.parameters
        return Mass(given.M_RB, given.M_A)
    matrices = coefficients(vessel).matrices
    added, whole = matrices[at.ADDED], bool((matrices[at.KEEP] == 1).all())
    return Mass(matrices[at.MASS] - added if whole else matrices[at.MASS], added)


def jacobian(vessel: Dynamics, x: Floats, command: Floats, columns: list[int]) -> Floats:
    """Give the derivatives (12 + n, columns) of dx/dt, by central differences."""
    surroundings = vessel.surroundings()
    found = []
    for i in columns:
        h = STEP * max(1.0, abs(x[i]))
        ahead, behind = x.copy(), x.copy()
        ahead[i] += h
        behind[i] -= h
        rise = vessel.derivative(ahead, command, surroundings)
        fall = vessel.derivative(behind, command, surroundings)
        found.append((rise - fall) / (2 * h))
    return np.array(found).T


def state_at(vessel: Dynamics, speed: float) -> Floats:
    """Give the state of a vessel going ahead, level, with her actuators at zero."""
    x = np.zeros_like(vessel.initial)
    x[6] = speed
    return x


def rates_of_decay(vessel: Dynamics, speed: float) -> Floats:
    """Give -d(nu_dot)/d(nu) (6, 6) at a speed ahead [1/s and mixed], thrusters at rest."""
    command = np.zeros(len(vessel.commands))
    return -jacobian(vessel, state_at(vessel, speed), command, list(range(6, 12)))[NU]


def damping(vessel: Dynamics, speed: float) -> Floats:
    """Give the slope of the damping forces (6, 6) at a speed ahead, without Coriolis forces."""
    no_coriolis = without(vessel, at.CORIOLIS)
    slope: Floats = mass_of(vessel).M @ rates_of_decay(no_coriolis, speed)
    return slope


def without(vessel: Dynamics, *effects: int) -> Dynamics:
    """Give a coefficient-form vessel with scalars of ``layout`` set to 0, which turns them off."""
    p = coefficients(vessel)
    scalars = p.scalars.copy()
    scalars[list(effects)] = 0.0
    return replace(vessel, parameters=p._replace(scalars=scalars))


def eigenvalues(vessel: Dynamics, x: Floats, command: Floats) -> NDArray[np.complex128]:
    """Give the eigenvalues [1/s] of heave, roll, pitch and the velocities, actuators held.

    The slowest comes first, one of each conjugate pair.
    """
    A = jacobian(vessel, x, command, MOTION)[MOTION]
    values = np.linalg.eigvals(A).astype(np.complex128)
    values = values[values.imag >= 0]
    return values[np.lexsort((values.imag, -values.real))]


def natural_periods(vessel: Dynamics) -> dict[str, float]:
    """Give the undamped periods [s] of heave, roll and pitch that have a stiffness.

    Of a coefficient-form vessel 2 pi sqrt(M_ii / G_ii), the figures the field quotes; of another
    the same from its accelerations.
    """
    command = np.zeros(len(vessel.commands))
    K = -jacobian(vessel, state_at(vessel, 0.0), command, POSE)[NU]
    if is_coefficient_form(vessel):
        M = mass_of(vessel).M
        K = M @ K / np.diag(M)[:, np.newaxis]
    stiffness = K[[2, 3, 4], [0, 1, 2]]
    names = ("heave", "roll", "pitch")
    return {
        name: float(2 * np.pi / np.sqrt(k))
        for name, k in zip(names, stiffness, strict=True)
        if k > 1e-9
    }
