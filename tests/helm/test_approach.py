"""CPA ranges and passes of all courses and speeds, compared with each one separately."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.geometry.encounter import Track, bearing_rate, closest_approach, closure, seen_from
from steerageway.helm.behaviors.contact.approach import courses, lie_on_both_sides
from steerageway.ivp import Domain, parse_variable

DOMAIN = Domain((parse_variable("course:0:350:36"), parse_variable("speed:0:4:9")))
places = st.integers(-300_000, 300_000).map(lambda mm: mm / 1000.0)
contacts = st.builds(Track, places, places, st.floats(0, 359), st.floats(0, 5))


def each(here: Track):
    """Give index and track of every course and speed."""
    for i, course in enumerate(DOMAIN["course"].values):
        for k, speed in enumerate(DOMAIN["speed"].values):
            yield (i, k), here._replace(heading=float(course), speed=float(speed))


@pytest.mark.slow
@settings(max_examples=10)
@given(contacts, contacts, st.floats(10, 200))
def test_grid_has_at_each_point_the_value_of_a_single_pair(here, contact, horizon):
    grid = courses(DOMAIN)
    ranges, rates = grid.closest(here, contact, horizon), grid.closure(here, contact)
    turns = grid.bearing_rate(here, contact)
    for index, own in each(here):
        expected = closest_approach(own, contact, horizon).range
        assert ranges[index] == pytest.approx(expected, abs=1e-4)
        assert rates[index] == pytest.approx(closure(own, contact), abs=1e-9)
        turning = radians(bearing_rate(own, contact))
        assert turns[index] == pytest.approx(turning, abs=1e-9, rel=1e-6)


def test_a_contact_that_keeps_course_and_speed_is_as_a_new_one_wherever_it_is():
    fast, here = Track(40.0, 90.0, 200.0, 3.0), Track(0.0, 0.0, 0.0, 0.0)
    grid, horizon = courses(DOMAIN), 120.0
    grid.closest(here, fast, horizon)
    on = fast.ahead(30.0)
    ranges, passes = grid.closest(here, on, horizon), grid.passes(here, on)
    for index, own in each(here):
        assert ranges[index] == pytest.approx(closest_approach(own, on, horizon).range, abs=1e-4)
        crossing = seen_from(on, own).crossing
        if crossing is not None and abs(crossing) < 1e4:
            assert passes.crossing[index] == pytest.approx(crossing, abs=1e-3, rel=1e-5)
    rows = np.array([3, 1])
    assert np.array_equal(grid.closest(here, on, horizon, rows), ranges[rows])


@settings(max_examples=10)
@given(contacts, contacts)
def test_passes_are_those_of_one_pair(here, contact):
    passes = courses(DOMAIN).passes(here, contact)
    for index, own in each(here):
        motion = seen_from(contact, own)
        if abs(motion.starboard_rate) < 1e-6 or abs(motion.ahead_rate) < 1e-6:
            continue
        for table, expected in (
            (passes.crossing, motion.crossing),
            (passes.passing, motion.passing),
        ):
            if expected is None:
                assert np.isnan(table[index])
            elif abs(expected) < 1e5:
                assert table[index] == pytest.approx(expected, abs=1e-3, rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(contacts, contacts, st.floats(1, 60), st.floats(0, 60))
def test_minimum_ranges_reported_on_both_sides_are_there(here, contact, low, more):
    between = (low, low + more)
    ranges = courses(DOMAIN).closest(here, contact, 120.0)
    if lie_on_both_sides(DOMAIN, here, contact, 120.0, between):
        assert ranges.min() < between[0]
        assert ranges.max() > between[1]


@pytest.mark.parametrize(("away", "sure"), [(30, True), (12, False), (2000, False)])
def test_a_slow_contact_within_range_has_minimum_ranges_on_both_sides(away, sure):
    contact = Track(away, 0.0, 0.0, 1.0)
    both_sides = lie_on_both_sides(DOMAIN, Track(0.0, 0.0, 0.0, 0.0), contact, 120.0, (10.0, 20.0))
    assert both_sides is sure


def test_nothing_is_worked_out_twice_for_a_domain():
    assert courses(DOMAIN) is courses(Domain(DOMAIN.variables))
