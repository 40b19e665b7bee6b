"""Pictures of environments: where things are, and no screen."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from gymnasium import error

from steerageway.envs.parallel import FleetEnv
from steerageway.envs.single import VesselEnv
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.fossen.state import PSI

RED = (214, 39, 40)


def red(picture: Any) -> Any:
    """Return the rows and columns (n, 2) of a picture's pixels in the vessels' colour."""
    return np.argwhere((np.abs(picture.astype(int) - RED) < 20).all(axis=-1))


@pytest.mark.slow
def test_a_picture_shows_the_vessel_north_up_without_a_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)  # which may open windows
    env = VesselEnv("StationKeeping", render_mode="rgb_array")
    env.reset(seed=1)
    x, goal = env._all._engine.x, env._all._task.goal  # type: ignore[attr-defined]
    shapes = []
    for heading in (0.0, np.pi / 2):
        x[0, :2], x[0, PSI] = goal[0, :2], heading
        seen = env.render()
        assert (seen.shape, seen.dtype) == ((480, 480, 3), np.uint8)
        assert np.array_equal(seen, env.render())
        shapes.append(np.ptp(red(seen), axis=0))
    assert shapes[0][0] > 1.5 * shapes[0][1]  # an Otter is twice as long as it is wide
    assert shapes[1][1] > 1.5 * shapes[1][0]


@pytest.mark.slow
def test_vessels_are_drawn_one_by_one_or_those_of_a_game_together() -> None:
    envs = VesselVectorEnv("Encounter", num_envs=2, render_mode="rgb_array")
    envs.reset(seed=1)
    one, other = envs.render()
    assert not np.array_equal(one, other)
    fleet = FleetEnv("AreaDefence", render_mode="rgb_array")
    fleet.reset(seed=1)
    seen = red(fleet.render())
    assert (seen[:, 1] < 240).any()
    assert (seen[:, 1] > 240).any()


def test_rendering_without_a_mode_or_an_episode_is_an_error_of_gymnasium_s() -> None:
    with pytest.raises(error.UnsupportedMode, match="expected None or 'rgb_array'"):
        VesselEnv("Docking", render_mode="ansi")
    plain = VesselEnv("Docking")
    with pytest.raises(error.Error, match="render_mode = 'rgb_array' when it was made"):
        plain.render()
    with pytest.raises(error.ResetNeeded):
        VesselEnv("Docking", render_mode="rgb_array").render()
