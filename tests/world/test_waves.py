"""Dispersion, spectra and spreading against independent numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, pi, sqrt

import numpy as np
import pytest
from references import WAVES, columns, data, rows

from steerageway.world import spectra, spreading
from steerageway.world.arrays import Floats
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState, wave_number, with_height

STATES = {state["id"]: state for state in data(WAVES / "sea_states.json")}
CLOSE = 1e-8  # of the peak


def half_a_unit(values: Floats) -> Floats:
    """Return the tolerance of numbers rounded to nine digits."""
    return np.asarray(0.5 * 10.0 ** (np.floor(np.log10(np.maximum(values, 1e-300))) - 8.0))


def test_wave_numbers_are_exact() -> None:
    for row in rows(WAVES / "dispersion.csv"):
        k = wave_number(row["w"], row["depth"])
        assert k == pytest.approx(row["k"], rel=1e-12)


@pytest.mark.slow
def test_jonswaps_norm_is_that_of_quadrature() -> None:
    for row in rows(WAVES / "jonswap_norm.csv"):
        assert spectra.jonswap_norm(row["gamma"]) == pytest.approx(row["exact"], abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
def test_spectra_agree_with_the_reference(name: str) -> None:
    """To 1e-8 of the peak, beyond the rounding of the table's nine digits of frequency and S."""
    state = STATES[name]
    table = [row for row in rows(WAVES / "spectra.csv") if row["id"] == name]
    w = columns(table, "w")[:, 0]
    Hs, Tp, wind = state["Hs"], state["Tp"], state["wind_V20_and_V10"]
    gamma, own = state["gamma"], spectra.gamma_of(Hs, Tp)

    def with_dnvs_norm(w: Floats, gamma: float) -> Floats:
        norm = (1.0 - 0.287 * log(gamma)) / spectra.jonswap_norm(gamma)
        return norm * spectra.jonswap(w, Hs, Tp, gamma)

    found: dict[str, Callable[[Floats], Floats]] = {
        "pm_exact": lambda w: spectra.pierson_moskowitz(w, Hs, Tp),
        "jonswap_fetch": spectra.FetchLimited.of(wind, state["fetch"]).spectrum,
        "jonswap_gamma": lambda w: with_dnvs_norm(w, gamma),
        "jonswap_dnv": lambda w: with_dnvs_norm(w, own),
        "torsethaugen": lambda w: spectra.torsethaugen(w, Hs, Tp),
        "jonswap_exact": lambda w: spectra.jonswap(w, Hs, Tp, gamma),
    }
    for key, spectrum in found.items():
        S, expected = spectrum(w), columns(table, key)[:, 0]
        step = half_a_unit(w)
        moved = np.maximum(np.abs(spectrum(w + step) - S), np.abs(spectrum(w - step) - S))
        left = np.abs(S - expected) - moved - half_a_unit(expected)
        assert left.max() < 1e-3 * CLOSE * expected.max(), key
        assert np.abs(S - expected).max() < 2.0 * CLOSE * expected.max(), key


@pytest.mark.parametrize("name", STATES)
def test_torsethaugens_division_and_moments_agree(name: str) -> None:
    state = STATES[name]
    parts = spectra.TwoPeaks.of(state["Hs"], state["Tp"])
    reference = state["torsethaugen_parts"]
    expected = [reference[key] for key in ("Hw", "Hs_swell", "Tw", "Ts", "gamma_w", "gamma_s", "N")]
    assert parts[:7] == pytest.approx(expected, rel=1e-8)
    w = np.geomspace(0.05, 400.0, 40_000) * 2.0 * pi / state["Tp"]
    S = spectra.jonswap(w, state["Hs"], state["Tp"], state["gamma"])
    found, exact = spectra.moments(w, S), state["jonswap_exact_moments"]
    assert [found.Hm0, found.Te, found.T1] == pytest.approx(
        [exact["Hm0"], exact["Te"], exact["T1"]], rel=1e-5
    )
    assert found.Tz == pytest.approx(exact["Tz"], rel=1e-4)


