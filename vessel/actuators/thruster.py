"""A whole thruster, from its command to its thrust.

Command, clamped, times gain (0 while it is off) -> rotor -> times propeller efficiency ->
conversion -> times thrust efficiency, clamped. Source: the UUV Simulator's thruster plugin.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from steerageway.vessel.actuators.conversion import Conversion
from steerageway.vessel.actuators.rotors import Rotor, ZeroOrder
from steerageway.vessel.errors import InvalidValue

NO_CLAMP = (0.0, 0.0)


@dataclass(frozen=True)
class Thruster:
    """A thruster's chain of parts.

    Attributes:
        conversion: thrust by the rotor's speed.
        rotor: how the speed follows the command.
        clamp: least and greatest command; two zeros: any.
        gain: of the command.
        propeller_efficiency: a share of the rotor's speed, 0 to 1; the rotor itself keeps its own.
        thrust_efficiency: a share of the thrust, 0 to 1.
        thrust_clamp: least and greatest thrust [N]; two zeros: any.
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
        """Return the rotor's speed [rad/s] a step of ``dt`` [s] later, and the thrust [N] then."""
        wanted = self.gain * _clamped(command, self.clamp) if on else 0.0
        omega = self.rotor.step(omega, wanted, dt)
        return omega, self.thrust(omega)

    def thrust(self, omega: float) -> float:
        """Return the thrust [N] of a rotor's speed [rad/s]."""
        force = float(self.conversion.thrust(self.propeller_efficiency * omega))
        return _clamped(self.thrust_efficiency * force, self.thrust_clamp)


def _clamped(value: float, limits: tuple[float, float]) -> float:
    low, high = limits
    return value if limits == NO_CLAMP else min(max(value, low), high)
