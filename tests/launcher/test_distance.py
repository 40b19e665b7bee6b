"""The distance sailed does not depend on how commits of x and y interleave."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.bus import Message
from steerageway.launcher.distance import Distance

COORDINATE = st.floats(-1e4, 1e4)


def message(name: str, value: float | str, instant: int) -> Message:
    """Make a committed coordinate."""
    return Message(name, value, 0.0, "uSimMarineV22", instant=instant)


def sailed(messages: list[Message]) -> float | None:
    """Return the distance that these commits make."""
    tap = Distance("alpha")
    for one in messages:
        tap.take(one)
    found: float | None = tap.result()["distance"]
    return found


@pytest.mark.slow
@given(st.lists(st.tuples(COORDINATE, COORDINATE), min_size=1, max_size=8), st.randoms())
def test_the_order_of_variables_does_not_matter(
    track: list[tuple[float, float]], random: Random
) -> None:
    xs = [message("NAV_X", x, k) for k, (x, _) in enumerate(track)]
    ys = [message("NAV_Y", y, k) for k, (_, y) in enumerate(track)]
    mixed = []
    while xs or ys:
        queue = random.choice([q for q in (xs, ys) if q])
        mixed.append(queue.pop(0))
    expected = 0.0
    for a, b in pairwise(track):  # sum() rounds otherwise from Python 3.12 on
        expected += hypot(b[0] - a[0], b[1] - a[1])
    assert sailed(mixed) == expected


def test_a_coordinate_without_its_other_makes_no_position() -> None:
    assert sailed([message("NAV_X", 0.0, 1), message("NAV_X", 3.0, 2)]) is None
    lone = [message("NAV_X", 9.0, 1), message("NAV_X", 0.0, 2), message("NAV_Y", 0.0, 2)]
    assert sailed([*lone, message("NAV_X", 3.0, 3), message("NAV_Y", 4.0, 3)]) == 5.0


def test_text_is_no_coordinate() -> None:
    assert sailed([message("NAV_X", "west", 1), message("NAV_Y", 0.0, 1)]) is None
