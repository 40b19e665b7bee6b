"""Base of the apps that control by the pose alone: manual override, received pose, posted TAU_*.

They are in control after ``MOOS_MANUAL_OVERRIDE = false``, while the pose is not stale. On losing
control they post zero forces, once. A policy posts orders in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import degrees, inf, radians
from typing import ClassVar

import numpy as np

from steerageway.bus import App, Message, Options, Publication, declare, variables
from steerageway.declarations import finite
from steerageway.moos.values import pairs, trimmed
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
LARGEST = 1e9  # m or deg of a pose: of larger ones rates are infinite, and would stay so
EXPECTED = (
    "expected x=, y=, heading= (depth=, roll=, pitch=), "
    f"each a number within {LARGEST:g}; or here, or off"
)


@dataclass(frozen=True)
class MotionOptions(Options):
    """Parameters of the motion estimate from NAV_*."""

    velocity_filter: float = declare.number(
        0.5, "time constant of the velocity estimate", unit="s", low=0
    )
    tardy_nav_threshold: float = declare.number(
        2, "age at which a NAV_* value is stale", unit="s", low=0
    )


IN_CONTROL = variables.text(
    CONTROL, "whether it is in control", range="`true`, `false`", when="on change"
)
FORCES = variables.published("""
    TAU_X | number | N, ahead | | tick, in control | desired surge force
    TAU_Y | number | N, to starboard | | tick, in control | desired sway force
    TAU_Z | number | N, down | | tick, in control | desired heave force
    TAU_K | number | N m, starboard down | | tick, in control | desired roll moment
    TAU_M | number | N m, bow up | | tick, in control | desired pitch moment
    TAU_N | number | N m, clockwise | | tick, in control | desired yaw moment
