"""PID gains of one degree of freedom, and pole placement."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from steerageway.vessel.errors import InvalidValue

INTEGRAL = 0.1  # ki over kp, as a fraction of the bandwidth


@dataclass(frozen=True)
class AxisGains:
    """Gains of one degree of freedom.

    Attributes:
        kp: [N/m, N m/rad]. kd: [N s/m, N m s/rad]. ki: [N/(m s), N m/(rad s)].
        limit: of the force, and of its integral term [N, N m].
    """

    kp: float = 0.0
    kd: float = 0.0
    ki: float = 0.0
    limit: float = inf

    def __post_init__(self) -> None:
        if min(self.kp, self.kd, self.ki) < 0.0 or not self.limit > 0.0:
            given = f"kp {self.kp:g}, kd {self.kd:g}, ki {self.ki:g}, limit {self.limit:g}"
            raise InvalidValue(f"{given}: expected gains of 0 or more, and a limit above zero")


def placed(
    mass: float, damping: float, bandwidth: float, ratio: float = 1.0, limit: float = inf
) -> AxisGains:
    """Return the gains for a mass with linear damping, by pole placement.

    Args:
        mass: with added mass [kg, kg m²]. damping: [N s/m, N m s/rad], 0 or more.
        bandwidth: natural frequency of the closed loop [rad/s]. ratio: its relative damping.

    Source: Fossen (2021), section 15.3.4, pole placement algorithm for PID.
    """
    kp = mass * bandwidth**2
    kd = max(2.0 * ratio * bandwidth * mass - damping, 0.0)
    return AxisGains(kp, kd, INTEGRAL * bandwidth * kp, limit)
