"""``VesselVectorEnv``: a task for N vessels at once, in Gymnasium's vector interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.envs.batch import Batch
from steerageway.envs.missions import Missions
from steerageway.envs.randomisation import (
    Range,
    Transmission,
    check_vessel,
    displace,
    flow,
    ranges_of,
    variants,
)
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tasks import DT, Reward, Task, scale_of
from steerageway.vessel.tasks_around import ALL_TASKS
from steerageway.world.arrays import Flags, Floats

ENGINES = ("batch", "mission")
METADATA: Mapping[str, Any] = {"render_modes": ["rgb_array"], "render_fps": round(1.0 / DT)}


class VesselVectorEnv(VectorEnv[Any, Any, Any]):
    """N vessels with a task each.

    An action (N, orders) has an entry from -1 to 1 for each of ``orders`` ("rudder", "thrust",
    "elevator", those that the vessel follows), of the full order. An observation is float32.

    Attributes:
        orders: names of an action's entries.
        shown: names of an observation's entries.
        features: of the last step, name -> (N,), in SI units.
    """

    def __init__(
        self,
        task: str | type[Task],
        vessel: str = "otter",
        num_envs: int = 1,
        *,
        reward: Reward | None = None,
        randomise: Mapping[str, Range] | None = None,
        engine: str = "batch",
        mission: str | Path | None = None,
        mission_options: Mapping[str, object] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        """Make the environments; nothing is drawn before ``reset``.

        Args:
            task: name of a class of ``tasks`` or ``tasks_around``, or a class of one's own.
            vessel: folder, or name of a shipped vessel.
            num_envs: number of vessels.
            reward: function of the features instead of the task's own.
            randomise: ranges (low, high) of some of ``randomisation.RANDOMISED``.
            engine: of ``ENGINES``: "batch" steps all vessels by one call; "mission" runs a
                mission for each, thousands of times slower, with every app.
            mission: with the engine "mission": file, folder or name of a mission, whose first
                community simulates the vessel; None: one with a simulator alone.
            mission_options: further arguments of ``Mission``, such as ``skip``.
            autoreset_mode: one of Gymnasium's three.
            render_mode: None or "rgb_array".

        Raises:
            gymnasium.error.Error: an argument is wrong; the text says what would be right.
        """
        kind = ALL_TASKS[known("task", task, ALL_TASKS)] if isinstance(task, str) else task
        self._ranges = ranges_of({**kind.randomised, **(randomise or {})})
        if num_envs < 1:
            raise error.Error(f"num_envs = {num_envs}: expected at least 1")
        self.num_envs, self.render_mode = num_envs, render_mode
        drawer = _picture(render_mode)
        try:
            self._engine = _engine(engine, vessel, num_envs, mission, mission_options or {})
            check_vessel(self._engine.vessel, self._ranges, engine)
            scale = scale_of(self._engine.vessel, self._engine.steps)
        except VesselError as wrong:
            raise error.Error(str(wrong)) from None
        self.orders = self._engine.orders
        _check_orders(kind, vessel, self.orders)
        self._task = kind(scale, num_envs, DT)
        self._reward = reward or self._task.reward
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.features: dict[str, Floats] = {}
        self._picture = drawer and drawer(self._engine.vessel.outline, scale.length)
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.ones(num_envs, np.bool_)  # whether an episode is over, or never began
        self._last = round(self._task.longest / DT)
        self._set_spaces()
        self._set_disturbances()

    def _set_spaces(self) -> None:
        """Set the names of what is shown, and the spaces of observations and actions."""
        self.shown = [one.feature for one in self._task.shown]
        low, high = (np.array([one[i] for one in self._task.shown], np.float32) for i in (2, 3))
        if self._ranges["noise"][1] > 0.0:
            low, high = np.full_like(low, -np.inf), np.full_like(high, np.inf)
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Box(-1.0, 1.0, (len(self.orders),), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _set_disturbances(self) -> None:
        """Set what lies between the vessels and those who observe and steer them."""
        self._noise = np.zeros((self.num_envs, 1))
        slow = any(self._ranges[name][1] > 0.0 for name in ("delay", "lag"))
        size = self.num_envs, len(self.orders)
        longest = self._ranges["delay"][1]
        self._transmission = Transmission(*size, DT, longest) if slow else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes; ``options={"reset_mask": (N,) bool}`` those of some vessels."""
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        if which.shape != (self.num_envs,):
            raise error.Error(f"reset_mask of shape {which.shape}: expected ({self.num_envs},)")
        self._begin(which)
        self._look()
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Advance every vessel by 0.1 s.

        Raises:
            gymnasium.error.ResetNeeded: an episode is over, or none has begun.
            gymnasium.error.InvalidAction: an entry is not a number from -1 to 1.
            gymnasium.error.Error: the reward function gives something else than (N,) numbers.
        """
        given = self._checked(actions)
        before = self._over.copy()
        if before.any() and (self.autoreset_mode != AutoresetMode.NEXT_STEP or not self.features):
            raise error.ResetNeeded("an episode is over or none has begun: call reset() first")
        if self._transmission is not None:
            given = self._transmission.through(given)
        lost = self._engine.step(given)
        self._steps += 1
        if before.any():  # their action is not used: the first state of the new episode is shown
            self._begin(before)
        self._look()
        rewards = np.where(before, 0.0, self._rewards())
        reached, failed = self._task.ends(self.features)
        terminated = (reached | failed | lost) & ~before
        truncated = (self._steps >= self._last) & ~terminated & ~before
        self._over = terminated | truncated
        info: dict[str, Any] = {"reached": reached & ~before, "failed": (failed | lost) & ~before}
        info |= {name: self.features[name] for name in self._task.told}
        observed = self._observed()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            info |= {"final_obs": observed, "_final_obs": self._over.copy()}
            self._begin(self._over)
            self._look()
            observed = self._observed()
        return observed, rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...]:
        """Return the picture (height, width, 3) of each vessel, uint8.

        Raises:
            gymnasium.error.Error: the environment was made without a render_mode, or not reset.
        """
        return tuple(self.picture([i]) for i in range(self.num_envs))

    def picture(self, rows: Sequence[int]) -> Any:
        """Return one picture of some vessels; as ``render``."""
        if self._picture is None:
            raise error.Error("render: expected render_mode = 'rgb_array' when it was made")
        if not self.features:
            raise error.ResetNeeded("no episode has begun: call reset() first")
        return self._picture.draw(self._task, self._engine.x, rows)

    def close_extras(self, **kwargs: Any) -> None:
        """End the missions, if there are any."""
        self._engine.close()

    def _begin(self, which: Flags) -> None:
        """Start the episodes of some vessels."""
        random, count = self.np_random, int(which.sum())
        x = np.tile(self._engine.vessel.initial, (count, 1))
        self._task.draw(random, which, x)
        displace(x, self._ranges, self._task.scale, random)
        full = self._task.scale.speed
        current = full * flow(random, count, self._ranges["current"])
        wind = flow(random, count, self._ranges["wind"])
        if which.all() and isinstance(self._engine, Batch):
            self._engine.models = variants(self._engine.vessel, self.num_envs, self._ranges, random)
        self._engine.restart(which, x, current, wind, random)
        if self._transmission is not None:
            delays = random.uniform(*self._ranges["delay"], count)
            self._transmission.restart(which, delays, random.uniform(*self._ranges["lag"], count))
        self._noise[which, 0] = random.uniform(*self._ranges["noise"], count)
        self._steps[which] = 0
        self._over[which] = False

    def _look(self) -> None:
        self._task.time = np.asarray(self._steps * DT)
        self.features = self._task.features(self._engine.x)
        if self._picture is not None:
            self._picture.keep(self._engine.x, self._steps == 0)

    def _rewards(self) -> Floats:
        try:
            rewards = np.asarray(self._reward(self.features), np.float64)
        except KeyError as missing:
            name = missing.args[0]
            if name in self.features:
                raise
            hint = did_you_mean(str(name), self.features)
            raise error.Error(f"reward: no feature is called {name!r}: {hint}") from missing
        shape = (self.num_envs,)
        if rewards.shape != shape or not np.isfinite(rewards).all():
            what = "that are not finite" if rewards.shape == shape else f"of shape {rewards.shape}"
            raise error.Error(f"the reward gives numbers {what}: expected {shape}")
        return rewards

    def _observed(self) -> Any:
        rows = self._task.observed(self.features)
        if self._noise.any():
            rows += self._noise * self.np_random.standard_normal(rows.shape)
        return rows.astype(np.float32)

    def _checked(self, actions: Any) -> Floats:
        given = np.asarray(actions, np.float64)
        shape = (self.num_envs, len(self.orders))
        if given.shape != shape:
            expected = f"expected {shape}: {', '.join(self.orders)}, each -1 to 1"
            raise error.InvalidAction(f"actions of shape {given.shape}: {expected}")
        for row, column in np.argwhere(~(abs(given) <= 1.0))[:1]:
            whose = f" of vessel {row}" if self.num_envs > 1 else ""
            what = f"{self.orders[column]}{whose} = {given[row, column]:g}"
            raise error.InvalidAction(f"an action's {what}: expected a number from -1 to 1")
        return given


def _engine(
    name: str, vessel: str, count: int, mission: str | Path | None, options: Mapping[str, object]
) -> Batch | Missions:
    known("engine", name, ENGINES)
    if name == "mission":
        return Missions(load(vessel), count, DT, vessel, mission, options)
    if mission is not None or options:
        raise error.Error(f"mission = {mission}: expected engine = 'mission' with it")
    return Batch(load(vessel), count, DT)


def _check_orders(kind: type[Task], vessel: str, orders: Sequence[str]) -> None:
    """Check that a vessel follows the orders of a task."""
    if missing := [order for order in kind.orders if order not in orders]:
        raise error.Error(f"{kind.__name__} with {vessel}: it does not follow {', '.join(missing)}")


def _picture(mode: str | None) -> Any:
    """Return the class that draws in a render mode; None without one."""
    if mode is None:
        return None
    if mode not in METADATA["render_modes"]:
        raise error.UnsupportedMode(f"render_mode = {mode!r}: expected None or 'rgb_array'")
    try:
        return import_module("steerageway.envs.drawing").Picture
    except ModuleNotFoundError as missing:
        raise error.DependencyNotInstalled("pip install 'steerageway[plot]'") from missing


def known(what: str, name: str, names: Any) -> str:
    """Return a name that is one of some names.

    Raises:
        gymnasium.error.Error: it is not; the text says which was meant.
    """
    if name not in names:
        raise error.Error(f"{what} = {name!r}: {did_you_mean(name, names)}")
    return name
