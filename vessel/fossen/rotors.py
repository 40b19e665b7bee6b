"""Compiled thrusters of the UUV Simulator: rotor dynamics, and conversion of speed to thrust.

The formulas are in ``vessel.actuators``.
"""

from __future__ import annotations

from steerageway.vessel import bounds
from steerageway.vessel.actuators import conversion, rotors
from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.layout import Record
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.compiled import part

rotor_rate = part(rotors.rotor_rate)
within = part(bounds.within)
signed_square_thrust = part(conversion.signed_square_thrust)


@part
def converted(E: Record, tables: Floats, omega: float) -> float:
    """Return the thrust for a rotor's speed: efficiency, conversion, efficiency, limits."""
    turning = E.propeller_efficiency * omega
    if E.rows > 0:
        thrust = interpolated(tables, E.first_row, E.rows, turning, 1)
    else:
        thrust = signed_square_thrust(turning, E.left, E.right, E.delta_left, E.delta_right)
    thrust *= E.thrust_efficiency
    return float(within(thrust, E.thrust_min, E.thrust_max))
