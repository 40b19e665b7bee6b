"""Thrusters: from rotor speed to thrust in water at rest (quadratic, dead zone, table), and whole.

Source: M. M. M. Manhães et al. (2016), "UUV Simulator", OCEANS; the dead zone after W. M. Bessa,
M. S. Dutra, E. Kreuzer (2013), "Dynamic positioning of underwater robotic vehicles with thruster
dynamics compensation".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.actuators.rotors import Rotor, ZeroOrder
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.formula import formula

NO_CLAMP = (0.0, 0.0)


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


@dataclass(frozen=True)
class Thruster:
    """A chain of command limits, rotor, conversion and thrust limits.

    Command, limited, times gain (0 while off) -> rotor -> times propeller efficiency ->
    conversion -> times thrust efficiency, limited. Source: the UUV Simulator's thruster plugin.

    Attributes:
        conversion: thrust from the rotor's speed.
        rotor: dynamics of the rotor.
        clamp: minimum and maximum command; two zeros: unlimited.
        gain: gain of the command.
        propeller_efficiency: factor on the rotor speed for the conversion, 0 to 1.
        thrust_efficiency: factor on the thrust, 0 to 1.
        thrust_clamp: minimum and maximum thrust [N]; two zeros: unlimited.
    """

    conversion: Conversion
    rotor: Rotor = field(default_factory=ZeroOrder)
    clamp: tuple[float, float] = NO_CLAMP
    gain: float = 1.0
    propeller_efficiency: float = 1.0
    thrust_efficiency: float = 1.0
    thrust_clamp: tuple[float, float] = NO_CLAMP

    def __post_init__(self) -> None:
        for name, (low, high) in (("clamp", self.clamp), ("thrust_clamp", self.thrust_clamp)):
            if (low, high) != NO_CLAMP and not low < high:
                raise InvalidValue(f"{name} {low:g}, {high:g}: expected the lesser one first")
        for name in ("propeller_efficiency", "thrust_efficiency"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InvalidValue(f"{name} {getattr(self, name):g}: expected 0 to 1")

    def step(
        self, omega: float, command: float, dt: float, *, on: bool = True
    ) -> tuple[float, float]:
        """Return the rotor speed [rad/s] after a step of ``dt`` [s], and the thrust [N] then."""
        wanted = self.gain * _clamped(command, self.clamp) if on else 0.0
        omega = self.rotor.step(omega, wanted, dt)
        return omega, self.thrust(omega)

    def thrust(self, omega: float) -> float:
        """Return the thrust [N] for a rotor speed [rad/s]."""
        force = float(self.conversion.thrust(self.propeller_efficiency * omega))
        return _clamped(self.thrust_efficiency * force, self.thrust_clamp)


def _clamped(value: float, limits: tuple[float, float]) -> float:
    low, high = limits
    return value if limits == NO_CLAMP else min(max(value, low), high)
