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


@pytest.mark.slow
def test_a_reverse_spiral_shows_the_branch_on_which_an_unstable_ship_does_not_stay() -> None:
    """Norrbin's K delta = n_3 r^3 + n_1 r, to what is left when the rudder counts as steady."""
    wild = load("zeefakkel", overrides={"hydrodynamics.n_1": -0.2})
    figures = run_trials(wild, ("reverse_spiral",))["reverse_spiral"].figures
    for share in (80, 40, 10, 0, -20):
        r = radians(figures["full_rate"]) * share / 100.0
        expected = 100.0 * (n_3 * r**3 - 0.2 * r) / (K * FULL)
        assert figures[f"rudder_at_{share}_percent"] == pytest.approx(expected, abs=0.3)
    assert figures["slope"] < 0.0


@pytest.mark.slow
def test_a_step_of_force_has_the_speed_and_time_constant_of_a_linear_drag() -> None:
    """The Otter's sheet: X_u u = F, and (m - X_ud) / X_u."""
    found = run_trials(load("otter"), ("surge_force", "heave_force"))
    surge, m, drag = found["surge_force"].figures, 85.281521009576395, 77.55443234836703
    assert 0.7 * 0.01 * m < surge["force"] < 0.01 * m  # free to pitch, it is lighter at first
    assert surge["speed"] == pytest.approx(surge["force"] / drag, rel=1e-3)
    assert surge["time_constant"] == pytest.approx(m / drag, abs=0.11)
    assert "displacement" in found["heave_force"].figures
    without = run_trials(load("mariner"), ("surge_force",))["surge_force"].without
    assert without.startswith("mariner: a published model")


@pytest.mark.parametrize(("slow", "first", "second"), [(5, 10, 25), (20, 15, 32.5), (40, 20, 40)])
def test_limits_are_those_of_the_resolution(slow: float, first: float, second: float) -> None:
    """MSC.137(76), 5.3.2 and 5.3.3, at length over speed of 5, 20 and 40 s."""
    figures = {"first_overshoot": 15.0, "second_overshoot": 40.0}
    figures |= {"initial_turning": 260.0}
    found = imo({"zigzag_10": Trial("zigzag_10", figures, {})}, 100.0, 100.0 / slow)
    assert [one.limit for one in found] == [250.0, first, second]
    assert [one.met for one in found] == [False, first >= 15.0, second >= 40.0]


def test_turns_and_stops_have_the_limits_of_the_resolution() -> None:
    """MSC.137(76), 5.3.1 and 5.3.4: in lengths; of a stop the track, not what is made ahead."""
    turned = Trial("turning_circle", {"advance": 440.0, "tactical_diameter": 510.0}, {})
    stopped = Trial("crash_stop", {"head_reach": 1400.0, "track_reach": 1600.0}, {})
    found = imo({"turning_circle": turned, "crash_stop": stopped}, 100.0, 8.0)
    assert [(one.limit, one.unit, one.met) for one in found] == [
        (450.0, "m", True),
        (500.0, "m", False),
        (1500.0, "m", False),
    ]
