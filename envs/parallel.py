"""``FleetEnv``: a game of several vessels, in PettingZoo's parallel interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import error
from gymnasium.vector import AutoresetMode

from steerageway import require

require("learn", __name__, "pettingzoo")

from pettingzoo import ParallelEnv  # noqa: E402

from steerageway.envs.vector import METADATA, VesselVectorEnv, known, numbers  # noqa: E402
from steerageway.vessel.games import GAMES, Game  # noqa: E402


# Attributes and methods are PettingZoo's.
class FleetEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """Vessels of one kind in a game of ``vessel.games``; the episode ends for all at once.

    Attributes:
        orders: names of an action's entries.
        shown: names of an observation's entries.
    """

    def __init__(
        self, game: str, vessel: str = "heron", vessels: int | None = None, **options: Any
    ) -> None:
        """Make the environment; nothing is drawn before ``reset``.

        Args:
            game: name of a class of ``games``.
            vessel: folder, or name of a shipped vessel.
            vessels: number of agents; None: the game's own.
            options: reward, randomise, engine: as those of ``VesselVectorEnv``.

        Raises:
            gymnasium.error.Error: an argument is wrong; the text says what would be right.
        """
        kind = GAMES[known("game", game, GAMES)]
        count = kind.COUNT if vessels is None else vessels
        if not isinstance(count, int) or count < 2 or count % kind.TEAMS:
            raise error.Error(
                f"vessels = {count!r}: expected at least 2, in {kind.TEAMS} teams of equal size"
                if kind.TEAMS > 1
                else f"vessels = {count!r}: expected at least 2"
            )
        self._all = VesselVectorEnv(
            kind, vessel, count, autoreset_mode=AutoresetMode.DISABLED, **options
        )
        self.orders, self.shown = self._all.orders, self._all.shown
        task = self._all._task
        assert isinstance(task, Game)
        self.possible_agents = list(task.agents)
        self.agents: list[str] = []
        self.metadata = {"name": f"steerageway_{game}_v0", **METADATA}
        self.render_mode = self._all.render_mode
        one = self._all
        self.observation_spaces = dict.fromkeys(self.possible_agents, one.single_observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, one.single_action_space)

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        observed, _ = self._all.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._each(observed), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Advance all vessels by 0.1 s.

        Raises:
            gymnasium.error.InvalidAction: an agent has none, or as ``VesselVectorEnv.step``.
            gymnasium.error.ResetNeeded: as there.
        """
        if not self.agents:
            raise error.ResetNeeded("the episode is over or none has begun: call reset() first")
        if not isinstance(actions, Mapping) or set(actions) != set(self.agents):
            names = ", ".join(map(str, actions)) if isinstance(actions, Mapping) else repr(actions)
            expected = f"expected one of each of {', '.join(self.agents)}"
            raise error.InvalidAction(f"actions of {names}: {expected}")
        rows = [numbers(actions[agent]) for agent in self.agents]
        if len({row.shape for row in rows}) > 1:
            raise error.InvalidAction(f"actions of shapes {[row.shape for row in rows]}")
        observed, rewards, terminated, truncated, info = self._all.step(np.array(rows))
        over = bool(terminated.any())
        told = {
            agent: {name: values[i].item() for name, values in info.items()}
            for i, agent in enumerate(self.agents)
        }
        found = (
            self._each(observed),
            {agent: float(one) for agent, one in zip(self.agents, rewards, strict=True)},
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, bool(truncated.any()) and not over),
            told,
        )
        if over or truncated.any():
            self.agents = []
        return found

    def render(self) -> Any:
        """Return a picture of all vessels; as ``VesselVectorEnv.picture``."""
        return self._all.picture(range(len(self.possible_agents)))

    def close(self) -> None:
        """End the missions, if there are any."""
        self._all.close()

    def _each(self, rows: Any) -> dict[str, Any]:
        return dict(zip(self.agents, rows, strict=True))
