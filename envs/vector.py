"""``VesselVectorEnv``: a task for N vessels at once, in Gymnasium's vector interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.envs.batch import Batch
from steerageway.envs.kinematic import NAME, KinematicBatch
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
from steerageway.vessel.excitation import Identification
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tasks import DT, Found, Reward, Scale, Task, scale_of
from steerageway.vessel.tasks_around import ALL_TASKS
from steerageway.world.arrays import Flags, Floats

Engine = Batch | Missions | KinematicBatch
ENGINES = ("batch", "mission")
METADATA: Mapping[str, Any] = {
    "render_modes": ["human", "rgb_array"],
    "render_fps": round(1.0 / DT),
}
RENDERED = "'human' or 'rgb_array'"


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
        **unknown: object,
    ) -> None:
        """Make the environments; nothing is drawn before ``reset``.

        Args:
            task: name of a class of ``tasks`` or ``tasks_around``, or a class of one's own.
            vessel: folder, or name of a shipped vessel; "kinematic": the vessel of a thrust map, as
                uSimMarineV22 has it by default.
            num_envs: number of vessels.
            reward: function of the features instead of the task's own.
            randomise: ranges (low, high) of some of ``randomisation.RANDOMISED``.
            engine: of ``ENGINES``: "batch" steps all vessels by one call; "mission" runs a
                mission for each, thousands of times slower, with every app.
            mission: with the engine "mission": file, folder or name of a mission, whose first
                community simulates the vessel; None: one with a simulator alone.
            mission_options: further arguments of ``Mission``, such as ``skip``.
            autoreset_mode: one of Gymnasium's three.
            render_mode: None; "human", the viewer in a browser; or "rgb_array".
            unknown: refused.

        Raises:
            gymnasium.error.Error: an argument is wrong; the text says what would be right.
        """
        for name in unknown:
            known("argument", name, signature(VesselVectorEnv).parameters.keys() - {"unknown"})
        kind = task if isinstance(task, type) else ALL_TASKS[known("task", task, ALL_TASKS)]
        self._ranges = ranges_of({**kind.randomised, **(randomise or {})})
        self.num_envs = _count(num_envs)
        self._set_engine(engine, vessel, mission, mission_options or {})
        self._set_task(kind, vessel, reward)
        self._set_episodes(autoreset_mode)
        self._set_spaces()
        self._set_disturbances()
        self._set_view(render_mode)

    def _set_engine(
        self, name: str, vessel: str, mission: str | Path | None, options: Mapping[str, object]
    ) -> None:
        """Set what steps the vessels, and the lengths and speeds that they are measured by."""
        try:
            self._engine = _engine(name, vessel, self.num_envs, mission, options)
            check_vessel(self._engine.vessel, self._ranges, name)
            self._scale = _scale(self._engine)
        except VesselError as wrong:
            raise error.Error(str(wrong)) from None
        self.orders = self._engine.orders

    def _set_task(self, kind: type[Task], vessel: str, reward: Reward | None) -> None:
        if missing := [order for order in kind.orders if order not in self.orders]:
            names = ", ".join(missing)
            raise error.Error(f"{kind.__name__} with {vessel}: it does not follow {names}")
        if issubclass(kind, Identification) and vessel == NAME:
            raise error.Error(f"{kind.__name__} with {vessel}: it has no damping")
        if not (reward is None or callable(reward)):
            raise error.Error(f"reward = {reward!r}: expected a function of the features")
        self._task = kind(self._scale, self.num_envs, DT)
        self._reward = reward or self._task.reward
        self.features: dict[str, Floats] = {}

    def _set_episodes(self, mode: AutoresetMode | str) -> None:
        """Set which episodes are over, and what is done about them."""
        modes = {one.value: one for one in AutoresetMode}
        name = mode.value if isinstance(mode, AutoresetMode) else mode
        self.autoreset_mode = modes[known("autoreset_mode", name, modes)]
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self._steps = np.zeros(self.num_envs, np.int64)
        self._over = np.ones(self.num_envs, np.bool_)  # whether it is over, or never began
        self._last = round(self._task.longest / DT)

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

    def _set_view(self, mode: str | None) -> None:
        """Set what shows the vessels."""
        self.render_mode = mode
        self._view: Any = None
        if mode is None:
            return
        if mode not in METADATA["render_modes"]:
            raise error.UnsupportedMode(f"render_mode = {mode!r}: expected {RENDERED}")
        length = self._scale.length
        if mode == "human":
            names = getattr(self._task, "agents", [f"vessel_{i}" for i in range(self.num_envs)])
            self._view = import_module("steerageway.envs.viewing").Viewer(names, length)
            return
        try:
            picture = import_module("steerageway.envs.drawing").Picture
        except ModuleNotFoundError as missing:
            raise error.DependencyNotInstalled("pip install 'steerageway[plot]'") from missing
        self._view = picture(self._engine.vessel.outline, length)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes; ``options={"reset_mask": (N,) bool}`` those of some vessels."""
        self._check_open()
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        if which.dtype != np.bool_ or which.shape != (self.num_envs,):
            given = f"reset_mask of {which.dtype} {which.shape}"
            raise error.Error(f"{given}: expected booleans ({self.num_envs},)")
        if not (self.features or which.all()):
            raise error.ResetNeeded("reset_mask: no episode has begun: call reset() without it")
        self._begin(which)
        self._over &= ~which
        self._look()
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Advance every vessel by 0.1 s.

        Raises:
            gymnasium.error.ClosedEnvironmentError: it was closed.
            gymnasium.error.ResetNeeded: an episode is over, or none has begun.
            gymnasium.error.InvalidAction: an entry is not a number from -1 to 1.
            gymnasium.error.Error: the reward function gives something else than (N,) numbers.
        """
        self._check_open()
        given = self._checked(actions)
        over = self._over
        new = bool(over.any())
        if new and (self.autoreset_mode != AutoresetMode.NEXT_STEP or not self.features):
            raise error.ResetNeeded("an episode is over or none has begun: call reset() first")
        if self._transmission is not None:
            given = self._transmission.through(given)
        lost = self._engine.step(given)
        self._steps += 1
        if new:  # their action is not used: the first state of the new episode is shown
            self._begin(over)
        self._look()
        rewards = self._rewards()
        reached, failed = self._task.ends(self.features)
        failed = failed | lost
        truncated = self._steps >= self._last
        if new:
            going = ~over
            rewards = np.where(over, 0.0, rewards)
            reached, failed = reached & going, failed & going
        terminated = reached | failed
        truncated &= ~terminated
        self._over = terminated | truncated
        info: dict[str, Any] = {"reached": reached, "failed": failed}
        info |= {name: self.features[name] for name in self._task.told}
        observed = self._observed()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            info |= {"final_obs": observed, "_final_obs": self._over}
            observed = self._renewed(observed)
        return observed, rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """Return the picture (height, width, 3) of each vessel, uint8; None if a person sees them.

        Raises:
            gymnasium.error.Error: the environment was made without a render_mode, or not reset.
        """
        pictures = [self.picture([i]) for i in range(self.num_envs)]
        return None if self.render_mode == "human" else tuple(pictures)

    def picture(self, rows: Sequence[int]) -> Any:
        """Return one picture of some vessels; as ``render``."""
        if self._view is None:
            raise error.Error(f"render: expected render_mode = {RENDERED} when it was made")
        if not self.features:
            raise error.ResetNeeded("no episode has begun: call reset() first")
        if self.render_mode == "human":
            return None
        return self._view.draw(self._task, self._engine.x, rows)

    def close_extras(self, **kwargs: Any) -> None:
        """End the missions and the viewer, if there are any."""
        self._engine.close()
        if self._view is not None:
            self._view.close()

    def _check_open(self) -> None:
        if self.closed:
            raise error.ClosedEnvironmentError("it was closed: make another")

    def _begin(self, new: Flags) -> None:
        """Start the episodes of some vessels."""
        random, (which,) = self.np_random, new.nonzero()
        count = len(which)
        x = np.repeat(self._engine.vessel.initial[None], count, axis=0)
        self._task.draw(random, which, x)
        displace(x, self._ranges, self._task.scale, random)
        full = self._task.scale.speed
        current = full * flow(random, count, self._ranges["current"])
        wind = flow(random, count, self._ranges["wind"])
        if count == self.num_envs and isinstance(self._engine, Batch):
            self._engine.models = variants(self._engine.vessel, self.num_envs, self._ranges, random)
        self._engine.restart(which, x, current, wind, random)
        if self._transmission is not None:
            delays = random.uniform(*self._ranges["delay"], count)
            self._transmission.restart(which, delays, random.uniform(*self._ranges["lag"], count))
        if self._ranges["noise"][1] > 0.0:
            self._noise[which, 0] = random.uniform(*self._ranges["noise"], count)
        self._steps[which] = 0

    def _renewed(self, observed: Any) -> Any:
        """Begin the episodes that are over; return the observations, of others as they were."""
        over, kept = self._over, self.features
        self._begin(over)
        self._over = np.zeros_like(over)
        self._task.moves = over
        self._look()
        self._task.moves = np.ones(self.num_envs, np.bool_)
        now = self.features
        self.features = Found({k: np.where(over, now[k], kept[k]) for k in now})
        return np.where(over[:, None], self._observed(), observed)

    def _look(self) -> None:
        self._task.time = np.multiply(self._steps, DT)
        self.features = self._task.features(self._engine.x)
        if self._view is not None:
            self._view.keep(self._task, self._engine.x, self._steps == 0)

    def _rewards(self) -> Floats:
        try:
            rewards = np.asarray(self._reward(self.features), np.float64)
        except KeyError as missing:
            name = missing.args[0]
            if name in self.features:
                raise
            names = [*self.features, *(one.removeprefix("sin_") for one in self.features)]
            hint = did_you_mean(str(name), names)
            raise error.Error(f"reward: no feature is called {name!r}: {hint}") from missing
        shape = (self.num_envs,)
        if rewards.shape != shape or not np.isfinite(rewards).all():
            what = "that are not finite" if rewards.shape == shape else f"of shape {rewards.shape}"
            raise error.Error(f"the reward gives numbers {what}: expected {shape}")
        return rewards

    def _observed(self) -> Any:
        rows = self._task.observed(self.features)
        if self._ranges["noise"][1] > 0.0:
            rows += self._noise * self.np_random.standard_normal(rows.shape)
        return rows

    def _checked(self, actions: Any) -> Floats:
        given = numbers(actions)
        shape = (self.num_envs, len(self.orders))
        if given.shape != shape:
            expected = f"expected {shape}: {', '.join(self.orders)}, each -1 to 1"
            raise error.InvalidAction(f"actions of shape {given.shape}: {expected}")
        right = abs(given) <= 1.0
        for row, column in () if right.all() else np.argwhere(~right)[:1]:
            whose = f" of vessel {row}" if self.num_envs > 1 else ""
            what = f"{self.orders[column]}{whose} = {given[row, column]:g}"
            raise error.InvalidAction(f"an action's {what}: expected a number from -1 to 1")
        return given


def _engine(
    name: str, vessel: str, count: int, mission: str | Path | None, options: Mapping[str, object]
) -> Engine:
    known("engine", name, ENGINES)
    if name == "mission" and vessel == NAME:
        raise error.Error(f"vessel = {vessel}: expected engine = 'batch' with it")
    if name == "mission":
        return Missions(load(vessel), count, DT, vessel, mission, options)
    if mission is not None or options:
        raise error.Error(f"mission = {mission}: expected engine = 'mission' with it")
    return KinematicBatch(count, DT) if vessel == NAME else Batch(load(vessel), count, DT)


def _scale(engine: Engine) -> Scale:
    if isinstance(engine, KinematicBatch):
        return engine.scale
    return scale_of(engine.vessel, engine.steps)


def _count(value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise error.Error(f"num_envs = {value!r}: expected a whole number, at least 1")
    return int(value)


def numbers(action: Any) -> Floats:
    """Return an action, or several, as an array.

    Raises:
        gymnasium.error.InvalidAction: it is something else than real numbers.
    """
    try:
        found = np.asarray(action)
        if found.dtype.kind not in "fiu":
            raise TypeError
        return np.asarray(found, np.float64)
    except (TypeError, ValueError):
        raise error.InvalidAction(f"an action {action!r}: expected an array of numbers") from None


def known(what: str, name: object, names: Any) -> str:
    """Return a name that is one of some names.

    Raises:
        gymnasium.error.Error: it is not; the text says which was meant.
    """
    if not isinstance(name, str) or name not in names:
        raise error.Error(f"{what} = {name!r}: {did_you_mean(str(name), names)}")
    return name
