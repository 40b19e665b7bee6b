"""Actuators of underwater vehicles: rotors, thrust of their speed, whole thrusters, fins.

Plain functions of NumPy, to look at and to compare with; ``vessel.fossen.rotors`` and
``vessel.fossen.fins`` are the same, compiled, for vessels that step.
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
    "Basic",
    "Bessa",
    "Conversion",
    "DeadZone",
    "Fin",
    "FirstOrder",
    "Interpolated",
    "QuadraticFin",
    "Rotor",
    "Thruster",
    "TwoLines",
    "Yoerger",
    "ZeroOrder",
    "time_constant",
]
