"""Figures 2 to 7 of the manual of uSimMarineV22."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, by_formula, style_panel
from steerageway.vessel.drift import Drift
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Inputs, Motion
from steerageway.vessel.thrust_map import ThrustMap, read_pairs

EXAMPLE = "-100:-3.5, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 100:5"
EQUIVALENT = (
    "-120:-5, -100:-3.5, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 100:5.0, 120:6",
    "-100:-3.5, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 90:4, 100:5.0",
    "-100:-3.5, -75:-3.2, -10:-2, 0:0, 20:2.4, 50:4.2, 80:4.8, 100:5.0",
    "-100:-3.5, -75:-3.2, -10:-2, 0:1, 20:2.4, 50:4.2, 80:4.8, 100:5.0",
)
PLATEAU = "-75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8"
THRUSTS = np.linspace(-100.0, 100.0, 401)


def mapped(text: str, *, reflect: bool = False) -> ThrustMap:
    """Return the thrust map of a text."""
    reading = read_pairs(text)
    return ThrustMap(reading.ahead, reading.astern, reflect=reflect)


def depth_rate(speed: float, elevator: float) -> float:
    """Return the depth rate [m/s] of the model with default parameters."""
    model = Documented(KinematicParameters(thrust_map=mapped("100:5"), turn_spd_loss=0.0))
    state = Motion(0.0, 0.0, 0.0, speed, 100.0)
    inputs = Inputs()
    inputs.thrust, inputs.elevator = 20.0 * speed, elevator
    return model.step(state, inputs, 1.0).depth - state.depth


def depth_rates() -> Finding:
    """Reproduce figure 2."""
    speeds = np.linspace(0.0, 4.0, 161)
    values = (
        by_formula("max_depth_rate, of elevator alone", 0.5, depth_rate(2.0, 100.0) + 0.025, "m/s"),
        by_formula("at 1 m/s, elevator 50", 0.0625, depth_rate(1.0, 50.0) + 0.025, "m/s"),
        by_formula("at 4 m/s, elevator 100", 0.5, depth_rate(4.0, 100.0) + 0.025, "m/s"),
        by_formula("at 0 m/s, by buoyancy alone", 0.025, depth_rate(0.0, 100.0), "m/s"),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, elevator in zip(COLOURS, (100.0, 75.0, 50.0, 25.0), strict=False):
            rates = [depth_rate(float(v), elevator) for v in speeds]
            panel.plot(speeds, rates, color=colour, label=f"elevator {elevator:.0f}")
        style_panel(panel, "speed [m/s]", "depth rate, down [m/s]")

    why = (
        "Curves rise with the square of the speed up to `max_depth_rate_speed`. "
        "Equation 4 adds the buoyancy rate to the rate of the depth, "
        "though a positive one is documented as that of a vessel that ascends: here it "
        "is subtracted, so that such a vessel ascends."
    )
    return Finding(values, why, draw)


def drift_vectors() -> Finding:
    """Reproduce figure 3 and the script of gusts below it."""
    gust, here, most = Drift.towards(137.0, 0.25), Drift(), 0.0
    for sign in (1.0,) * 5 + (-1.0,) * 5:
        here = here.plus(gust.times(sign))
        most = max(most, here.magnitude)
    left, right = Drift(10.0, -12.0), Drift.towards(262.47, 15.796)
    values = (
        by_formula(
            "DRIFT_VECTOR_MULT = 2, times it", 2.0, left.times(2).magnitude / left.magnitude
        ),
        by_formula("DRIFT_VECTOR_MULT = -1, turned by", 180.0, _turned(left, left.times(-1)), "°"),
        by_formula("the gust at its strongest", 1.25, most, "m/s"),
        by_formula("after the script", 0.0, here.magnitude, "m/s"),
        by_formula("x of the vector added", -15.659781, right.x, "m/s"),
        by_formula("y of the vector added", -2.069991, right.y, "m/s"),
    )

    def draw(figure: Any) -> None:
        for panel, drift, name in zip(
            figure.subplots(1, 2),
            (left, left.plus(right)),
            ("a drift", "after DRIFT_VECTOR_ADD = 262.47, 15.796"),
            strict=True,
        ):
            arrow = {"arrowstyle": "->", "color": COLOURS[0], "lw": 2}
            panel.annotate("", (drift.x, drift.y), (0, 0), arrowprops=arrow)
            panel.set_xlim(-16, 16)
            panel.set_ylim(-16, 16)
            panel.set_aspect("equal")
            panel.set_title(f"{name}\n{drift.direction:.1f}°, {drift.magnitude:.2f}", fontsize=8)
            style_panel(panel, "east [m/s]", "north [m/s]", legend=False)

    why = (
        "The text states the vector that is added, but not the two that are drawn; "
        "those here are an example. The components by formula were "
        "computed with bc, not here. As the manual says of its own figure, such drifts are "
        "velocities."
    )
    return Finding(values, why, draw, (6.4, 3.4))


def _turned(one: Drift, other: Drift) -> float:
    return (other.direction - one.direction) % 360.0


def thrust_map() -> Finding:
    """Reproduce figure 4, with the equivalent maps and the inverse of sections 8.1 to 8.4."""
    example = mapped(EXAMPLE)
    pairs = [part.split(":") for part in EXAMPLE.split(",")]
    plateau = mapped(PLATEAU)
    apart = max(
        abs(mapped(text).speed(t) - example.speed(t)) for text in EQUIVALENT for t in THRUSTS
    )
    mirrored = mapped("20:2.4, 50:4.2, 80:4.8, 100:5", reflect=True)
    whole = mapped("-100:-5, -80:-4.8, -50:-4.2, -20:-2.4, 20:2.4, 50:4.2, 80:4.8, 100:5")
    values = (
        *(
            Value(f"at thrust {t.strip()}", float(v), example.speed(float(t)), "m/s")
            for t, v in pairs
        ),
        by_formula("between the four equivalent maps, at most", 0.0, apart, "m/s"),
        by_formula(
            "reflected, from the map in full",
            0.0,
            max(abs(mirrored.speed(t) - whole.speed(t)) for t in THRUSTS),
            "m/s",
        ),
        Value("plateau: thrust for 4.8 m/s", 80.0, plateau.thrust(4.8), "%"),
        Value("plateau: thrust for 5 m/s", 80.0, plateau.thrust(5.0), "%"),
        Value("plateau: thrust for -3.2 m/s", -75.0, plateau.thrust(-3.2), "%"),
    )

    def draw(figure: Any) -> None:
        ahead, inverse = figure.subplots(1, 2)
        _draw_map(ahead, example)
        speeds = np.linspace(-3.5, 5.0, 401)
        thrusts = [example.thrust(float(v)) for v in speeds]
        inverse.plot(speeds, thrusts, color=COLOURS[1])
        style_panel(inverse, "speed [m/s]", "thrust [%]", legend=False)

    return Finding(values, "The map, and beside it its inverse. Nothing differs.", draw)


def default_map() -> Finding:
    """Reproduce figure 5."""
    default = ThrustMap()
    values = tuple(
        by_formula(f"at thrust {t:.0f}", v, default.speed(t), "m/s")
        for t, v in ((-100.0, 0.0), (0.0, 0.0), (50.0, 2.5), (100.0, 5.0))
    )

    def draw(figure: Any) -> None:
        _draw_map(figure.subplots(), default)

    return Finding(values, "`100:5`, without thrust astern. Nothing differs.", draw)


def _draw_map(panel: Any, thrusts: ThrustMap) -> None:
    panel.plot(THRUSTS, [thrusts.speed(float(t)) for t in THRUSTS], color=COLOURS[0])
    style_panel(panel, "thrust [%]", "speed [m/s]", legend=False)
