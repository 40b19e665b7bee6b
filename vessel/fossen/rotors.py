"""Compiled thrusters of the UUV Simulator's kind: a rotor's rate, and the thrust of its speed.

See ``vessel.actuators``, which is the same in plain functions.
"""

from __future__ import annotations

from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.layout import Record
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.compiled import part


@part
def rotor_rate(channel: Record, omega: float, command: float) -> float:
    """Give A c - B omega - C omega |omega|: a first-order lag, Yoerger's rotor, or Bessa's."""
    drag = channel.drag_linear + channel.drag_quadratic * abs(omega)
    return float(channel.drive * command - drag * omega)


@part
def converted(E: Record, tables: Floats, omega: float) -> float:
    """Give the thrust of a rotor's speed: efficiency, conversion, efficiency, limits."""
    turning = E.propeller_efficiency * omega
    if E.rows > 0:
        thrust = interpolated(tables, E.first_row, E.rows, turning, 1)
    else:
        square = turning * abs(turning)
        thrust = 0.0
        if square >= E.delta_right:
            thrust = E.right * (square - E.delta_right)
        elif square <= E.delta_left:
            thrust = E.left * (square - E.delta_left)
    thrust *= E.thrust_efficiency
    return float(min(max(thrust, E.thrust_min), E.thrust_max))
