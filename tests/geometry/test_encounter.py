"""Two craft that meet, against time stepped finely and drawings anyone can check."""

from __future__ import annotations

from math import hypot, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.geometry.encounter import (
    Track,
    bearing,
    bearing_rate,
    beside,
    closest_approach,
    closure,
    reckoned,
    relative,
    relative_bearing,
    seen_from,
    separation,
)

places = st.floats(-500, 500)
tracks = st.builds(Track, places, places, st.floats(0, 359), st.floats(0, 8))
NORTHBOUND = Track(0, 0, 0, 2)


@settings(max_examples=40)
@given(tracks, tracks, st.floats(1, 300))
def test_no_moment_within_the_horizon_is_closer(one, other, horizon):
    found = closest_approach(one, other, horizon)
    moments = [k * horizon / 500 for k in range(501)] + [found.time]
    ranges = [separation(one.ahead(one.speed * t), other.ahead(other.speed * t)) for t in moments]
    assert 0 <= found.time <= horizon
    assert found.range == pytest.approx(min(ranges), abs=1e-6)
    assert found.range == pytest.approx(ranges[-1], abs=1e-9)


@settings(max_examples=40)
@given(tracks, tracks)
def test_rates_match_the_next_step(one, other):
    dt = 1e-4
    one2, other2 = one.ahead(one.speed * dt), other.ahead(other.speed * dt)
    if separation(one, other) < 20:
        return
    closed = (separation(one, other) - separation(one2, other2)) / dt
    turned = ((bearing(one2, other2) - bearing(one, other) + 180) % 360 - 180) / dt
    assert closure(one, other) == pytest.approx(closed, abs=1e-2)
    assert bearing_rate(one, other) == pytest.approx(turned, abs=1e-2)


@settings(max_examples=40)
@given(tracks, tracks)
def test_a_reversed_relation_is_that_of_the_other_craft(one, other):
    assert relative(one, other).reversed() == relative(other, one)


def test_a_pair_at_one_place_has_no_rates():
    assert closure(NORTHBOUND, NORTHBOUND) == bearing_rate(NORTHBOUND, NORTHBOUND) == 0


@settings(max_examples=40)
@given(tracks, tracks)
def test_motion_in_the_frame_keeps_ranges_and_speeds(one, other):
    motion = seen_from(one, other)
    assert hypot(motion.ahead, motion.starboard) == pytest.approx(separation(one, other))
    (u, v), (w, z) = one.velocity, other.velocity
    rate = hypot(motion.ahead_rate, motion.starboard_rate)
    assert rate == pytest.approx(hypot(w - u, z - v), abs=1e-9)


def test_bearings_are_clockwise_from_the_bow():
    assert bearing(NORTHBOUND, Track(10, 0, 0, 0)) == pytest.approx(90)
    assert relative_bearing(Track(0, 0, 90, 1), Track(0, 10, 0, 0)) == pytest.approx(270)


def test_a_craft_slightly_to_port_of_the_bow_is_dead_ahead():
    assert relative_bearing(Track(0, 0, 1e-14, 1), Track(0, 10, 0, 0)) == 0.0


def test_crossing_from_starboard_ahead_of_the_bow_and_astern():
    early = seen_from(NORTHBOUND, Track(50, 100, 270, 2))
    assert early.crossing == pytest.approx(50)
    late = seen_from(NORTHBOUND, Track(100, 50, 270, 2))
    assert late.crossing == pytest.approx(-50)
    assert seen_from(NORTHBOUND, Track(50, 100, 90, 2)).crossing is None


def test_passing_abeam_reports_the_side():
    opposite = seen_from(NORTHBOUND, Track(-20, 100, 180, 2))
    assert opposite.passing == pytest.approx(-20)
    assert seen_from(NORTHBOUND, Track(20, -100, 0, 1)).passing is None


def test_dead_reckoning_keeps_speed_then_loses_it_evenly():
    last = Track(0, 0, 0, 2)
    assert reckoned(last, 10, (15, 30)) == (0, 20, 0, 2)
    half = reckoned(last, 22.5, (15, 30))
    assert half.speed == pytest.approx(1)
    assert half.y == pytest.approx(30 + 7.5 * 1.5)
    still = reckoned(last, 100, (15, 30))
    assert still == (0, pytest.approx(30 + 15), 0, 0)


def test_dead_reckoning_without_decay_never_ends():
    assert reckoned(Track(0, 0, 90, 2), 100, None).x == pytest.approx(200)
    assert reckoned(Track(0, 0, 90, 2), 100, (10, 10)) == (20, pytest.approx(0), 90, 0)


def test_horizon_may_be_endless():
    assert closest_approach(NORTHBOUND, Track(5, 1000, 0, 0), inf).range == pytest.approx(5)


@given(st.lists(st.integers(-9, 9)), st.integers(-9, 9), st.sampled_from([0.0, 1.0, 2.5, inf]))
def test_beside_are_all_within_a_distance_in_x_and_no_others(
    xs: list[int], x: int, reach: float
) -> None:
    rows = sorted((float(one), number) for number, one in enumerate(xs))
    assert beside(rows, x, reach) == [row for row in rows if abs(row[0] - x) <= reach]
