"""The wind: profiles, gusts and their spectra, as pure functions of time."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.world import gusts
from steerageway.world.random_streams import generator
from steerageway.world.wind import at_height


def test_the_mean_grows_with_height() -> None:
    assert at_height(10.0, 10.0) == 10.0
    assert at_height(10.0, 2.0) == pytest.approx(10.0 * 0.2**0.12)
    assert at_height(10.0, 20.0, "log") == pytest.approx(10.0 * (1 + 0.0573 * 2.5**0.5 * np.log(2)))
    assert at_height(10.0, 2.0, "none") == 10.0


@pytest.mark.parametrize("kind", ["npd", "harris", "davenport"])
def test_gusts_have_their_spectrums_energy(kind: str) -> None:
    drawn = gusts.of_speed(kind, 12.0, generator(3, "gusts"))
    f = np.geomspace(gusts.LOWEST, gusts.HIGHEST, 20_000)
    S = gusts.SPECTRA[kind](f, 12.0, 10.0)
    assert drawn.deviation == pytest.approx(float(np.trapezoid(S, f)) ** 0.5, rel=1e-3)


def test_npds_value_is_the_formulas() -> None:
    S = gusts.npd(np.array([0.01]), 20.0, 10.0)[0]
    q = 172 * 0.01 * 2.0**-0.75
    assert pytest.approx(320 * 4 / (1 + q**0.468) ** (5 / (3 * 0.468)), rel=1e-12) == S


def test_intensity_is_the_deviation_and_time_series_has_it() -> None:
    drawn = gusts.of_speed("gauss_markov", 10.0, generator(1, "gusts"), intensity=0.15)
    assert drawn.deviation == pytest.approx(1.5)
    series = [drawn.at(t) for t in np.arange(0.0, 20_000.0, 5.0)]
    assert np.std(series) == pytest.approx(1.5, rel=0.1)
    assert np.mean(series) == pytest.approx(0.0, abs=0.15)


def test_a_gust_is_the_same_for_every_reader() -> None:
    one, other = (gusts.of_speed("npd", 9.0, generator(4, "gusts")) for _ in range(2))
    assert one.at(123.4) == other.at(123.4)
