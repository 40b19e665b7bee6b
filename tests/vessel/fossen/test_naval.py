"""The naval vessel: coefficients that depend on heel, and a cubic righting moment."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
M, G, RHO, VOLUME, GM = 1014.0 * 357.0, 9.81, 1014.0, 357.0, 1.1
X_G, Z_G = -3.38, -1.06


def by_hand(u, v, p, r, b, tau):
    """Return the rates of u, v, p, r by an independent implementation of the source."""
    X = -1960 * u * abs(u) + 0.33 * M * v * r + M * (r * v + X_G * r**2 - Z_G * p * r) + tau[0]
    Y = -11800 * abs(u) * v + 131000 * u * r - 3700 * v * abs(v) - 794000 * v * abs(r)
    Y += -182000 * r * abs(v) + 10800 * b * abs(u * v) + 251000 * b * abs(u * r) - 74 * b * u * u
    Y += -M * u * r + tau[1]
    K = 9260 * abs(u) * v - 102000 * u * r + 29300 * v * abs(v) + 621000 * v * abs(r)
    K += 142000 * r * abs(v) - 8400 * b * abs(u * v) - 196000 * b * abs(u * r) - 1180 * b * u * u
    K += -15500 * abs(u) * p - 416000 * p * abs(p) - 500000 * p - 0.325 * M * G * b**3
    K += -RHO * G * GM * VOLUME * b + M * Z_G * u * r + tau[2]
    N = -92000 * abs(u) * v - 4.71e6 * abs(u) * r - 2.02e8 * r * abs(r) - 1.56e7 * r * abs(v)
    N += -214000 * b * abs(u * b) - 4.98e6 * b * u * abs(r) - 8000 * b * u * abs(u)
    N += -M * X_G * u * r + tau[3]
    mass = np.array(
        [
            [M + 393000, -(M * Z_G - 296000), M * X_G + 1.4e6],
            [-(M * Z_G + 296000), 2.3763e6 + 774000, 0.0],
            [M * X_G - 538000, 0.0, 47.934e6 + 38.7e6],
        ]
    )
    return [X / (M + 17400), *np.linalg.solve(mass, [Y, K, N])]


@pytest.mark.parametrize("seed", range(20))
def test_its_rates_are_the_sources(seed):
    ship, rng = load(INPUTS / "navalvessel"), np.random.default_rng(seed)
    x = np.zeros(ship.initial.size)
    u, v, p, r, b = rng.uniform(-1, 1, 5) * [10, 2, 0.2, 0.05, 0.5]
    x[[6, 7, 9, 11, 3]] = u, v, p, r, b
    tau = rng.uniform(-1, 1, 4) * [1e5, 1e5, 1e6, 5e6]
    x[12:] = tau
    rates = ship.derivative(x, tau, ship.surroundings())
    assert rates[[6, 7, 9, 11]] == pytest.approx(by_hand(u, v, p, r, b, tau), rel=1e-10)
    assert rates[3] == pytest.approx(p)
    assert rates[5] == pytest.approx(r * np.cos(b))
    assert (rates[[2, 4, 8, 10]] == 0.0).all()


def test_it_heels_outwards_in_a_turn_and_comes_upright_after():
    ship, still = load(INPUTS / "navalvessel"), None
    still = ship.surroundings()
    x = ship.step(ship.initial, [1.25e5, 0.0, 0.0, 3e6], still, 0.05, 1200)
    assert x[11] > 0.0
    assert 0.005 < abs(x[3]) < 0.5
    x = ship.step(x, [1.25e5, 0.0, 0.0, 0.0], still, 0.05, 6000)
    assert abs(x[3]) < 0.3 * abs(0.5)


def test_a_large_heel_has_less_righting_moment_than_in_proportion():
    ship = load(INPUTS / "navalvessel")
    straight = load(INPUTS / "navalvessel", overrides={"hydrodynamics.K_phiphiphi_per_weight": 0})
    x = ship.initial.copy()
    x[6:12], x[3] = 0.0, 0.5
    moment, linear = (v.derivative(x, x[12:], v.surroundings())[9] for v in (ship, straight))
    assert moment < linear < 0.0  # the source's cubic term adds to the linear one
