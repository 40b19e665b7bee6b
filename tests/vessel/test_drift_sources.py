"""What makes a drift change, against closed forms."""

from math import exp, sqrt
from random import Random
from statistics import fmean

import pytest

from steerageway.vessel.drift import Drift
from steerageway.vessel.drift_sources import (
    M2,
    BuildUp,
    Constant,
    Gale,
    GaussMarkov,
    Gusts,
    Push,
    Tide,
)

DT = 0.25


def test_the_manuals_gust_builds_up_in_five_steps_and_dies_down_in_five():
    gust = BuildUp(1.25, start=10)
    values = [gust.at(9.5 + k) for k in range(12)]
    assert values == [0, 0.25, 0.5, 0.75, 1, 1.25, 1, 0.75, 0.5, 0.25, 0, 0]


def test_a_build_up_may_hold_and_come_again():
    gust = BuildUp(3.0, start=0, steps=3, every=0.1, hold=1, repeat=5)
    assert [gust.at(t) for t in (0.2, 1.2, 1.3, 1.5)] == [3, 3, 2, 0]
    assert [gust.at(5 + t) for t in (0.0, 0.1, 1.2, 1.4, 4.9)] == pytest.approx([1, 2, 3, 1, 0])


def test_a_tide_turns_every_half_period():
    tide = Tide(0.8, period=100, phase=90)
    assert [tide.at(t) for t in (0, 25, 50, 75)] == pytest.approx([0.8, 0, -0.8, 0])
    assert round(M2 / 3600, 4) == 12.4206


def test_a_push_has_a_direction():
    assert Push(90.0, Constant(1.5)).at(7.0) == pytest.approx((1.5, 0))


@pytest.mark.slow
def test_a_gauss_markov_strength_keeps_its_spread_and_decorrelates_at_its_rate():
    sigma, tau = 0.3, 5.0
    walk = GaussMarkov(Random(1), sigma, tau)
    values = [walk.at(k * DT) for k in range(200_000)]
    # 50 000 s are some 5000 independent values: the variance is known to 2 %, the mean to 0.004
    assert fmean(values) == pytest.approx(0, abs=4 * sigma * sqrt(2 * tau / 50_000))
    assert fmean(v * v for v in values) == pytest.approx(sigma**2, rel=0.08)
    lagged = fmean(a * b for a, b in zip(values, values[20:], strict=False))
    assert lagged / sigma**2 == pytest.approx(exp(-1), abs=0.08)


def test_a_gauss_markov_strength_starts_stationary():
    spread = [
        fmean(GaussMarkov(Random(k), 1.0, 2.0).at(t) ** 2 for k in range(2000)) for t in (0.1, 9)
    ]
    assert spread == pytest.approx([1, 1], rel=0.13)


def gusts(seed, **more):
    given = {"peak": (1, 2), "gap": 20, "rise": 2, "hold": 3, "fall": 5} | more
    return Gusts(Random(seed), **given)


def test_a_gust_rises_holds_and_falls_in_its_times():
    gust = gusts(3, peak=(2, 2))
    values = [(k / 100, gust.at(k / 100)) for k in range(10_000)]
    blowing = [(t, v) for t, v in values if v > 0]
    start = blowing[0][0]
    shape = {round(t - start, 2): v for t, v in blowing if t - start <= 10}
    assert shape[1.0] == pytest.approx(1, abs=0.02)
    assert {shape[2.5], shape[3.0], shape[4.5]} == {2}
    assert shape[7.5] == pytest.approx(1, abs=0.02)
    assert max(v for _, v in values) == 2


@pytest.mark.slow
def test_gusts_have_the_configured_rate_strength_and_direction():
    gale, peaks, turns, starts, before = gusts(5, spread=30), [], [], [], 0.0
    for k in range(400_000):
        value = gale.at(k * DT)
        if value > 0 and before == 0:
            starts.append(k * DT)
        if value > 0 and value == before and (not peaks or value != peaks[-1]):
            peaks.append(value)
            turns.append(gale.turned)
        before = value
    # one gust in 20 s of calm and 10 s of wind: some 3300, so means are known to 2 % of a spread
    assert len(peaks) == pytest.approx(100_000 / 30, rel=0.06)
    assert fmean(peaks) == pytest.approx(1.5, abs=0.03)
    assert (min(peaks) < 1.02, max(peaks) > 1.98) == (True, True)
    assert fmean(turns) == pytest.approx(0, abs=1.3)
    assert (min(turns) < -29, max(turns) > 29) == (True, True)


def test_a_gusts_direction_is_turned_with_it():
    gale = gusts(7, spread=30, peak=(1, 1))
    drifts = [Gale(90.0, gale).at(k * DT) for k in range(400)]
    directions = {round(drift.direction, 6) for drift in drifts if drift.magnitude > 0}
    assert len(directions) > 2
    assert all(60 <= direction <= 120 for direction in directions)


def test_equal_seeds_make_equal_gusts():
    values = [[gusts(seed).at(k * DT) for k in range(400)] for seed in (1, 1, 2)]
    assert values[0] == values[1] != values[2]
    assert Drift() == Push(0.0, gusts(1)).at(0.0)
