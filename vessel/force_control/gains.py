"""PID gains of one degree of freedom, and pole placement."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control.lqr import lqr
from steerageway.vessel.force_control.velocity import VelocityGains

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


def placed_velocity(
    mass: float, damping: float, bandwidth: float, limit: float = inf
) -> VelocityGains:
    """Return the gains of a velocity with both poles of m s² + (d + kp) s + ki at -bandwidth.

    Damping above 2 m bandwidth needs no kp: then ki places the slow pole there, and the other one
    is faster.

    Args: as for ``placed``.
    """
    kp = 2.0 * bandwidth * mass - damping
    if kp >= 0.0:
        return VelocityGains(kp, bandwidth**2 * mass, 0.0, limit)
    return VelocityGains(0.0, bandwidth * (damping - bandwidth * mass), 0.0, limit)


def regulated(
    mass: float, damping: float, bandwidth: float, limit: float = inf, *, velocity: bool = False
) -> AxisGains | VelocityGains:
    """Return the gains of least cost, of a position or a velocity, with integral.

    The weights follow Bryson's rule: the same cost have a force and the error that it makes good in
    the time 1/bandwidth: v of m bandwidth v, position of m bandwidth² x, its integral of m
    bandwidth³. For a velocity without damping that is ki = m bandwidth², kp = sqrt(3) m bandwidth.

    Source: Bryson and Ho (1975), Applied Optimal Control, section 5.2, for the rule.
    """
    order = 2 if velocity else 3
    A = np.diag(np.ones(order - 1), 1)
    A[-1, -1] = -damping / mass
    B = np.zeros((order, 1))
    B[-1] = 1.0 / mass
    Q = np.diag([(mass * bandwidth ** (order - i)) ** 2 for i in range(order)])
    gains = np.maximum(lqr(A, B, Q, np.eye(1))[0], 0.0).tolist()
    if velocity:
        return VelocityGains(gains[1], gains[0], 0.0, limit)
    return AxisGains(gains[1], gains[2], gains[0], limit)
