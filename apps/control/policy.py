"""``pPolicy``: steers by a trained policy, shown the observations of a learning environment.

The task of ``vessel.tasks`` that it was trained for makes the observations from NAV_*; the policy's
actions become DESIRED_RUDDER, DESIRED_THRUST and DESIRED_ELEVATOR.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from steerageway.apps.control.force_control import (
    IN_CONTROL,
    OVERRIDES,
    POSE,
    ForceControl,
    MotionOptions,
    read_setpoint,
)
from steerageway.apps.shared import heard
from steerageway.apps.shared.registry import imported
from steerageway.apps.shared.simulator import vessel_beside
from steerageway.bus import Config, ConfigError, Options, at_line, declare, variables
from steerageway.helm.policies import Policy, evaluate, load_onnx
from steerageway.moos.seglist import SegListError, parse_seglist
from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.commands import ELEVATOR, ORDERS
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import R_, X_
from steerageway.vessel.fossen.time_step_limit import steps_within
from steerageway.vessel.kinematics import Array
from steerageway.vessel.tasks import DT, TASKS, AlongWaypoints, DepthKeeping, Task, scale_of

GOAL, STATE = "POLICY_GOAL", "POLICY_STATE"
WAITING, RUNNING, REACHED, FAILED = "waiting", "running", "reached", "failed"


def parse_task(text: str) -> type[Task]:
    """Read a task's name.

    Raises:
        ValueError: there is no such task.
    """
    kinds = {name.lower(): kind for name, kind in TASKS.items()}
    if (kind := kinds.get(text.strip().lower())) is None:
        raise ValueError(f"expected one of {', '.join(TASKS)}")
    return kind


@dataclass(frozen=True)
class PolicyOptions(Options):
    """Parameters of the configuration block."""

    policy: str = declare.text(
        "", "an .onnx file, or module:function of a Python file in the mission's folder"
    )
    task: type[Task] = declare.value(
        "PathFollowing", parse_task, f"the task that it was trained for, of {', '.join(TASKS)}"
    )
    vessel: str = declare.text(
        "",
        "the vessel that it was trained with: a folder, or a shipped one's name; default: that of "
        "the simulator's block, with its lines",
    )
    goal: str = declare.text("", f"a first {GOAL}")
    motion: MotionOptions = declare.group(MotionOptions)


class PolicyControl(ForceControl):
    """Steers by a policy: POLICY_GOAL and NAV_* in, DESIRED_RUDDER and DESIRED_THRUST out."""

    last_wins = True
    commands = tuple(f"DESIRED_{name.upper()}" for name in ORDERS[: ELEVATOR + 1])
    title = "Orders"
    publications = (
        *(
            variables.number(f"DESIRED_{name.upper()}", what, unit=unit, when="tick, in control")
            for name, what, unit in (
                ("rudder", "rudder order of the policy", "%, to starboard"),
                ("thrust", "thrust order of the policy", "%, ahead"),
                ("elevator", "elevator order of the policy", "deg"),
            )
        ),
        variables.text(
            STATE,
            "what became of the goal",
            range="`waiting`, `running`, `reached`, `failed`",
            when="on change",
        ),
        IN_CONTROL,
    )
    subscriptions = (
        variables.heard(
            GOAL,
            what="waypoints as `x,y:x,y`; or `x=5,y=-10,heading=90`; or `depth=20`, by the task",
            unit="m, deg",
        ),
        heard.NAV_ROLL,
    )
    subscribes = (*POSE, *OVERRIDES, GOAL)
    parameters = PolicyOptions.parameters()

    def configure(self) -> None:
        """Read the configuration block, the vessel and the policy."""
        options = PolicyOptions.read(self.config)
        full, self._task = self._task_of(options)
        self._full = np.array(list(full.values()))
        self.configure_control(options.motion, [ORDERS.index(name) for name in full])
        if isinstance(self._task, DepthKeeping):
            self.needs += ("NAV_DEPTH", "NAV_PITCH")
        self._policy = self._policy_of(options)
        self._wanted = options.goal
        self._state = ""
        numerator, denominator = self.common_options.tick
        if abs(numerator / denominator * 1e-9 - DT) > 1e-9:
            self.config_warning(
                f"policies are trained with AppTick = {1 / DT:g}", self.config.where
            )

    def _task_of(self, options: PolicyOptions) -> tuple[dict[str, float], Task]:
        kind = options.task
        with at_line(self.config.line("vessel", options.vessel), VesselError):
            vessel = load(options.vessel) if options.vessel else vessel_beside(self.setting)
            if vessel is None:
                expected = "expected the vessel that the policy was trained with: vessel = otter"
                raise ConfigError(self.config.where, "vessel", "", expected)
            full = orders_of(vessel).full_orders
            scale = scale_of(vessel, steps_within(vessel, DT))
        if missing := [order for order in kind.orders if order not in full]:
            entry = self.config.line("task", kind.__name__)
            raise Config.error(entry, f"{vessel.name} does not follow {', '.join(missing)}")
        return full, kind(scale, 1, DT)

    def _policy_of(self, options: PolicyOptions) -> Policy:
        entry, text = self.config.line("policy", options.policy), options.policy.strip()
        module, _, name = text.partition(":")
        with at_line(entry, (ValueError, ImportError)):
            if not name:
                return load_onnx(self.setting.folder / text, len(self._task.shown))
            policy = getattr(imported(module), name, None)
        if not callable(policy):
            raise Config.error(entry, f"expected a function {name} in {module}")
        chosen: Policy = policy
        return chosen

    def on_start(self) -> None:
        super().on_start()
        self._tell(WAITING)

    def on_variable(self, name: str, value: object) -> None:
        """Keep a goal; it is applied at the next pose."""
        self._wanted = str(value)

    def reset(self) -> None:
        """Nothing is kept: an action follows from the present observation alone."""

    def desired_force(self, dt: float) -> Array | None:
        """Return the orders (3,) of the present observation; None without a goal to reach."""
        if self._wanted:
            self._aim()
        if self._state != RUNNING:
            return None
        x = np.zeros((1, 12))
        x[0, X_ : R_ + 1] = *self.motion.eta, *self.motion.nu
        features = self._task.features(x)
        reached, failed = self._task.ends(features)
        if reached[0] or failed[0]:
            self._tell(REACHED if reached[0] else FAILED)
            return None
        return self._orders(self._task.observed(features)[0])

    def _orders(self, observation: Array) -> Array | None:
        try:
            action = evaluate(self._policy, observation, len(self._full))
        except ValueError as error:
            self.run_warning(str(error))
            self._tell(FAILED)
            return None
        orders = np.zeros(6)
        orders[self._axes] = np.clip(action, -1.0, 1.0) * self._full
        return orders

    def _aim(self) -> None:
        text, self._wanted = self._wanted, ""
        try:
            goal = goal_of(self._task, text, self.motion.eta)
        except InvalidValue as error:
            self.run_warning(f"{GOAL} = {text!r}: {error}")
            return
        if goal is None:
            self._tell(WAITING)
            return
        self._task.aim(goal)
        self._tell(RUNNING)

    def _tell(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.post(STATE, state)

    def report(self) -> Iterable[str]:
        """Return what the base does, and the state of the goal."""
        yield from super().report()
        yield f"Goal: {self._state}"


def goal_of(task: Task, text: str, pose: Array) -> Array | None:
    """Return the goal that a text gives to a task; None for ``off``.

    Args:
        task: the task. text: see ``POLICY_GOAL``. pose: (6,) the vessel's, where a path begins.

    Raises:
        InvalidValue: the text has another form.
    """
    if text.strip().lower() == "off":
        return None
    if isinstance(task, AlongWaypoints):
        try:
            points = parse_seglist(text).points
        except SegListError as error:
            raise InvalidValue(str(error)) from error
        path = np.array([pose[:2], *((y, x) for x, y in points)])
        if not np.hypot(*np.diff(path, axis=0).T).all():
            raise InvalidValue("expected each waypoint away from the one before, and from here")
        return path
    setpoint = read_setpoint(text, pose, None)
    assert setpoint is not None
    return setpoint[[2]] if isinstance(task, DepthKeeping) else setpoint[[0, 1, 5]]
