"""Efficiency of legs, against a leg calculated by hand."""

from __future__ import annotations

import pytest

from steerageway.helm.behaviors.waypoint.odometer import Legs, Odometer


def test_leg_is_measured_between_two_marks() -> None:
    odometer = Odometer()
    odometer.move((0, 0))
    assert odometer.mark((0, 0), 0.0, 2.0) is None
    for point in ((3, 4), (6, 0), (10, 0)):
        odometer.move(point)
    leg = odometer.mark((10, 0), 7.0, 2.0)
    assert leg == Legs(straight=10, made=14, due=5, taken=7)
    assert odometer.total == leg
    assert odometer.leg == 0


def test_disqualified_leg_does_not_count() -> None:
    odometer = Odometer()
    odometer.move((0, 0))
    odometer.mark((0, 0), 0.0, 2.0)
    odometer.disqualify()
    odometer.move((10, 0))
    assert odometer.mark((10, 0), 5.0, 2.0) is None
    odometer.move((30, 0))
    assert odometer.mark((30, 0), 15.0, 2.0) == Legs(20, 20, 10, 10)


def test_way_while_paused_is_not_counted() -> None:
    odometer = Odometer()
    odometer.move((0, 0))
    odometer.move((5, 0))
    odometer.pause()
    odometer.move((100, 0))
    odometer.move((101, 0))
    assert odometer.leg == 6


def test_efficiency_is_a_ratio_of_distances_and_of_times() -> None:
    legs = Legs(10, 12.5, 5, 8)
    assert legs.in_space == 0.8
    assert legs.in_time == 0.625
    assert (Legs().in_space, Legs().in_time) == (0, 0)


def test_summary_is_in_the_moos_ivp_form() -> None:
    assert Legs(10, 12.5, 5, 6).plus(Legs(1, 0, 0, 0)).summary("abe", "survey") == (
        "vname=abe, bhv_name=survey, linear_dist=11, odo_dist=12.5, efficiency_dist=0.88, "
        "linear_time=5, odo_time=6, efficiency_time=0.833"
    )


def test_legs_add_up() -> None:
    assert Legs(1, 2, 3, 4).plus(Legs(10, 20, 30, 40)) == pytest.approx(Legs(11, 22, 33, 44))
