"""Adaptive integration by SciPy, for validation of the fixed-step schemes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue, NotFinite
from steerageway.vessel.fossen.dynamics import Dynamics, Floats

STEPPER = "DOP853"


def adaptive(
    vessel: Dynamics,
    x: ArrayLike,
    command: ArrayLike,
    surroundings: Floats,
    seconds: float,
    tolerance: float = 1e-10,
) -> Floats:
    """Return the state (12 + n,) after a time with inputs held constant, to a given tolerance.

    Operations at the start or end of each step (actuator limiters, clipping as in references)
    are omitted, as there are no such steps. The pose is in Euler angles.

    Args:
        x, command, surroundings: see ``Dynamics.step``.
        seconds: duration [s].
        tolerance: local error tolerance, relative and absolute.

    Raises:
        InvalidValue: invalid shapes, or seconds or tolerance not above zero.
        NotFinite: the integration failed; carries the last good state.
        ImportError: SciPy is not installed.

    Source: Hairer, Nørsett and Wanner (1993), order 8, as SciPy's solve_ivp has it.
    """
    from scipy.integrate import solve_ivp  # type: ignore[import-untyped]

    if not (seconds > 0 and tolerance > 0):
        raise InvalidValue(
            f"seconds {seconds:g}, tolerance {tolerance:g}: expected numbers above zero"
        )
    start = np.array(x, np.float64)
    vessel.derivative(start, command, surroundings)
    run = solve_ivp(
        lambda _, state: vessel.derivative(state, command, surroundings),
        (0.0, seconds),
        start,
        method=STEPPER,
        rtol=tolerance,
        atol=tolerance,
    )
    last: Floats = np.ascontiguousarray(run.y[:, -1])
    if not run.success or not np.isfinite(last).all():
        raise NotFinite(last, f"{vessel.name}, integrating adaptively: {run.message}")
    return last