def test_wind_raises_the_height_of_a_full_sea() -> None:
    for row in rows(WAVES / "wind_to_hs.csv"):
        assert spectra.height_of_wind(row["V"]) == pytest.approx(row["Hs"], rel=1e-9)


def test_shallow_water_keeps_low_frequencies_down() -> None:
    w = np.array([0.2, 1.0, 5.0])
    phi = spectra.finite_depth(w, 10.0)
    assert phi == pytest.approx([0.5 * 0.04 * 10 / 9.81, 0.5095, 1.0], abs=1e-2)
    assert (spectra.finite_depth(w, inf) == 1.0).all()


def test_spreading_has_the_reference_density_and_samples_it() -> None:
    for row in rows(WAVES / "spreading.csv"):
        theta = np.radians([row["theta_deg"]])
        D = spreading.density(theta, row["kind"], row["exponent"])
        assert D[0] == pytest.approx(row["D_per_rad"], abs=1e-9)
    shares = (np.arange(20_000) + 0.5) / 20_000
    angles = spreading.drawn(shares, "cosn", 2.0)
    assert np.cos(angles).mean() == pytest.approx(0.848826363157, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("spacing", ["equal_energy", "random"])
def test_a_long_record_has_the_spectrums_height_and_periods(spacing: str) -> None:
    state = SeaState("jonswap", 1.2, 5.5, 3.3, components=100, spacing=spacing)
    sea = Sea.of([state], 11)
    low, high = state.limits
    w = np.linspace(low, high, 20_000)
    intended = spectra.moments(w, state.density(w))
    a, frequencies = sea.rows[:, 0], sea.rows[:, 1]
    m0, m1, m2 = (float((0.5 * a**2 * frequencies**n).sum()) for n in (0, 1, 2))
    assert 4.0 * sqrt(m0) == pytest.approx(1.2, rel=1e-12)
    assert 2.0 * pi * m0 / m1 == pytest.approx(intended.T1, rel=0.02)
    assert 2.0 * pi * sqrt(m0 / m2) == pytest.approx(intended.Tz, rel=0.02)
    record = sea.elevation(0.0, 0.0, np.arange(0.0, 10_800.0, 0.25))
    assert 4.0 * record.std() == pytest.approx(1.2, rel=0.02)


def test_a_record_repeats_only_with_equidistant_frequencies() -> None:
    state = SeaState("pm", 1.0, 6.0, components=30, spacing="equidistant")
    period = state.repeats_after()
    sea = Sea.of([state], 3)
    t = np.linspace(0.0, 60.0, 50)
    shifted = sea.elevation(0.0, 0.0, t + 2 * period)
    assert np.abs(shifted - sea.elevation(0.0, 0.0, t)).max() < 1e-9
    assert SeaState("pm", 1.0, 6.0).repeats_after() == inf


def test_a_sea_is_the_same_for_one_seed_and_another_for_another() -> None:
    state = SeaState("pm", 1.0, 6.0, spreading="cosn")
    one, same, other = (Sea.of([state], seed) for seed in (5, 5, 6))
    assert one.rows.tobytes() == same.rows.tobytes()
    assert one.rows.tobytes() != other.rows.tobytes()


def test_a_change_is_smooth_and_independent_of_the_time_of_the_query() -> None:
    state = SeaState("pm", 1.0, 6.0)
    sea = Sea.of([state], 5, ramp=10.0)
    assert sea.elevation(3.0, 4.0, 0.0) == 0.0
    changed = sea.changed([with_height(state, 2.0)], 5, 1, 100.0)
    t = np.linspace(60.0, 100.0, 81)
    assert (changed.elevation(3.0, 4.0, t) == sea.elevation(3.0, 4.0, t)).all()
    later = np.linspace(99.9, 111.0, 2000)
    assert np.abs(np.diff(changed.elevation(3.0, 4.0, later))).max() < 0.02
    settled = changed.settled(111.0)
    assert len(settled.rows) == 40
    assert (settled.elevation(0.0, 0.0, later[-5:]) == changed.elevation(0, 0, later[-5:])).all()
    again = changed.changed([state], 5, 2, 105.0)
    assert len(again.rows) == 120
