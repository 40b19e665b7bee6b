"""Trials of dynamic stability on the course: spiral, reverse spiral and pull-out.

Source: ITTC 7.5-04-02-01 (2021), full scale manoeuvring trials, for the definitions.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import R_
from steerageway.vessel.tools.trials import DT, SAMPLE
from steerageway.world.arrays import Floats

SPIRAL = (100, 60, 30, 15, 5, 0, -5, -15, -30, -60, -100, -60, -30, -15, -5, 0, 5, 15, 30, 60, 100)
"""Rudder orders of a spiral [%]: to one side and back, so that two branches show."""
CHECK = 20.0  # time between two looks at the yaw rate [s]
STEADY = 1e-3  # change of the yaw rate between them, relative to the largest
MOST = 60  # looks for one rudder angle
RATES = (80, 60, 40, 20, 10, 0, -10, -20, -40, -60, -80)
"""Yaw rates of a reverse spiral, in per cent of that at full rudder."""
STILL = 0.05  # change of the rudder between two looks, when a yaw rate is held [%]
TURNING = 75.0  # rudder of a pull-out before it is put amidships [%]


def spiral(vessel: Dynamics, orders: ActuatorMap, x: Floats) -> tuple[Floats, Floats]:
    """Return the steady yaw rates (n,) [rad/s] of ``SPIRAL``, and the states (k, 12 + m)."""
    rates, track = [], [x]
    most = 0.0
    for rudder in SPIRAL:
        states = settled_turn(vessel, orders, track[-1], float(rudder), most)
        most = max(most, abs(float(states[-1, R_])))
        rates.append(float(states[-1, R_]))
        track += list(states)
    return np.array(rates), np.array(track)


def settled_turn(
    vessel: Dynamics, orders: ActuatorMap, x: Floats, rudder: float, most: float
) -> Floats:
    """Return the states (n, 12 + m), every ``SAMPLE``, until the yaw rate is steady.

    Args:
        x: first state. rudder: [%], at full thrust. most: largest yaw rate so far [rad/s].
    """
    command, around = orders.commands(rudder=rudder, thrust=100.0), vessel.surroundings()
    per_sample, track = round(SAMPLE / DT), [x]
    for _ in range(MOST):
        before = float(track[-1][R_])
        for _ in range(round(CHECK / SAMPLE)):
            track.append(vessel.step(track[-1], command, around, DT, steps=per_sample))
        after = float(track[-1][R_])
        if abs(after - before) <= STEADY * max(abs(after), most, 1e-6):
            break
    return np.array(track[1:])


def reverse_spiral(
    vessel: Dynamics, orders: ActuatorMap, x: Floats
) -> tuple[float, Floats, Floats]:
    """Return the yaw rate at full rudder [rad/s], the rudders (n,) [%] of ``RATES``, and states.

    The rudder holds each yaw rate by a proportional-integral law, so that the branch on which an
    unstable ship does not stay by itself shows, too. Its poles are at twice the inverse of the time
    to 63 % of the rate at full rudder, if the ship answers as Nomoto's.
    """
    turn = settled_turn(vessel, orders, x, 100.0, 0.0)
    fastest = float(turn[-1, R_])
    time = SAMPLE * (1 + int(np.argmax(turn[:, R_] >= (1.0 - np.exp(-1.0)) * fastest)))
    kp, ki = 400.0 / fastest, 400.0 / (fastest * time)
    rudder, integral = 0.0, 100.0
    track, rudders = [turn[-1]], []
    around, per_sample = vessel.surroundings(), round(SAMPLE / DT)
    for share in RATES:
        for _ in range(MOST):
            before = rudder
            for _ in range(round(CHECK / SAMPLE)):
                error = share / 100.0 * fastest - float(track[-1][R_])
                integral = min(max(integral + ki * error * SAMPLE, -100.0), 100.0)
                rudder = min(max(kp * error + integral, -100.0), 100.0)
                command = orders.commands(rudder=rudder, thrust=100.0)
                track.append(vessel.step(track[-1], command, around, DT, steps=per_sample))
            if abs(rudder - before) <= STILL and abs(error) <= STEADY * fastest:
                break
        rudders.append(rudder)
    return fastest, np.array(rudders), np.array(track)


def loop_of(rates: Floats) -> tuple[float, float]:
    """Return width [% of rudder] and height [rad/s] of the hysteresis loop; 0, 0 of a stable ship.

    Args:
        rates: steady yaw rates of ``SPIRAL``.
    """
    half = len(SPIRAL) // 2 + 1
    down = dict(zip(SPIRAL[:half], rates[:half].tolist(), strict=True))
    back = dict(zip(SPIRAL[half - 1 :], rates[half - 1 :].tolist(), strict=True))
    apart = {angle: down[angle] - back[angle] for angle in down}
    most = float(abs(rates).max())
    open_at = [angle for angle, gap in apart.items() if abs(gap) > 0.05 * most]
    if not open_at:
        return 0.0, 0.0
    return float(max(open_at) - min(open_at)), abs(apart[0])


def pull_out(vessel: Dynamics, orders: ActuatorMap, x: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return the yaw rates left [rad/s] after turns to starboard and to port, and the states.

    Both are the same, near zero, for a ship that is stable on its course.
    """
    left, track = [], [x]
    for rudder in (TURNING, -TURNING):
        for order in (rudder, 0.0):
            states = settled_turn(vessel, orders, track[-1], order, 0.0)
            track += list(states)
        left.append(float(track[-1][R_]))
    return tuple(left), np.array(track)
