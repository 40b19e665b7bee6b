"""Trials of a vessel as figures and curves, by the same libraries as ``vessel show``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics, Floats
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import Orders, orders_of
from steerageway.vessel.tools import trials
from steerageway.vessel.tools.linear import eigenvalues, natural_periods

DT = 0.02
POINTS = 400  # of a curve
ROUNDS = 1.5  # of a circle that are drawn
ZIGZAG = 20.0  # rudder and heading [deg]
STEP = 20.0  # order of a step response [%]
HEEL = 10.0  # that a roll decay begins with [deg]
LONGEST = 1800.0  # [s]
U, R, ROLL, YAW = 6, 11, 3, 5


def trial(folder: Path, kind: str) -> dict[str, Any]:
    """Give a trial's figures, ``[name, value, unit]``, and its curves.

    Raises:
        InvalidValue: there is no such trial, or the files are wrong.
        NotFinite, OutsideEnvelope: the vessel does not come through it.
    """
    if kind not in TRIALS:
        raise InvalidValue(f"{kind}: expected one of {', '.join(TRIALS)}")
    vessel = load(folder)
    figures, charts = TRIALS[kind](vessel, orders_of(vessel))
    return {"figures": figures, "charts": charts}


def _straight(vessel: Dynamics, orders: Orders) -> tuple[list[Any], list[Any]]:
    cruise = trials.full_ahead(vessel, orders)
    run = _run(vessel, vessel.initial, orders.commands(thrust=100.0), _reach(vessel, cruise))
    values = eigenvalues(vessel, cruise, orders.commands(thrust=100.0))
    grows = [float(value.real) for value in values if value.real > 1e-6]
    figures: list[Any] = [["top speed", float(cruise[U]), "m/s"]]
    figures += [
        [f"period of {name}", value, "s"] for name, value in natural_periods(vessel).items()
    ]
    figures += [["grows e-fold in", 1.0 / value, "s"] for value in grows]
    return figures, [_chart("Speed", "t [s]", "u [m/s]", run[:, 0], run[:, 1 + U])]


def _circle(vessel: Dynamics, orders: Orders) -> tuple[list[Any], list[Any]]:
    cruise = trials.full_ahead(vessel, orders)
    found = trials.turning_circle(vessel, orders, cruise) if orders.rudder.any() else None
    if found is None:
        raise InvalidValue("no circle: nothing steers it, or it takes over an hour")
    time = min(LONGEST, ROUNDS * 2.0 * np.pi / abs(found.rate) + 10.0)
    run = _run(vessel, cruise, orders.commands(rudder=100.0, thrust=100.0), time)
    c, s = np.cos(cruise[YAW]), np.sin(cruise[YAW])
    offset = run[:, 1:3] - cruise[:2]
    figures = [
        ["advance", found.advance, "m"],
        ["transfer", found.transfer, "m"],
        ["tactical diameter", found.tactical_diameter, "m"],
        ["radius", found.radius, "m"],
        ["speed in it", found.speed, "m/s"],
        ["rate of turn", float(np.degrees(found.rate)), "°/s"],
    ]
    track = _chart("Track", "starboard [m]", "ahead [m]", offset @ [-s, c], offset @ [c, s])
    speed = _chart("Speed", "t [s]", "u [m/s]", run[:, 0], run[:, 1 + U])
    return figures, [{**track, "equal": True}, speed]


def _zigzag(vessel: Dynamics, orders: Orders) -> tuple[list[Any], list[Any]]:
    cruise = trials.full_ahead(vessel, orders)
    over = trials.zigzag(vessel, orders, cruise, ZIGZAG) if orders.rudder.any() else None
    if over is None:
        raise InvalidValue("no zig-zag: nothing steers it, or it turns right round")
    rows = _weave(vessel, orders, cruise)
    figures = [[f"overshoot {i}", value, "°"] for i, value in enumerate(over, 1)]
    heading = _chart("Heading", "t [s]", "heading [°]", rows[:, 0], rows[:, 1])
    heading["curves"].append(_curve("rudder order [°]", rows[:, 0], rows[:, 2]))
    return figures, [heading]


def _step(vessel: Dynamics, orders: Orders) -> tuple[list[Any], list[Any]]:
    cruise = trials.full_ahead(vessel, orders)
    if not orders.rudder.any():
        raise InvalidValue("no step response: nothing steers it")
    run = _run(vessel, cruise, orders.commands(rudder=STEP, thrust=100.0), 60.0)
    rate = np.degrees(run[:, 1 + R])
    end = float(rate[-1])
    late = np.flatnonzero(np.abs(rate) >= 0.63 * abs(end)) if end else np.array([], int)
    figures = [[f"rate of turn at {STEP:g} %", end, "°/s"]]
    if late.size:
        figures.append(["63 % after", float(run[late[0], 0]), "s"])
    return figures, [_chart("Rate of turn", "t [s]", "r [°/s]", run[:, 0], rate)]


def _roll(vessel: Dynamics, orders: Orders) -> tuple[list[Any], list[Any]]:
    x = vessel.initial.copy()
    x[ROLL] += np.radians(HEEL)
    period = natural_periods(vessel).get("roll", 5.0)
    run = _run(vessel, x, orders.commands(), min(LONGEST, 12.0 * period))
    roll = np.degrees(run[:, 1 + ROLL])
    tops = [i for i in range(1, len(roll) - 1) if roll[i - 1] < roll[i] >= roll[i + 1]]
    figures: list[Any] = [["natural period", float(period), "s"]]
    if len(tops) > 1 and roll[tops[0]] > roll[tops[1]] > 0:
        shrink = float(np.log(roll[tops[0]] / roll[tops[1]]))
        figures.append(["damping ratio", float(shrink / np.hypot(2 * np.pi, shrink)), "1"])
        figures.append(["period", float(run[tops[1], 0] - run[tops[0], 0]), "s"])
    return figures, [_chart("Roll", "t [s]", "roll [°]", run[:, 0], roll)]


Trial = Callable[[Dynamics, Orders], tuple[list[Any], list[Any]]]
TRIALS: Mapping[str, Trial] = {
    "straight": _straight,
    "circle": _circle,
    "zigzag": _zigzag,
    "step": _step,
    "roll": _roll,
}


def _reach(vessel: Dynamics, cruise: Floats) -> float:
    """Give how long a run from rest is shown [s]: until it has nearly its speed."""
    orders = orders_of(vessel)
    command, x, time = orders.commands(thrust=100.0), vessel.initial, 0.0
    while time < LONGEST / 2 and abs(x[U] - cruise[U]) > 0.01 * abs(cruise[U]):
        x = vessel.step(x, command, vessel.surroundings(), DT, steps=100)
        time += 100 * DT
    return max(10.0, 1.5 * time)


def _run(vessel: Dynamics, x: Floats, command: Floats, time: float) -> Floats:
    """Give times and states (n, 1 + 12 + m) of a run, thinned to what a curve needs."""
    stride = max(1, int(time / DT / POINTS))
    rows = [np.concatenate(([0.0], x))]
    for i in range(1, int(time / DT / stride) + 1):
        x = vessel.step(x, command, vessel.surroundings(), DT, steps=stride)
        rows.append(np.concatenate(([i * stride * DT], x)))
    return np.array(rows)


def _weave(vessel: Dynamics, orders: Orders, x: Floats) -> Floats:
    """Give time, heading and rudder's order (n, 3) [s, deg] of a zig-zag of five legs."""
    order, start, rows, time, legs = ZIGZAG, x[YAW], [], 0.0, 0
    full = trials.rudder_order(orders, ZIGZAG)
    while legs < 5 and time < LONGEST / 2:
        share = full if order > 0 else -full
        x = vessel.step(
            x, orders.commands(rudder=share, thrust=100.0), vessel.surroundings(), DT, 5
        )
        time += 5 * DT
        turned = float(np.degrees(x[YAW] - start))
        rows.append((time, turned, order))
        if order * turned > 0 and abs(turned) >= ZIGZAG:
            order, legs = -order, legs + 1
    return np.array(rows)[:: max(1, len(rows) // POINTS)]


def _chart(title: str, x: str, y: str, across: Floats, up: Floats) -> dict[str, Any]:
    return {"title": title, "x": x, "y": y, "curves": [_curve(y, across, up)]}


def _curve(name: str, across: Floats, up: Floats) -> dict[str, Any]:
    points = np.stack((across, up), axis=1).round(6)
    return {"name": name, "points": points.tolist()}
