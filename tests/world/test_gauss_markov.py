"""Gauss-Markov processes: the documented recurrence, and the process itself."""

import json
from itertools import pairwise
from math import exp
from pathlib import Path

import numpy as np
import pytest

from steerageway.world.errors import InvalidValue
from steerageway.world.gauss_markov import GaussMarkov, documented

FILE = Path(__file__).parents[1] / "reference" / "uuv" / "gauss_markov.json"
CASES = {case["case"]: case for case in json.loads(FILE.read_text())}


def walk(case, x, uniform):
    keys = {"mu": case["mu"], "amplitude": case["noiseAmp"]}
    limits = (case["min"], case["max"])
    for u in uniform:
        x = documented(x, case["dt"], u, limits=limits, **keys)
        yield x


@pytest.mark.parametrize("name", CASES)
def test_recurrence_gives_the_recorded_trace(name):
    case = CASES[name]
    found = list(walk(case, case["mean"], case["uniform_minus_half"]))
    np.testing.assert_allclose(found, case["trace"], rtol=1e-12, atol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["free", "clipped", "one_sided"])
def test_recurrence_has_its_stationary_moments(name):
    case = CASES[name]
    uniform = np.random.default_rng(3).random(1_500_000) - 0.5
    x = np.array(list(walk(case, case["stationary"]["mean"], uniform)))
    expected, deviation = case["stationary"], case["stationary"]["variance"] ** 0.5
    assert x.mean() == pytest.approx(expected["mean"], abs=0.02 * deviation)
    assert x.var() == pytest.approx(expected["variance"], rel=0.02)
    lag = np.mean((x[1:] - x.mean()) * (x[:-1] - x.mean()))
    assert lag == pytest.approx(expected["lag1_covariance"], rel=0.02)
    assert np.mean(x <= case["min"]) == pytest.approx(expected["share_at_min"], rel=0.03, abs=1e-6)
    assert np.mean(x >= case["max"]) == pytest.approx(expected["share_at_max"], rel=0.03, abs=1e-6)


def test_closed_form_without_clipping():
    case = CASES["free_slow"]
    phi = 1.0 - case["dt"] * case["mu"]
    variance = case["noiseAmp"] ** 2 / 12.0 / (1.0 - phi**2)
    assert variance == pytest.approx(case["stationary"]["variance"], rel=1e-9)
    assert phi * variance == pytest.approx(case["stationary"]["lag1_covariance"], rel=1e-9)


@pytest.mark.slow
def test_process_keeps_mean_and_deviation_at_every_step():
    process = GaussMarkov(mean=0.4, sigma=0.1, mu=0.2)
    for dt in (0.1, 1.0, 5.0):
        normal = np.random.default_rng(1).standard_normal(40_000)
        x = [0.4]
        for n in normal:
            x.append(process.after(x[-1], dt, n))
        assert np.mean(x) == pytest.approx(0.4, abs=0.02)
        assert np.std(x) == pytest.approx(0.1, rel=0.06)
        lag = np.mean([(a - 0.4) * (b - 0.4) for a, b in pairwise(x)])
        assert lag / np.var(x) == pytest.approx(exp(-0.2 * dt), abs=0.03)


def test_process_without_noise_goes_to_its_mean_and_stays_within_its_limits():
    process = GaussMarkov(mean=0.4, sigma=0.0, mu=0.2, low=0.0, high=1.0)
    assert process.after(0.0, 1000.0, 3.0) == pytest.approx(0.4)
    wild = GaussMarkov(mean=0.4, sigma=10.0, mu=0.2, low=0.0, high=1.0)
    assert wild.after(0.4, 5.0, 9.0) == 1.0
    assert wild.after(0.4, 5.0, -9.0) == 0.0


@pytest.mark.parametrize(
    "given", [{"mean": 2.0, "high": 1.0}, {"mu": 0.0}, {"sigma": -1.0}, {"low": 1.0}]
)
def test_process_that_cannot_be_is_refused(given):
    with pytest.raises(InvalidValue, match="expected"):
        GaussMarkov(**{"mean": 0.0, "sigma": 1.0, "mu": 0.1, **given})
