"""Orders move the same actuators in the tools (show, tune, trials) and in the simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import degrees, radians
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.vessel.fossen.commands import Commands, orders_in
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import PSI
from steerageway.vessel.model import Inputs

pytestmark = pytest.mark.slow  # they compile
ROOT = Path(__file__).parents[2]
NAMES = ("cs_1", "cs_2", "cs_3", "cs_4", "th_1")
PAIRS = {"rudder", "thrust"}, {"thrust_l", "thrust_r"}
FULL = 100.0
X_TAIL = (
    "cs_1:rudder+elevator, cs_2:-rudder-elevator, cs_3:-rudder+elevator, "
    "cs_4:rudder-elevator, th_1:thrust"
)

Sum = dict[str, float]
sums = st.dictionaries(
    st.sampled_from(["rudder", "thrust", "elevator", "thrust_l", "thrust_r"]),
    st.integers(-8, 8).filter(bool).map(lambda eighths: eighths / 8),
    min_size=1,
)
maps = st.dictionaries(st.sampled_from(NAMES), sums)
orders = st.floats(-250.0, 250.0)


@cache
def torpedo() -> Dynamics:
    return load(ROOT / "inputs" / "torpedo")


def text_of(mapping: dict[str, Sum]) -> str:
    """Return a map as it is written."""
    forms = {
        name: "".join(f"{'-' if w < 0 else '+'}{abs(w)}*{order}" for order, w in terms.items())
        for name, terms in mapping.items()
    }
    return ", ".join(f"{name}:{form}" for name, form in forms.items())


def limited(value: float, most: float) -> float:
    return max(-most, min(most, value))


def meant(terms: Sum, given: Sum, most: float, turn: float) -> float:
    """Return the command of a sum, as docs/simulator.md defines it.

    Args:
        terms: factors of orders. given: orders of the helm, one pair of them, within their ranges.
        most: limit of the actuator. turn: radians of a degree for a plane; 0 for others.
    """
    named = [pair for pair in PAIRS if pair & terms.keys()]
    seen = dict(given)
    if len(named) == 1 and not named[0] & given.keys():  # it names the other pair
        if "thrust" in given:
            seen["thrust_l"] = given["thrust"] + given["rudder"]
            seen["thrust_r"] = given["thrust"] - given["rudder"]
        else:
            seen["thrust"] = (given["thrust_l"] + given["thrust_r"]) / 2
            seen["rudder"] = (given["thrust_l"] - given["thrust_r"]) / 2
    total = 0.0
    for order, factor in terms.items():
        share = factor * seen.get(order, 0.0)
        total += share * turn if order == "elevator" and turn else share / FULL * most
    return limited(total, most)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(mapping=maps, of_helm=st.tuples(orders, orders, orders), sides=st.booleans())
def test_any_map_and_any_orders_give_the_same_commands_in_tools_and_simulator(
    mapping: dict[str, Sum], of_helm: tuple[float, float, float], sides: bool
) -> None:
    text, (one, two, elevator) = text_of(mapping), of_helm
    first, second = ("thrust_l", "thrust_r") if sides else ("rudder", "thrust")
    vessel = replace(torpedo(), actuator_map=text)
    by_tools = orders_of(vessel).commands(**{first: one, second: two, "elevator": elevator})

    inputs = Inputs(elevator=elevator, differential=sides)
    if sides:
        inputs.thrust_left, inputs.thrust_right = one, two
    else:
        inputs.rudder, inputs.thrust = one, two
    simulated = Commands(vessel, orders_of(vessel))
    simulated.order(orders_in(inputs), 0.0)
    assert by_tools.tolist() == simulated.in_force(0.0).tolist()

    planes = {
        name: factors["elevator"] for name, factors in mapping.items() if "elevator" in factors
    }
    by_effect = {"cs_3": -1.0, "cs_4": 1.0}
    planes = {n: w for n, w in (by_effect | planes).items() if n not in mapping or n in planes}
    reach = max(
        (degrees(c.high) / abs(planes[c.name]) for c in torpedo().commands if c.name in planes
         and c.unit == "rad"), default=FULL)  # fmt: skip
    asked = {first: limited(one, FULL), second: limited(two, FULL)}
    asked["elevator"] = limited(elevator, reach)
    for channel, command in zip(torpedo().commands, by_tools.tolist(), strict=True):
        if channel.name in mapping:
            turn = radians(1.0) if channel.unit == "rad" else 0.0
            expected = meant(mapping[channel.name], asked, channel.high, turn)
            assert command == pytest.approx(expected, abs=1e-9 * channel.high), channel.name


@pytest.mark.parametrize(
    ("name", "text"),
    [("remus100", "cs_1:rudder+elevator, cs_2:rudder-elevator"), ("torpedo", X_TAIL)],
)
def test_a_tail_whose_planes_share_orders_turns_the_vessel_in_tools_and_simulator(
    drive: Callable[..., Any], name: str, text: str
) -> None:
    vessel = replace(load(ROOT / "inputs" / name), actuator_map=text)
    command = orders_of(vessel).commands(rudder=50.0, thrust=100.0)
    x = vessel.step(vessel.initial, command, vessel.surroundings(), 0.02, steps=500)
    block = f"model = fossen\nvessel = inputs/{name}\nactuator_map = {text}\nprefix = NAV"
    driven = drive(USimMarine, block, folder=ROOT)
    for k in range(1, 41):
        posts = driven.tick(k / 4, {"DESIRED_THRUST": 100.0, "DESIRED_RUDDER": 50.0})
    turned = degrees(x[PSI] - vessel.initial[PSI])
    assert turned > 10.0
    assert posts["NAV_HEADING"] == pytest.approx(degrees(x[PSI]) % 360.0, abs=1e-6)


def test_thrusts_of_two_sides_drive_in_the_simulator_as_in_the_tools(
    drive: Callable[..., Any],
) -> None:
    text = "th_1:thrust_l, th_2:thrust_r"
    block = f"model = fossen\nvessel = inputs/otter\nactuator_map = {text}\nprefix = NAV"
    driven, plain = (
        drive(USimMarine, lines, folder=ROOT)
        for lines in (block, "model = fossen\nvessel = inputs/otter\nprefix = NAV")
    )
    for k in range(1, 81):
        given = {"DESIRED_THRUST": 50.0, "DESIRED_RUDDER": 10.0}
        ends = [one.tick(k / 4, given) for one in (driven, plain)]
    for name in ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED"):
        assert ends[0][name] == ends[1][name]
    assert ends[0]["NAV_SPEED"] > 0.5
