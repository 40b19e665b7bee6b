"""Actuator models of underwater vehicles: rotors, thrust conversion, thrusters, fins.

Plain NumPy functions for inspection and comparison; ``vessel.fossen.actuation`` has their compiled
versions in stepped vessels.
"""

from steerageway.vessel.actuators.conversion import (
    Basic,
    Conversion,
    DeadZone,
    Interpolated,
    Thruster,
)
from steerageway.vessel.actuators.fins import Fin, QuadraticFin, TwoLines
from steerageway.vessel.actuators.rotors import (
    Bessa,
    FirstOrder,
    Rotor,
    Yoerger,
    ZeroOrder,
    time_constant,
)

__all__ = [
    "Basic", "Bessa", "Conversion", "DeadZone", "Fin", "FirstOrder", "Interpolated",
    "QuadraticFin", "Rotor", "Thruster", "TwoLines", "Yoerger", "ZeroOrder", "time_constant",
]  # fmt: skip
