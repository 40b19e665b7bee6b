"""Time step limit from the fastest mode of hull and actuators."""

from __future__ import annotations

from math import inf, isfinite
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.stability import longest_step
from steerageway.vessel.fossen.time_step_limit import fastest_mode

INPUTS = Path(__file__).parents[3] / "inputs"


def test_a_real_mode_allows_2_785_time_constants():
    assert longest_step(-4.0) == pytest.approx(2.785 / 4, rel=2e-3)
    assert longest_step(-1e3) == pytest.approx(2.785e-3, rel=2e-3)


def test_a_lightly_damped_swing_allows_2_83_radians():
    assert longest_step(complex(-1e-3, 10.0)) == pytest.approx(0.2828, rel=5e-3)


def test_modes_that_do_not_decay_set_no_limit():
    assert longest_step(0.0) == longest_step(2.0 + 1.0j) == inf


@pytest.mark.slow
def test_the_otters_hull_is_stable_at_the_longest_step():
    otter = load(INPUTS / "otter")
    mode = fastest_mode(otter)
    assert 0.23 < mode.limit < 2.785 * 0.1  # the propellers' time constant is 0.1 s
    with pytest.raises(InvalidValue, match=f"of {mode.limit:.3g} s or less"):
        FossenModel(otter, 0.25)
    FossenModel(otter, mode.limit)
    full, around = [90.0, 90.0], otter.surroundings()
    fine = otter.step(otter.initial, full, around, 0.01, 6000)
    coarse = otter.step(otter.initial, full, around, 0.23, 260)
    assert coarse[6] == pytest.approx(fine[6], rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in INPUTS.iterdir() if path.is_dir()))
def test_every_vessel_is_calm_at_most_of_its_limit(name):
    vessel = load(INPUTS / name)
    mode = fastest_mode(vessel)
    assert isfinite(mode.limit)
    step = 0.95 * mode.limit
    x = vessel.initial + 1e-6 * np.sin(np.arange(vessel.initial.size))
    try:
        x = vessel.step(x, np.zeros(len(vessel.commands)), vessel.surroundings(), step, 2000)
    except VesselError as error:
        pytest.fail(str(error))
