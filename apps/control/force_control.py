"""What the apps that control by forces share: who has control, the pose they hear, their posts.

They steer once ``MOOS_MANUAL_OVERRIDE = false`` was posted, for as long as the pose is fresh. On
losing control they order no force, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import degrees, inf, radians

import numpy as np

from steerageway.bus import App, Message, Options, Publication, declare, variables
from steerageway.moos.values import is_number, pairs, trimmed
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control import AxisGains, MotionEstimate
from steerageway.vessel.kinematics import Array

TAU = ("TAU_X", "TAU_Y", "TAU_Z", "TAU_K", "TAU_M", "TAU_N")
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
OVERRIDES = ("MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE")
CONTROL, SETPOINT = "PID_HAS_CONTROL", "DP_SETPOINT"
POSE = {"NAV_Y": 0, "NAV_X": 1, "NAV_DEPTH": 2, "NAV_ROLL": 3, "NAV_PITCH": 4, "NAV_HEADING": 5}
PLACES = {"y": 0, "x": 1, "depth": 2, "roll": 3, "pitch": 4, "heading": 5}
DEGREES = ("roll", "pitch", "heading")
HERE, OFF = "here", "off"
EXPECTED = "expected x=, y=, heading= (depth=, roll=, pitch=), each a number; or here, or off"


@dataclass(frozen=True)
class MotionOptions(Options):
    """How motion is told from what is heard."""

    velocity_filter: float = declare.number(
        0.5, "time constant of the velocity's estimate", unit="s", low=0
    )
    tardy_nav_threshold: float = declare.number(
        2, "age at which a NAV_* value is stale", unit="s", low=0
    )


IN_CONTROL = variables.text(CONTROL, "whether it steers", range="`true`, `false`", when="on change")
FORCES = (
    variables.number("TAU_X", "wanted surge force", unit="N, ahead", when="tick, in control"),
    variables.number("TAU_Y", "wanted sway force", unit="N, to starboard", when="tick, in control"),
    variables.number("TAU_Z", "wanted heave force", unit="N, down", when="tick, in control"),
    variables.number(
        "TAU_K", "wanted roll moment", unit="N m, starboard down", when="tick, in control"
    ),
    variables.number("TAU_M", "wanted pitch moment", unit="N m, bow up", when="tick, in control"),
    variables.number("TAU_N", "wanted yaw moment", unit="N m, clockwise", when="tick, in control"),
)


def force_publications(axes: Iterable[str]) -> tuple[Publication, ...]:
    """Return what a controller of these degrees of freedom posts: forces, and who has control."""
    return (*(FORCES[AXES.index(axis)] for axis in axes), IN_CONTROL)


@dataclass(frozen=True)
class ForceGains(Options):
    """The gains of a translation."""

    kp: float = declare.number(0, "gain of the place along the axis", unit="N/m", low=0)
    kd: float = declare.number(0, "of the velocity", unit="N s/m", low=0)
    ki: float = declare.number(0, "of the place's integral", unit="N/(m s)", low=0)
    limit: float = declare.number(0, "bound of the force; 0: none", unit="N", low=0)


@dataclass(frozen=True)
class MomentGains(Options):
    """The gains of a rotation."""

    kp: float = declare.number(0, "gain of the angle about the axis", unit="N m/rad", low=0)
    kd: float = declare.number(0, "of the rate", unit="N m s/rad", low=0)
    ki: float = declare.number(0, "of the angle's integral", unit="N m/(rad s)", low=0)
    limit: float = declare.number(0, "bound of the moment; 0: none", unit="N m", low=0)


def gains_of(options: Options, axes: Iterable[str]) -> dict[int, AxisGains]:
    """Return the gains of each degree of freedom that has any.

    Args:
        options: has a field of gains for each of the axes.
    """
    gains: dict[int, AxisGains] = {}
    for axis in axes:
        said: ForceGains | MomentGains = getattr(options, axis)
        if said.kp or said.kd or said.ki:
            gains[AXES.index(axis)] = AxisGains(said.kp, said.kd, said.ki, said.limit or inf)
    return gains


class ForceControl(App):
    """An app that orders forces; a subclass says which, in ``wanted_force``."""

    def configure_control(self, options: MotionOptions, axes: Sequence[int]) -> None:
        """Begin; the forces along ``axes`` are posted."""
        self.motion = MotionEstimate(options.velocity_filter)
        self._tardy = options.tardy_nav_threshold
        self.posted = tuple(TAU[axis] for axis in axes)
        self._axes = list(axes)
        self.pose = np.zeros(6)
        self._heard = np.full(6, -inf)
        self.in_control = self._ordered = False
        self.stale = ""
        self._since = 0.0
        self.needs: tuple[str, ...] = ("NAV_X", "NAV_Y", "NAV_HEADING")
        self.tau = np.zeros(6)

    def on_start(self) -> None:
        """Listen."""
        self._since = self.time
        self.register(*POSE, *OVERRIDES)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the pose, who has control, and what a subclass hears."""
        for message in mail:
            name, value = message.name, message.value
            if name in OVERRIDES:
                self._override(str(value).strip().lower())
            elif name not in POSE:
                self.hear(name, value)
            elif isinstance(value, float):
                axis = POSE[name]
                self.pose[axis] = radians(value) if name == "NAV_HEADING" else value
                self._heard[axis] = self.time
            else:
                self.run_warning(f"{name} = {value!r}: expected a number")

    def hear(self, name: str, value: object) -> None:
        """Take a value of a variable that a subclass registered for."""
        raise NotImplementedError

    def wanted_force(self, dt: float) -> Array | None:
        """Return tau (6,) for a step of ``dt`` [s]; None: there is nothing to steer by yet."""
        raise NotImplementedError

    def reset(self) -> None:
        """Forget what was summed up: somebody else steered meanwhile."""
        raise NotImplementedError

    def _override(self, word: str) -> None:
        if word not in ("true", "false") or self.in_control == (word == "false"):
            return
        self.in_control = word == "false"
        self.post(CONTROL, "true" if self.in_control else "false")
        if self.in_control:
            self.reset()

    def iterate(self) -> None:
        """Order a force while in control, and none once on losing it."""
        now = self.time
        dt, self._since = now - self._since, now
        ages = {name: now - self._heard[POSE[name]] for name in self.needs}
        self.stale = ", ".join(name for name, age in ages.items() if age > self._tardy)
        if not self.stale:
            newest = float(self._heard[[POSE[name] for name in self.needs]].max())
            self.motion.tell(self.pose, newest)
        steers = self.in_control and not self.stale
        tau = self.wanted_force(dt) if steers else None
        if tau is not None:
            self.tau, self._ordered = tau, True
            self._post(tau)
        elif self._ordered:
            self.tau, self._ordered = np.zeros(6), False
            self._post(self.tau)
            self.reset()

    def _post(self, tau: Array) -> None:
        for name, axis in zip(self.posted, self._axes, strict=True):
            self.post(name, float(tau[axis]))

    def report(self) -> Iterable[str]:
        """Return who has control, what is missing, and the forces."""
        yield f"In control: {str(self.in_control).lower()}"
        if self.stale:
            yield f"Waiting for {self.stale}"
        forces = (f"{name} {trimmed(float(self.tau[TAU.index(name)]), 1)}" for name in self.posted)
        yield f"Forces: {', '.join(forces)}"


def read_setpoint(text: str, pose: Array, before: Array | None) -> Array | None:
    """Read ``x=5,y=-10,heading=90``; what is left out stays as it was, or is where the vessel is.

    Args:
        pose: (6,) where the vessel is. before: (6,) the last setpoint, or None.

    Returns:
        (6,) NED [m, rad]; None for ``off``.

    Raises:
        InvalidValue: anything else.
    """
    word = text.strip().lower()
    if word == OFF:
        return None
    level = np.array([*pose[:3], 0.0, 0.0, pose[5]])
    if word == HERE:
        return level
    wanted: Array = (level if before is None else before).copy()
    for name, value in pairs(text):
        if name.strip().lower() not in PLACES or not is_number(value):
            raise InvalidValue(EXPECTED)
        key = name.strip().lower()
        wanted[PLACES[key]] = radians(float(value)) if key in DEGREES else float(value)
    return wanted


def shown_pose(pose: Array) -> str:
    """Write a pose as a setpoint is written."""
    parts = (
        f"{name}={trimmed(degrees(pose[i]) % 360 if name in DEGREES else float(pose[i]), 2)}"
        for name, i in sorted(PLACES.items(), key=lambda one: one[1])
    )
    return ",".join(parts)
