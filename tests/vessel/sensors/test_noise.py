"""Size and rate of errors as configured, over long seeded runs."""

from __future__ import annotations

import hashlib
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.sensors.noise import BLOCK, Errors, Faults, Noise, factor

UWB = np.array([[0.04533883, -0.05014115, 0], [-0.05014115, 0.05869406, 0], [0, 0, 1e-8]])
MANY = 20_000


def errors(covariance: object = ((1.0,),), **given: object) -> Errors:
    """Return errors that are zero but for those given."""
    matrix = np.array(covariance, np.float64)
    size = len(matrix)
    usual = dict.fromkeys(("bias", "drift_rms", "scale", "resolution"), 0.0)
    usual |= dict.fromkeys(("drift_time", "limit"), inf) | given
    return Errors(matrix, **{key: np.full(size, value) for key, value in usual.items()})


def seed(stream: str) -> int:
    """Return a seed for each stream."""
    return int.from_bytes(hashlib.sha256(stream.encode()).digest()[:8])


def noise(errors: Errors, period: float = 0.1, **faults: float) -> Noise:
    """Return seeded noise."""
    return Noise(errors, Faults(**faults), period, seed)


def drawn(noise: Noise, size: int = 1, count: int = MANY, value: float = 0.0) -> np.ndarray:
    """Return the measurements of a constant value, including lost ones."""
    return noise.measured(np.full((count, size), value))[0]


def within_band(statistic: float, freedom: int) -> bool:
    """Return whether a chi-square statistic lies in its 99.9 % band."""
    low, high = chi2.ppf([0.0005, 0.9995], freedom)
    return bool(low < statistic < high)


def test_white_noise_has_its_covariance() -> None:
    values = drawn(noise(errors(UWB)), 3)
    statistic = float(np.einsum("ij,jk,ik->", values, np.linalg.inv(UWB), values))
    assert within_band(statistic, 3 * MANY)
    assert np.cov(values.T) == pytest.approx(UWB, abs=1e-3)


def test_white_noise_is_white() -> None:
    values = drawn(noise(errors()))[:, 0]
    for lag in (1, 2, 10):
        correlation = float(np.mean(values[lag:] * values[:-lag]))
        assert abs(correlation) < 4 / sqrt(MANY)


@settings(max_examples=40)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(-2, 2), min_size=n, max_size=n), min_size=1, max_size=n
        )
    )
)
def test_the_factor_of_any_covariance_gives_it_back(rows: list[list[float]]) -> None:
    A = np.array(rows)
    covariance = A.T @ A
    L = factor(covariance)
    spread = np.sqrt(covariance.diagonal())
    assert np.all(np.abs(L @ L.T - covariance) <= 2e-6 * np.outer(spread, spread))


def test_an_invalid_covariance_is_refused() -> None:
    with pytest.raises(InvalidValue, match="not symmetric"):
        factor(np.array([[1.0, 0.5], [0.4, 1.0]]))
    with pytest.raises(InvalidValue, match=r"not positive semidefinite.*-1"):
        factor(np.array([[1.0, 2.0], [2.0, 1.0]]))


