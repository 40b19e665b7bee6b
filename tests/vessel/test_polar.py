"""Sailing: wind and polar plot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.polar import PolarPlot, Wind

PLOT = PolarPlot.read("0,0: 60,80: 180,50")


def test_between_points_the_plot_is_linear():
    assert PLOT.percent(30) == 40
    assert PLOT.percent(120) == 65
    assert PLOT.percent(180) == 50


@given(st.floats(-360, 720))
def test_both_tacks_are_symmetric(angle):
    assert PLOT.percent(angle) == pytest.approx(PLOT.percent(-angle))


def test_missing_ends_are_zero():
    plot = PolarPlot.read("90,60")
    assert plot.percent(0) == 0
    assert plot.percent(45) == 30
    assert plot.percent(135) == 30
    assert plot.percent(180) == 0
    assert PolarPlot.read("0.5,60").percent(0) == 0


def test_ends_that_are_given_hold():
    plot = PolarPlot.read("0,20: 90,60: 180,40")
    assert (plot.percent(0), plot.percent(45), plot.percent(180)) == (20, 40, 40)
    assert plot.points == ((0, 20), (90, 60), (180, 40))


def test_the_angle_is_relative_to_the_wind_direction():
    north_wind = Wind(speed=10, direction=0)
    assert PLOT.most_speed(north_wind, heading=0) == 0
    assert PLOT.most_speed(north_wind, heading=60) == 8
    assert PLOT.most_speed(north_wind, heading=300) == 8
    assert PLOT.most_speed(Wind(10, 90), heading=90) == 0


def test_a_vessel_is_never_faster_than_the_wind():
    assert PolarPlot.read("90,150").most_speed(Wind(10, 0), 90) == 10


def test_wind_is_read_in_either_order():
    assert Wind.read("spd=5,dir=90") == Wind.read(" DIR = 90 , spd=5 ") == Wind(5, 90)


@pytest.mark.parametrize(
    "text", ["", "spd=5", "spd=5,dir=90,gust=2", "spd=-1,dir=0", "spd=1,dir=-1", "spd=x,dir=0"]
)
def test_an_invalid_wind_is_refused(text):
    with pytest.raises(InvalidValue, match="expected"):
        Wind.read(text)


@pytest.mark.parametrize("text", ["", "90", "190,5", "-1,5", "90,-5", "90,5:90,6", "90,x", "nan,5"])
def test_an_invalid_polar_plot_is_refused(text):
    with pytest.raises(InvalidValue, match="expected"):
        PolarPlot.read(text)
