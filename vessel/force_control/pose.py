"""PID controller of pose in selected degrees of freedom, some of them by velocity.

tau = -K_p R' e - K_d (nu - nu_d) - K_i R' (integral of e), with the position error and its integral
in NED, so that the integral that balances a current remains valid while the vessel turns. For a
degree of freedom controlled by velocity, the integral of the velocity error replaces the position
error.

Source: Fossen (2021), section 15.3, equations 15.100 to 15.103.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from steerageway.vessel.force_control.gains import AxisGains
from steerageway.vessel.kinematics import Array, eul_to_rotm


@dataclass(frozen=True)
class Reference:
    """The setpoint.

    Attributes:
        pose: (6,) NED [m, rad].
        velocity: (6,) in BODY [m/s, rad/s].
        by_velocity: indices 0 to 5 of the degrees of freedom controlled by velocity only.
    """

    pose: Array
    velocity: Array
    by_velocity: tuple[int, ...] = ()


class PoseController:
    """PID controller of a pose.

    Attributes:
        gains: by index 0 to 5 of a degree of freedom; the others are not controlled.
    """

    def __init__(self, gains: Mapping[int, AxisGains]) -> None:
        self.gains = dict(gains)
        blank = AxisGains()
        rows = [self.gains.get(i, blank) for i in range(6)]
        self._kp, self._kd, self._ki = (
            np.array([getattr(row, key) for row in rows]) for key in ("kp", "kd", "ki")
        )
        self._limit = np.array([row.limit for row in rows])
        self._active = np.array([i in self.gains for i in range(6)], np.float64)
        self._level = not ({3, 4} & set(self.gains))
        self.reset()

    def reset(self) -> None:
        """Reset the integrals."""
        self._sum = np.zeros(6)  # integral of the pose error, position in NED
        self._run = np.zeros(6)  # integral of the velocity error, in BODY

    def step(
        self, eta: Array, nu: Array, wanted: Reference, dt: float, forward: Array | None = None
    ) -> Array:
        """Return tau (6,) [N, N m] for a step of ``dt`` [s].

        Args:
            eta, nu: (6,) pose and velocity. forward: (6,) feedforward force.
        """
        # If roll and pitch are not controlled, surge and sway are taken as horizontal.
        R = eul_to_rotm(np.array([0.0, 0.0, eta[5]]) if self._level else eta[3:])
        error = eta - wanted.pose
        error[3:] = (error[3:] + np.pi) % (2.0 * np.pi) - np.pi
        slip = nu - wanted.velocity
        moving = np.isin(np.arange(6), wanted.by_velocity)
        near = np.where(moving, 0.0, np.concatenate((R.T @ error[:3], error[3:])))
        self._sum += dt * np.concatenate((R @ near[:3], near[3:]))
        self._run = np.where(moving, self._run + dt * slip, 0.0)
        self._hold_back(R)
        steady = self._ki * np.concatenate((R.T @ self._sum[:3], self._sum[3:]))
        tau = -self._kp * (near + self._run) - self._kd * slip - steady
        tau += 0.0 if forward is None else forward
        bounded: Array = self._active * np.minimum(np.maximum(tau, -self._limit), self._limit)
        return bounded

    def _hold_back(self, R: Array) -> None:
        """Limit each integral's force to that of its degree of freedom (anti-windup)."""
        body = np.concatenate((R.T @ self._sum[:3], self._sum[3:]))
        most = np.where(self._ki > 0.0, self._limit / np.where(self._ki > 0.0, self._ki, 1.0), 0.0)
        body = np.minimum(np.maximum(body, -most), most)
        self._sum = np.concatenate((R @ body[:3], body[3:]))
        full = np.where(self._kp > 0.0, self._limit / np.where(self._kp > 0.0, self._kp, 1.0), 0.0)
        self._run = np.minimum(np.maximum(self._run, -full), full)
