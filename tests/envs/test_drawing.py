"""Pictures of environments: where things are, and no screen; and the viewer that follows them."""

from __future__ import annotations

import sys
import warnings
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import gymnasium
import numpy as np
import pytest
from gymnasium import error

from steerageway.bus import Client
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
    with warnings.catch_warnings(action="error"):  # of a mode that its class does not name
        made = gymnasium.make("steerageway/StationKeeping-v0", render_mode="rgb_array")
    env = made.unwrapped
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
    plain = VesselEnv("Docking")
    with pytest.raises(error.Error, match="'human' or 'rgb_array' when it was made"):
        plain.render()
    with pytest.raises(error.ResetNeeded):
        VesselEnv("Docking", render_mode="rgb_array").render()


@pytest.mark.slow
@pytest.mark.process
def test_the_viewer_follows_a_game_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    env = FleetEnv("Convoy", "otter", render_mode="human")
    with pytest.warns(UserWarning, match="no display here.*ssh -L.*'rgb_array'"):
        env.reset(seed=1)
    viewer = env._all._view
    with urlopen(viewer.address) as page:
        assert page.status == 200
    with Client.connect(viewer.broker, "test") as observer:
        observer.register("NODE_REPORT")
        seen: dict[str, Any] = {}
        while len(seen) < 4:
            env.step(dict.fromkeys(env.agents, np.array([0.1, 0.5])))
            assert env.render() is None
            x = env._all._engine.x
            for message in observer.fetch(timeout=0.0):
                pairs = dict(pair.split("=") for pair in message.value.split(","))
                seen[pairs["NAME"]] = pairs
    for name, row in zip(env.possible_agents, x, strict=True):
        place = float(seen[name]["Y"]), float(seen[name]["X"])
        assert np.hypot(*(row[:2] - place)) < 2.0  # within a second's way
    process = viewer._process
    env.close()
    assert process.returncode is not None
    with pytest.raises(URLError):
        urlopen(viewer.address)
