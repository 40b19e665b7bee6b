"""PID controller of one velocity, for surge speed or yaw rate.

Source: the Unity thesis' automatic velocity control (its section 4.4.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from steerageway.vessel.errors import InvalidValue


@dataclass(frozen=True)
class VelocityGains:
    """Gains of one loop.

    Attributes:
        kp: [N s/m, N m s/rad]. ki: [N/m, N m/rad]. kd: [kg, kg m²].
        limit: of the force, and of its integral term [N, N m].
    """

    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    limit: float = inf

    def __post_init__(self) -> None:
        if min(self.kp, self.ki, self.kd) < 0.0 or not self.limit > 0.0:
            given = f"kp {self.kp:g}, ki {self.ki:g}, kd {self.kd:g}, limit {self.limit:g}"
            raise InvalidValue(f"{given}: expected gains of 0 or more, and a limit above zero")


class VelocityController:
    """PID controller of a velocity."""

    def __init__(self, gains: VelocityGains) -> None:
        self.gains = gains
        self.reset()

    def reset(self) -> None:
        """Reset the integral and the last velocity."""
        self._integral = 0.0
        self._last: float | None = None

    def step(self, velocity: float, wanted: float, dt: float) -> float:
        """Return the force [N, N m]; the derivative acts on the velocity, not on the error."""
        gains, error = self.gains, wanted - velocity
        rate = 0.0 if self._last is None or dt <= 0.0 else (velocity - self._last) / dt
        self._last = velocity
        if gains.ki > 0.0:
            most = gains.limit / gains.ki
            self._integral = min(max(self._integral + dt * error, -most), most)
        tau = gains.kp * error + gains.ki * self._integral - gains.kd * rate
        return min(max(tau, -gains.limit), gains.limit)
