"""Compiled thrusters of the UUV Simulator's kind: a rotor's rate, and the thrust of its speed.

See ``vessel.actuators``, which is the same in plain functions.
"""

from __future__ import annotations

from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.layout import DRIVE, DRIVEN_LINEAR, DRIVEN_QUADRATIC, P
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.compiled import part

# after the thruster's axis
EFFICIENCY, THRUST_EFFICIENCY, THRUST_LOW, THRUST_HIGH, BY_TABLE = 3, 4, 5, 6, 7
LEFT, RIGHT, DELTA_LEFT, DELTA_RIGHT = 8, 9, 10, 11
FIRST_ROW, ROWS = 8, 9


@part
def rotor_rate(channels: Floats, row: int, omega: float, command: float) -> float:
    """Give A c - B omega - C omega |omega|: a first-order lag, Yoerger's rotor, or Bessa's."""
    drag = channels[row + DRIVEN_LINEAR] + channels[row + DRIVEN_QUADRATIC] * abs(omega)
    return float(channels[row + DRIVE] * command - drag * omega)


@part
def converted(E: Floats, tables: Floats, e: int, omega: float) -> float:
    """Give the thrust of a rotor's speed: efficiency, conversion, efficiency, limits."""
    k = e + P
    turning = E[k + EFFICIENCY] * omega
    if E[k + BY_TABLE] != 0.0:
        first, rows = int(E[k + FIRST_ROW]), int(E[k + ROWS])
        thrust = interpolated(tables, first, rows, turning, 1)
    else:
        square = turning * abs(turning)
        thrust = 0.0
        if square >= E[k + DELTA_RIGHT]:
            thrust = E[k + RIGHT] * (square - E[k + DELTA_RIGHT])
        elif square <= E[k + DELTA_LEFT]:
            thrust = E[k + LEFT] * (square - E[k + DELTA_LEFT])
    thrust *= E[k + THRUST_EFFICIENCY]
    return float(min(max(thrust, E[k + THRUST_LOW]), E[k + THRUST_HIGH]))
