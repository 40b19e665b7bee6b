"""Velocity estimate from a sequence of poses: differences, smoothed by a first-order filter."""

from __future__ import annotations

from math import exp, inf

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array, eul_rate_matrix, eul_to_rotm


class MotionEstimate:
    """Pose and velocity of a vessel, estimated from its poses.

    Attributes:
        eta: (6,) the last pose, NED [m, rad].
        nu: (6,) velocity over ground in BODY [m/s, rad/s].
    """

    def __init__(self, time_constant: float = 0.5) -> None:
        if not time_constant >= 0.0:
            raise InvalidValue(f"time constant {time_constant:g}: expected 0 or more [s]")
        self._constant = time_constant
        self.eta: Array = np.zeros(6)
        self.nu: Array = np.zeros(6)
        self._time = -inf

    def tell(self, eta: Array, time: float) -> None:
        """Update with a pose (6,) at a time [s]; a time not after the last one is ignored."""
        dt = time - self._time
        if dt > 0.0:
            if self._time > -inf:
                change = eta - self.eta
                change[3:] = (change[3:] + np.pi) % (2.0 * np.pi) - np.pi
                kept = exp(-dt / self._constant) if self._constant > 0.0 else 0.0
                rates = change / dt
                middle = self.eta + 0.5 * change
                found = np.concatenate(
                    (
                        eul_to_rotm(middle[3:]).T @ rates[:3],
                        np.linalg.solve(eul_rate_matrix(middle[3:]), rates[3:]),
                    )
                )
                self.nu = kept * self.nu + (1.0 - kept) * found
            self.eta, self._time = eta.copy(), time