""")


def force_publications(axes: Iterable[str]) -> tuple[Publication, ...]:
    """Return the publications of a controller of these axes: forces and PID_HAS_CONTROL."""
    return (*(FORCES[AXES.index(axis)] for axis in axes), IN_CONTROL)


@dataclass(frozen=True)
class ForceGains(Options):
    """Gains of a translational axis."""

    kp: float = declare.number(0, "gain of the position error along the axis", unit="N/m", low=0)
    kd: float = declare.number(0, "gain of the velocity error", unit="N s/m", low=0)
    ki: float = declare.number(0, "gain of the position error's integral", unit="N/(m s)", low=0)
    limit: float = declare.number(0, "limit of the force; 0: none", unit="N", low=0)


@dataclass(frozen=True)
class MomentGains(Options):
    """Gains of a rotational axis."""

    kp: float = declare.number(0, "gain of the angle error about the axis", unit="N m/rad", low=0)
    kd: float = declare.number(0, "gain of the rate error", unit="N m s/rad", low=0)
    ki: float = declare.number(0, "gain of the angle error's integral", unit="N m/(rad s)", low=0)
    limit: float = declare.number(0, "limit of the moment; 0: none", unit="N m", low=0)


def gains_of(options: Options, axes: Iterable[str]) -> dict[int, AxisGains]:
    """Return the gains of each degree of freedom that has any.

    Args:
        options: has a field of gains for each of the axes.
    """
    gains: dict[int, AxisGains] = {}
    for axis in axes:
        loop: ForceGains | MomentGains = getattr(options, axis)
        if loop.kp or loop.kd or loop.ki:
            gains[AXES.index(axis)] = AxisGains(loop.kp, loop.kd, loop.ki, loop.limit or inf)
    return gains


class ForceControl(App):
    """An app that commands forces; a subclass computes them in ``desired_force``.

    Attributes:
        commands: variables of the elements of tau.
        title: what the appcast calls them.
    """

    commands: ClassVar[Sequence[str]] = TAU
    title: ClassVar[str] = "Forces"

    def configure_control(self, options: MotionOptions, axes: Sequence[int]) -> None:
        """Set up the estimate and the control state; the forces along ``axes`` are posted."""
        self.motion = MotionEstimate(options.velocity_filter)
        self._tardy = options.tardy_nav_threshold
        self.posted = tuple(self.commands[axis] for axis in axes)
        self._axes = list(axes)
        self.pose = np.zeros(6)
        self._received = np.full(6, -inf)
        self.in_control = self._posted_force = False
        self.stale = ""
        self._since = 0.0
        self.needs: tuple[str, ...] = ("NAV_X", "NAV_Y", "NAV_HEADING")
        self.tau = np.zeros(6)

    def on_start(self) -> None:
        super().on_start()
        self._since = self.time

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process pose and override; pass other variables to ``on_variable``."""
        for message in mail:
            name, value = message.name, message.value
            if name in OVERRIDES:
                self._override(str(value).strip().lower())
            elif name not in POSE:
                self.on_variable(name, value)
            elif isinstance(value, float) and abs(value) <= LARGEST:
                axis = POSE[name]
                self.pose[axis] = radians(value) if name == "NAV_HEADING" else value
                self._received[axis] = self.time
            else:
                self.run_warning(f"{name} = {value!r:.80}: expected a number within {LARGEST:g}")

    def on_variable(self, name: str, value: object) -> None:
        """Process a value of a variable that the subclass registered for."""
        raise NotImplementedError

    def desired_force(self, dt: float) -> Array | None:
        """Return tau (6,) for a step of ``dt`` [s]; None without a setpoint or command."""
        raise NotImplementedError

    def reset(self) -> None:
        """Reset integrals and filters: the app was not in control in the meantime."""
        raise NotImplementedError

    def _override(self, word: str) -> None:
        if word not in ("true", "false") or self.in_control == (word == "false"):
            return
        self.in_control = word == "false"
        self.post(CONTROL, "true" if self.in_control else "false")
        if self.in_control:
            self.reset()

    def iterate(self) -> None:
        """Post forces while in control, and zeros once on losing control."""
        now = self.time
        dt, self._since = now - self._since, now
        ages = {name: now - self._received[POSE[name]] for name in self.needs}
        self.stale = ", ".join(name for name, age in ages.items() if age > self._tardy)
        if not self.stale:
            newest = float(self._received[[POSE[name] for name in self.needs]].max())
            self.motion.tell(self.pose, newest)
        steers = self.in_control and not self.stale
        tau = self.desired_force(dt) if steers else None
        if tau is not None:
            self.tau, self._posted_force = tau, True
            self._post(tau)
        elif self._posted_force:
            self.tau, self._posted_force = np.zeros(6), False
            self._post(self.tau)
            self.reset()

    def _post(self, tau: Array) -> None:
        for name, axis in zip(self.posted, self._axes, strict=True):
            self.post(name, float(tau[axis]))

    def report(self) -> Iterable[str]:
        """Return whether the app is in control, stale inputs, and the forces."""
        yield f"In control: {str(self.in_control).lower()}"
        if self.stale:
            yield f"Waiting for {self.stale}"
        posted = zip(self.posted, self._axes, strict=True)
        values = (f"{name} {trimmed(float(self.tau[axis]), 1)}" for name, axis in posted)
        yield f"{self.title}: {', '.join(values)}"


def read_setpoint(text: str, pose: Array, before: Array | None) -> Array | None:
    """Read ``x=5,y=-10,heading=90``; omitted fields keep their last value, else the vessel's.

    Args:
        pose: (6,) the vessel's pose. before: (6,) the last setpoint, or None.

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
    setpoint: Array = (level if before is None else before).copy()
    for name, value in pairs(text):
        key, number = name.strip().lower(), finite(value)
        if key not in PLACES or number is None or abs(number) > LARGEST:
            raise InvalidValue(EXPECTED)
        setpoint[PLACES[key]] = radians(number) if key in DEGREES else number
    return setpoint


def shown_pose(pose: Array) -> str:
    """Return a pose in the format of a setpoint."""
    parts = (
        f"{name}={trimmed(degrees(pose[i]) % 360 if name in DEGREES else float(pose[i]), 2)}"
        for name, i in sorted(PLACES.items(), key=lambda item: item[1])
    )
    return ",".join(parts)
