"""``VesselEnv``: a task for one vessel, in Gymnasium's interface."""

from __future__ import annotations

from typing import Any

from gymnasium import Env, error
from gymnasium.vector import AutoresetMode

from steerageway.envs.vector import METADATA, VesselVectorEnv, numbers


class VesselEnv(Env[Any, Any]):
    """One of the vessels of a ``VesselVectorEnv``; its arguments are that one's."""

    metadata = dict(METADATA)  # noqa: RUF012  Gymnasium's, an instance's too

    def __init__(self, task: str, vessel: str = "otter", **options: Any) -> None:
        """Make the environment; see ``VesselVectorEnv``."""
        self._all = VesselVectorEnv(
            task, vessel, 1, autoreset_mode=AutoresetMode.DISABLED, **options
        )
        self.render_mode = self._all.render_mode
        self.observation_space = self._all.single_observation_space
        self.action_space = self._all.single_action_space
        self.orders, self.shown = self._all.orders, self._all.shown

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        observed, info = self._all.reset(seed=int(self.np_random.integers(2**31)))
        return observed[0], info

    def render(self) -> Any:
        """Return a picture; as ``VesselVectorEnv.picture``."""
        return self._all.picture([0])

    def close(self) -> None:
        """End the mission, if there is one."""
        self._all.close()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Advance the vessel by 0.1 s. Raises: as ``VesselVectorEnv.step``."""
        given = numbers(action)
        if given.shape != self.action_space.shape:
            shape = self.action_space.shape
            expected = f"expected {shape}: {', '.join(self.orders)}, each -1 to 1"
            raise error.InvalidAction(f"an action of shape {given.shape}: {expected}")
        observed, rewards, terminated, truncated, info = self._all.step(given[None])
        told = {key: values[0].item() for key, values in info.items()}
        return observed[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), told
