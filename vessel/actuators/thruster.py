"""Complete thruster model, from command to thrust.

Command, limited, times gain (0 while off) -> rotor -> times propeller efficiency ->
conversion -> times thrust efficiency, limited. Source: the UUV Simulator's thruster plugin.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from steerageway.vessel.actuators.conversion import Conversion
from steerageway.vessel.actuators.rotors import Rotor, ZeroOrder
from steerageway.vessel.errors import InvalidValue

NO_CLAMP = (0.0, 0.0)


@dataclass(frozen=True)
class Thruster:
    """A chain of command limits, rotor, conversion and thrust limits.

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
