"""Actuator models of underwater vehicles: rotors, thrust conversion, thrusters, fins.

Plain NumPy functions for inspection and comparison; ``vessel.fossen.actuation`` has their compiled
versions in stepped vessels.
"""

from steerageway.vessel.actuators.conversion import Basic, Conversion, DeadZone, Interpolated
from steerageway.vessel.actuators.fins import Fin, QuadraticFin, TwoLines
from steerageway.vessel.actuators.rotors import (
    Bessa,
    FirstOrder,
    Rotor,
    Yoerger,
    ZeroOrder,
    time_constant,
)
from steerageway.vessel.actuators.thruster import Thruster

__all__ = [
    "Basic", "Bessa", "Conversion", "DeadZone", "Fin", "FirstOrder", "Interpolated",
    "QuadraticFin", "Rotor", "Thruster", "TwoLines", "Yoerger", "ZeroOrder", "time_constant",
]  # fmt: skip
