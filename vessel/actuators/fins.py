"""Fins: lift and drag of a small foil in the local flow.

The fin's frame has its chord along x, its normal along y, its span along z; (v_x, v_y) is the fin's
velocity through the water in it. Angles are folded into +-90 degrees: astern, the fin acts as
ahead.

The range and rate of a fin's angle are limited in ``fossen.commands`` and ``fossen.actuation``.

Source: Gazebo's lift and drag plugin (two lines approximation), as the UUV Simulator documents it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.formula import formula

Number = TypeVar("Number", float, Array)


class Fin(Protocol):
    """Interface of both fin models."""

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Return F_x, F_y [N] in the fin's frame, for velocities [m/s] of any shape."""


def angle_of_attack(v_x: ArrayLike, v_y: ArrayLike, a0: float = 0.0) -> Array:
    """Return the angle of attack [rad]; ``a0`` is that in a flow along the chord."""
    flow = np.arctan2(np.asarray(v_y, np.float64), np.asarray(v_x, np.float64))
    each = np.vectorize(folded, otypes=[np.float64])
    found: Array = each(each(flow) + a0)
    return found


@formula
def folded(angle: float) -> float:
    """Return an angle of up to 270 degrees folded into +-90 [rad], with the edges exchanged."""
    if angle > 0.5 * pi:
        return angle - pi
    return angle + pi if angle < -0.5 * pi else angle


@dataclass(frozen=True)
class TwoLines:
    """Lift and drag with two linear ranges each, below and beyond stall.

    Attributes:
        area: [m²]. density: density of the water [kg/m³].
        a0: angle of attack in a flow along the chord [rad].
        stall: stall angle [rad].
        cla, cla_stall: slope of lift below and beyond stall [1/rad].
        cda, cda_stall: slope of drag likewise [1/rad].
        as_coded: as coded in the UUV Simulator: drag is negative at negative angles, lift below
            -stall uses the slope of drag, and may change its sign.
    """

    area: float
    a0: float
    stall: float
    cla: float
    cla_stall: float
    cda: float
    cda_stall: float
    density: float = 1028.0
    as_coded: bool = False

    def __post_init__(self) -> None:
        if not (self.area > 0.0 and self.density > 0.0 and self.stall > 0.0):
            given = f"area {self.area:g}, density {self.density:g}, stall {self.stall:g}"
            raise InvalidValue(f"{given}: expected numbers above zero")

    def coefficients(self, alpha: ArrayLike) -> tuple[Array, Array]:
        """Return CL and CD for angles of attack [rad]."""
        slopes = self.cla, self.cla_stall, self.cda, self.cda_stall
        lines = np.vectorize(two_lines, otypes=[np.float64, np.float64])
        cl, cd = lines(np.asarray(alpha, np.float64), self.stall, *slopes, self.as_coded)
        return cl, cd

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Return F_x, F_y [N]."""
        cl, cd = self.coefficients(angle_of_attack(v_x, v_y, self.a0))
        scale = 0.5 * self.density * self.area
        return _along_flow(scale * cl, scale * cd, v_x, v_y)


@dataclass(frozen=True)
class QuadraticFin:
    """Lift linear in the angle, drag quadratic.

    Attributes:
        lift_constant: [N s²/(m² rad)]. drag_constant: [N s²/(m² rad²)].
    """

    lift_constant: float
    drag_constant: float

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Return F_x, F_y [N]."""
        angle = angle_of_attack(v_x, v_y)
        return _along_flow(self.lift_constant * angle, self.drag_constant * angle**2, v_x, v_y)


def _along_flow(lift: Array, drag: Array, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
    """Return forces of lift and drag given per squared speed."""
    x, y = np.asarray(v_x, np.float64), np.asarray(v_y, np.float64)
    F_x, F_y = along_flow(lift, drag, np.hypot(x, y), x, y)
    return F_x, F_y


@formula
def two_lines(
    alpha: float,
    stall: float,
    cla: float,
    cla_stall: float,
    cda: float,
    cda_stall: float,
    as_coded: bool,
) -> tuple[float, float]:
    """Return CL and CD for an angle of attack [rad]; see ``TwoLines``."""
    size, sign = abs(alpha), 1.0 if alpha >= 0.0 else -1.0
    if size <= stall:
        cl, cd = cla * size, cda * size
    else:
        slope = cda_stall if as_coded and sign < 0.0 else cla_stall
        cl = cla * stall + slope * (size - stall)
        cd = cda * stall + cda_stall * (size - stall)
        if not as_coded:
            cl, cd = max(cl, 0.0), abs(cd)
    return sign * cl, sign * cd if as_coded else cd


@formula
def along_flow(
    lift: Number, drag: Number, speed: Number, v_x: Number, v_y: Number
) -> tuple[Number, Number]:
    """Return F_x, F_y [N] of lift and drag, perpendicular and opposite to the motion.

    Args:
        lift, drag: forces per squared speed [N s²/m²].
        speed, v_x, v_y: speed through the water, and its components in the fin's frame [m/s].
    """
    return speed * (lift * v_y - drag * v_x), -speed * (lift * v_x + drag * v_y)
