"""Trials as functions: spirals in closed form, and the limits of IMO's resolution."""

from __future__ import annotations

from math import degrees, radians

import numpy as np
import pytest

from steerageway.control import Trial, imo, run_trials
from steerageway.vessel.fossen.folder import load

K, n_3, FULL = 0.37, 0.4, radians(30.0)


def steady(n_1: float, rudder: float, start: float) -> float:
    """Return the root of n_3 r³ + n_1 r = K delta that Norrbin's ship falls to from a rate."""
    roots = np.roots([n_3, 0.0, n_1, -K * FULL * rudder / 100.0])
    real = sorted(float(root.real) for root in roots if abs(root.imag) < 1e-9)
    stable = [r for r in real if n_1 + 3.0 * n_3 * r * r > 0.0]
    return min(stable, key=lambda r: abs(r - start)) if len(stable) > 1 else stable[0]


@pytest.mark.slow
def test_a_spiral_has_the_roots_of_norrbins_equation_and_a_loop_if_unstable() -> None:
    ship = load("zeefakkel")
    told: list[str] = []
    found = run_trials(ship, ("spiral", "pull_out"), progress=lambda name, share: told.append(name))
    assert told == ["spiral", "pull_out"]
    figures = found["spiral"].figures
    for rudder in (100, 30, 0, -60):
        expected = degrees(steady(1.0, rudder, 0.0))
        assert figures[f"rate_at_{rudder}_percent"] == pytest.approx(expected, abs=2e-2)
    assert figures["loop_width"] == 0.0
    assert found["pull_out"].figures["difference"] < 0.1
    wild = load("zeefakkel", overrides={"hydrodynamics.n_1": -0.2})
    loose = run_trials(wild, ("spiral", "pull_out"))
    rate = degrees((0.2 / n_3) ** 0.5)  # the stable roots at rudder 0
    assert loose["spiral"].figures["loop_height"] == pytest.approx(2.0 * rate, rel=0.05)
    assert loose["pull_out"].figures["difference"] == pytest.approx(2.0 * rate, rel=0.05)
    frame = found["pull_out"].frame()
    assert list(frame["t"]) == found["pull_out"].columns["t"].tolist()


@pytest.mark.parametrize(("slow", "first", "second"), [(5, 10, 25), (20, 15, 32.5), (40, 20, 40)])
def test_limits_are_those_of_the_resolution(slow: float, first: float, second: float) -> None:
    """MSC.137(76), 5.3.2 and 5.3.3, at length over speed of 5, 20 and 40 s."""
    figures = {"first_overshoot": 15.0, "second_overshoot": 40.0}
    found = imo({"zigzag_10": Trial("zigzag_10", figures, {})}, 100.0, 100.0 / slow)
    assert [one.limit for one in found] == [first, second]
    assert [one.met for one in found] == [first >= 15.0, second >= 40.0]
