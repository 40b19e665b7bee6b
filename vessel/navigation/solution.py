"""Solution of the navigation filter for the vessel's CO, with standard deviations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from steerageway.vessel.kinematics import Smat, eul_to_rotm
from steerageway.vessel.navigation.estimate import Array
from steerageway.world.constants import NANO

_POSITION, _VELOCITY, _ATTITUDE, _CURRENT = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 11)


@dataclass(frozen=True)
class Solution:
    """Estimated pose and velocity of the vessel, with covariance.

    Attributes:
        time: [ns].
        position: (3,) in NED [m]. velocity: (3,) over ground, in NED [m/s].
        attitude: (3,) roll, pitch, yaw [rad]. rate: (3,) angular velocity in BODY [rad/s].
        current: (2,) of the water, north and east [m/s].
        covariance: (11, 11) of the errors of position, velocity, attitude (a rotation vector in
            BODY) and current.
    """

    time: int
    position: Array
    velocity: Array
    attitude: Array
    rate: Array
    current: Array
    covariance: Array

    def at(self, now: int) -> Solution:
        """Return the solution predicted to a time [ns], with constant velocity and yaw rate.

        The covariance is not changed. For an earlier time than its own it is returned unchanged.
        """
        time = max(now, self.time)
        ahead = (time - self.time) / NANO
        turn = ahead * (self._R @ self.rate)[2]
        return replace(
            self,
            time=time,
            position=self.position + ahead * self.velocity,
            attitude=self.attitude + np.array([0.0, 0.0, turn]),
        )

    @property
    def position_std(self) -> Array:
        """Standard deviations (3,) in NED [m]."""
        return np.sqrt(np.diagonal(self.covariance)[_POSITION])

    @property
    def attitude_std(self) -> Array:
        """Standard deviations (3,) of roll, pitch and yaw [rad], for small roll and pitch."""
        level = eul_to_rotm([self.attitude[0], self.attitude[1], 0.0])
        return np.sqrt(np.diagonal(level @ self.covariance[_ATTITUDE, _ATTITUDE] @ level.T))

    @property
    def speed(self) -> float:
        """Surge speed through the water [m/s]; over ground if no sensor measures the current."""
        return float(self._through_water[0])

    @property
    def speed_std(self) -> float:
        """Standard deviation of the speed [m/s]."""
        ahead = self._R[:, 0]
        H = np.zeros(len(self.covariance))
        H[_VELOCITY], H[_CURRENT] = ahead, -ahead[:2]
        H[_ATTITUDE] = Smat(self._through_water)[0]
        return float(np.sqrt(H @ self.covariance @ H))

    @cached_property
    def _R(self) -> Array:
        return eul_to_rotm(self.attitude)

    @cached_property
    def _through_water(self) -> Array:
        """The velocity through the water in BODY (3,)."""
        through: Array = self._R.T @ (self.velocity - np.append(self.current, 0.0))
        return through
