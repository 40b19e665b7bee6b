"""Conversion of rotor speed to thrust in water at rest: quadratic, dead zone, table.

Source: M. M. M. Manhães et al. (2016), "UUV Simulator", OCEANS; the dead zone after W. M. Bessa,
M. S. Dutra, E. Kreuzer (2013), "Dynamic positioning of underwater robotic vehicles with thruster
dynamics compensation".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.formula import formula


class Conversion(Protocol):
    """Interface of the three conversions."""

    def thrust(self, omega: ArrayLike) -> Array:
        """Return the thrust [N] for speeds [rad/s] of any shape."""


@dataclass(frozen=True)
class Basic:
    """Thrust proportional to the signed square of the speed.

    Attributes:
        rotor_constant: thrust coefficient [N/(rad/s)²], above zero.
    """

    rotor_constant: float

    def __post_init__(self) -> None:
        if not self.rotor_constant > 0.0:
            raise InvalidValue(f"rotor_constant {self.rotor_constant:g}: expected above zero")

    def thrust(self, omega: ArrayLike) -> Array:
        """Return c omega |omega|."""
        return _thrusts(omega, self.rotor_constant, self.rotor_constant, 0.0, 0.0)


@dataclass(frozen=True)
class DeadZone:
    """Thrust proportional to the signed square s = omega |omega|, beyond a dead zone.

    Attributes:
        left, right: thrust coefficients astern and ahead [N/(rad/s)²], 0 or more.
        delta_left, delta_right: limits of the dead zone, delta_left <= 0 <= delta_right
            [(rad/s)²].
    """

    left: float
    right: float
    delta_left: float
    delta_right: float

    def __post_init__(self) -> None:
        if self.left < 0.0 or self.right < 0.0:
            raise InvalidValue(f"constants {self.left:g}, {self.right:g}: expected 0 or more")
        if not self.delta_left <= 0.0 <= self.delta_right:
            ends = f"{self.delta_left:g} to {self.delta_right:g}"
            raise InvalidValue(f"dead zone {ends}: expected one with 0 in it")

    def thrust(self, omega: ArrayLike) -> Array:
        """Return the thrust beyond the dead zone, 0 inside."""
        return _thrusts(omega, self.left, self.right, self.delta_left, self.delta_right)


@dataclass(frozen=True)
class Interpolated:
    """Thrust by a table, linear between its rows, constant beyond them.

    Attributes:
        inputs: speeds [rad/s], ascending.
        outputs: thrusts [N].
    """

    inputs: Sequence[float]
    outputs: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.outputs) or len(self.inputs) < 2:
            sizes = f"{len(self.inputs)} inputs, {len(self.outputs)} outputs"
            raise InvalidValue(f"{sizes}: expected as many of each, two or more")
        if any(a >= b for a, b in pairwise(self.inputs)):
            raise InvalidValue(f"inputs {list(self.inputs)}: expected ascending numbers")

    def thrust(self, omega: ArrayLike) -> Array:
        """Return the interpolated thrust."""
        force: Array = np.interp(np.asarray(omega, np.float64), self.inputs, self.outputs)
        return force


@formula
def signed_square_thrust(
    omega: float, left: float, right: float, delta_left: float, delta_right: float
) -> float:
    """Return the thrust [N] for a speed [rad/s]; see ``DeadZone``."""
    square = omega * abs(omega)
    if square >= delta_right:
        return right * (square - delta_right)
    return left * (square - delta_left) if square <= delta_left else 0.0


def _thrusts(omega: ArrayLike, *constants: float) -> Array:
    each = np.vectorize(signed_square_thrust, otypes=[np.float64])
    forces: Array = each(np.asarray(omega, np.float64), *constants)
    return forces
