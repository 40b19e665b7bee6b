"""``pVelocityPID``: PID control of surge speed by a surge force, and of yaw rate by a yaw moment.

The two independent loops of the Unity thesis. Setpoints are DESIRED_SPEED and DESIRED_YAW_RATE;
a helm's DESIRED_HEADING gives the desired rate where there is no DESIRED_YAW_RATE.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, radians

import numpy as np

from steerageway.apps.control.force_control import (
    OVERRIDES,
    POSE,
    ForceControl,
    MotionOptions,
    force_publications,
)
from steerageway.apps.shared import heard
from steerageway.bus import Options, declare, variables
from steerageway.vessel.force_control import VelocityController, VelocityGains
from steerageway.vessel.kinematics import Array

SPEED, RATE, HEADING = "DESIRED_SPEED", "DESIRED_YAW_RATE", "DESIRED_HEADING"
DESIRED = (SPEED, f"{RATE} or {HEADING}")
SURGE, YAW = 0, 5


@dataclass(frozen=True)
class SurgeGains(Options):
    """Gains of the surge speed loop."""

    kp: float = declare.number(0, "gain of the speed error", unit="N s/m", low=0)
    ki: float = declare.number(0, "gain of its integral", unit="N/m", low=0)
    kd: float = declare.number(0, "gain of the acceleration", unit="N s^2/m", low=0)
    limit: float = declare.number(0, "limit of the force; 0: none", unit="N", low=0)


@dataclass(frozen=True)
class YawGains(Options):
    """Gains of the yaw rate loop."""

    kp: float = declare.number(0, "gain of the yaw rate error", unit="N m s/rad", low=0)
    ki: float = declare.number(0, "gain of its integral", unit="N m/rad", low=0)
    kd: float = declare.number(0, "gain of the yaw acceleration", unit="N m s^2/rad", low=0)
    limit: float = declare.number(0, "limit of the moment; 0: none", unit="N m", low=0)


@dataclass(frozen=True)
class VelocityOptions(Options):
    """Parameters of the configuration block."""

    surge: SurgeGains = declare.group(SurgeGains, "surge_")
    yaw: YawGains = declare.group(YawGains, "yaw_")
    motion: MotionOptions = declare.group(MotionOptions)
    heading_gain: float = declare.number(
        0.5, "desired yaw rate per heading error", unit="1/s", low=0
    )
    max_yaw_rate: float = declare.number(20, "limit of that rate", unit="deg/s", above=0)
    tardy_helm_threshold: float = declare.number(
        2, "age at which DESIRED_* are stale", unit="s", low=0
    )


class VelocityPid(ForceControl):
    """Controls speed and yaw rate: DESIRED_SPEED and DESIRED_YAW_RATE in, TAU_X and TAU_N out."""

    last_wins = True
    publications = force_publications(("surge", "yaw"))
    subscriptions = (
        variables.heard(
            "DESIRED_YAW_RATE", what="desired yaw rate", kind="number", unit="deg/s, clockwise"
        ),
        heard.NAV_ROLL,
    )
    subscribes = (*POSE, *OVERRIDES, SPEED, RATE, HEADING)
    parameters = VelocityOptions.parameters()

    def configure(self) -> None:
        options = VelocityOptions.read(self.config)
        self.configure_control(options.motion, (SURGE, YAW))
        self._surge = VelocityController(self._gains("surge", options.surge))
        self._yaw = VelocityController(self._gains("yaw", options.yaw))
        self._heading_gain = options.heading_gain
        self._max_rate = radians(options.max_yaw_rate)
        self._tardy_helm = options.tardy_helm_threshold
        self._desired: dict[str, tuple[float, float]] = {}

    def _gains(self, loop: str, loop_gains: SurgeGains | YawGains) -> VelocityGains:
        if not (loop_gains.kp or loop_gains.ki):
            self.config_warning(f"{loop}_kp and {loop}_ki are 0: no force", self.config.where)
        return VelocityGains(loop_gains.kp, loop_gains.ki, loop_gains.kd, loop_gains.limit or inf)

    def on_variable(self, name: str, value: object) -> None:
        """Store a desired value."""
        if isinstance(value, float):
            self._desired[name] = value if name == SPEED else radians(value), self.time
        else:
            self.run_warning(f"{name} = {value!r}: expected a number")

    def reset(self) -> None:
        """Reset the integrals."""
        self._surge.reset()
        self._yaw.reset()

    def desired_force(self, dt: float) -> Array | None:
        """Return surge force and yaw moment as tau (6,); None without a fresh command of both."""
        rate = self._desired_rate()
        speed = self._fresh(SPEED)
        self._warn_of_age(speed is None, rate is None)
        if speed is None or rate is None:
            return None
        nu, tau = self.motion.nu, np.zeros(6)
        tau[SURGE] = self._surge.step(float(nu[SURGE]), speed, dt)
        tau[YAW] = self._yaw.step(float(nu[YAW]), rate, dt)
        return tau

    def _warn_of_age(self, *stale: bool) -> None:
        """Warn while the desired speed or turn is too old; retract it when it is posted again."""
        known = (SPEED in self._desired, RATE in self._desired or HEADING in self._desired)
        for what, is_stale, is_known in zip(DESIRED, stale, known, strict=True):
            warning = f"{what} is older than {self._tardy_helm:g} s: no force"
            if not is_stale:
                self.retract_run_warning(warning)
            elif is_known and warning not in self.run_warnings:
                self.run_warning(warning)

    def _desired_rate(self) -> float | None:
        rate, heading = self._fresh(RATE), self._fresh(HEADING)
        if rate is not None or heading is None:
            return rate
        error = (heading - float(self.motion.eta[YAW]) + np.pi) % (2.0 * np.pi) - np.pi
        return float(min(max(self._heading_gain * error, -self._max_rate), self._max_rate))

    def _fresh(self, name: str) -> float | None:
        value, received = self._desired.get(name, (0.0, -inf))
        return value if self.time - received <= self._tardy_helm else None
