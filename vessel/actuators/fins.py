"""Fins: lift and drag of a small foil in the flow that it meets.

The fin's frame has its chord along x, its normal along y, its span along z; (v_x, v_y) is the fin's
velocity through the water in it. Angles are folded into +-90 degrees: astern, the fin is what it is
ahead.

Source: Gazebo's lift and drag plugin (two lines approximation), as the UUV Simulator documents it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array


class Fin(Protocol):
    """What both do."""

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Give F_x, F_y [N] in the fin's frame, of velocities [m/s] of any shape."""


def angle_of_attack(v_x: ArrayLike, v_y: ArrayLike, a0: float = 0.0) -> Array:
    """Give the angle of attack [rad] of a fin that has ``a0`` in a flow along its chord."""
    angle = np.arctan2(np.asarray(v_y, np.float64), np.asarray(v_x, np.float64))
    return _folded(_folded(angle) + a0)


def _folded(angle: Array) -> Array:
    """Give angles of -270 to 270 degrees within +-90: from there on, the edges change places."""
    turned = np.where(angle < -np.pi / 2, angle + np.pi, angle)
    found: Array = np.where(angle > np.pi / 2, angle - np.pi, turned)
    return found


@dataclass(frozen=True)
class TwoLines:
    """Lift and drag as two lines each, below and beyond stall.

    Attributes:
        area: [m²]. density: of the water [kg/m³].
        a0: angle of attack at no flow angle [rad].
        stall: [rad].
        cla, cla_stall: slope of the lift below stall and beyond [1/rad].
        cda, cda_stall: of the drag.
        as_coded: as the UUV Simulator computes it: drag is negative at negative angles, lift below
            -stall goes by the slope of the drag, and may change its sign.
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
        """Give CL and CD of angles of attack [rad]."""
        a = np.asarray(alpha, np.float64)
        if self.as_coded:
            return self._as_coded(a)
        size, sign = np.abs(a), np.sign(a)
        beyond = np.maximum(size - self.stall, 0.0)
        within = np.minimum(size, self.stall)
        lift = self.cla * within + self.cla_stall * beyond
        lift = np.where(beyond > 0.0, np.maximum(lift, 0.0), lift)
        drag = self.cda * within + self.cda_stall * beyond
        return sign * lift, np.where(beyond > 0.0, np.abs(drag), drag)

    def _as_coded(self, a: Array) -> tuple[Array, Array]:
        within = np.clip(a, -self.stall, self.stall)
        beyond = a - within
        slope = np.where(a > 0.0, self.cla_stall, self.cda_stall)
        return self.cla * within + slope * beyond, self.cda * within + self.cda_stall * beyond

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Give F_x, F_y [N]."""
        cl, cd = self.coefficients(angle_of_attack(v_x, v_y, self.a0))
        scale = 0.5 * self.density * self.area
        return _along_flow(scale * cl, scale * cd, v_x, v_y)


@dataclass(frozen=True)
class QuadraticFin:
    """Lift by the angle, drag by its square.

    Attributes:
        lift_constant: [N s²/(m² rad)]. drag_constant: [N s²/(m² rad²)].
    """

    lift_constant: float
    drag_constant: float

    def force(self, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
        """Give F_x, F_y [N]."""
        angle = angle_of_attack(v_x, v_y)
        return _along_flow(self.lift_constant * angle, self.drag_constant * angle**2, v_x, v_y)


def _along_flow(lift: Array, drag: Array, v_x: ArrayLike, v_y: ArrayLike) -> tuple[Array, Array]:
    """Give forces of lift and drag per squared speed, which are across and against the motion."""
    x, y = np.asarray(v_x, np.float64), np.asarray(v_y, np.float64)
    speed = np.hypot(x, y)
    return speed * (lift * y - drag * x), -speed * (lift * x + drag * y)