def allan_deviation(values: np.ndarray, span: int) -> float:
    """Return the Allan deviation of rates for averages over a number of samples."""
    means = values[: len(values) // span * span].reshape(-1, span).mean(axis=1)
    return float(np.sqrt(np.mean(np.diff(means) ** 2) / 2))


def slope(values: np.ndarray, spans: tuple[int, int]) -> float:
    """Return the slope of the Allan deviation between two spans, both axes logarithmic."""
    short, long = (allan_deviation(values, span) for span in spans)
    return float(np.log(long / short) / np.log(spans[1] / spans[0]))


@pytest.mark.slow
def test_the_allan_deviation_falls_for_white_noise_and_rises_for_a_drift() -> None:
    white = drawn(noise(errors()), count=200_000)[:, 0]
    assert slope(white, (4, 64)) == pytest.approx(-0.5, abs=0.05)
    drift = errors(((0.0,),), drift_rms=1.0, drift_time=1000.0)
    drifting = drawn(noise(drift), count=200_000)[:, 0]
    assert slope(drifting, (10, 200)) == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_a_drift_is_a_gauss_markov_process() -> None:
    drift = errors(((0.0,),), drift_rms=0.3, drift_time=2.0)
    values = drawn(noise(drift), count=400_000)[:, 0]
    assert values.std() == pytest.approx(0.3, rel=0.02)
    for lag in (10, 20, 40):
        correlation = np.mean(values[lag:] * values[:-lag]) / np.mean(values**2)
        assert correlation == pytest.approx(np.exp(-lag * 0.1 / 2.0), abs=0.03)


def test_a_drift_begins_in_its_steady_state() -> None:
    drift = errors(((0.0,),), drift_rms=2.0, drift_time=1e6)
    starts = [
        Noise(Errors.of([drift] * 10), Faults(), 0.1, lambda stream, k=k: seed(f"{k}{stream}"))
        for k in range(20)
    ]
    values = np.concatenate([start.measured(np.zeros((1, 10)))[0][0] for start in starts])
    assert within_band(float(np.sum(values**2) / 4.0), 200)


def test_bias_scale_limit_and_resolution_have_their_effect() -> None:
    nothing = ((0.0,),)
    assert drawn(noise(errors(nothing, bias=0.5)), count=3, value=2.0) == pytest.approx(2.5)
    assert drawn(noise(errors(nothing, scale=-0.1)), count=3, value=2.0) == pytest.approx(1.8)
    limited = noise(errors(nothing, limit=1.5))
    assert limited.measured(np.array([[2.0], [-9.0], [1.0]]))[0][:, 0].tolist() == [1.5, -1.5, 1.0]
    rounded = noise(errors(nothing, resolution=0.25))
    assert rounded.measured(np.array([[0.3], [-0.4], [0.12]]))[0][:, 0].tolist() == [
        0.25,
        -0.5,
        0.0,
    ]


def test_a_measurement_is_scaled_then_offset_then_limited_then_rounded() -> None:
    made = errors(((0.0,),), bias=0.3, scale=0.5, limit=3.1, resolution=0.5)
    assert drawn(noise(made), count=1, value=1.0)[0, 0] == 2.0  # 1.5 + 0.3 = 1.8
    assert drawn(noise(made), count=1, value=9.0)[0, 0] == 3.0  # 13.8, at most 3.1


def binomial_band(share: float, count: int) -> float:
    return 4 * sqrt(share * (1 - share) * count)


def test_dropouts_come_at_their_rate() -> None:
    _, kept = noise(errors(), dropout=0.15).measured(np.zeros((MANY, 1)))
    assert abs((~kept).sum() - 0.15 * MANY) < binomial_band(0.15, MANY)
    assert noise(errors()).measured(np.zeros((MANY, 1)))[1].all()
    assert not noise(errors(), dropout=1.0).measured(np.zeros((5, 1)))[1].any()


def test_outliers_come_at_their_rate_and_size() -> None:
    plain = drawn(noise(errors()))
    spoilt = drawn(noise(errors(), outlier_rate=0.02, outlier_scale=30.0))
    ratio = spoilt[:, 0] / plain[:, 0]
    outliers = np.abs(ratio - 1) > 1e-9
    assert abs(outliers.sum() - 0.02 * MANY) < binomial_band(0.02, MANY)
    assert ratio[outliers] == pytest.approx(30.0)


def test_asking_for_one_error_changes_no_draw_of_another() -> None:
    plain = drawn(noise(errors()), count=2000)
    with_drift = drawn(noise(errors(drift_rms=1.0, drift_time=5.0)), count=2000)
    only_drift = drawn(noise(errors(((0.0,),), drift_rms=1.0, drift_time=5.0)), count=2000)
    assert with_drift == pytest.approx(plain + only_drift)
    assert (drawn(noise(errors(), dropout=0.3), count=2000) == plain).all()


@settings(max_examples=20)
@given(st.lists(st.integers(1, 700), min_size=1, max_size=4))
def test_errors_do_not_depend_on_how_measurements_are_cut_into_batches(cuts: list[int]) -> None:
    made = errors(UWB, drift_rms=0.1, drift_time=3.0, bias=1.0)
    whole = noise(made, dropout=0.1).measured(np.zeros((sum(cuts), 3)))
    pieces = noise(made, dropout=0.1)
    measured = [pieces.measured(np.zeros((cut, 3))) for cut in cuts]
    assert (np.concatenate([values for values, _ in measured]) == whole[0]).all()
    assert (np.concatenate([kept for _, kept in measured]) == whole[1]).all()
    assert max(cuts) <= 700 < 2 * BLOCK
