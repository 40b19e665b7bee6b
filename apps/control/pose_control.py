"""``pPoseControl``: controls an underwater vehicle's pose or velocity in six degrees of freedom.

A DP_SETPOINT is a pose to hold. Without one, the helm's DESIRED_HEADING, DESIRED_SPEED and
DESIRED_DEPTH are followed, with zero sway, roll and pitch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, radians

import numpy as np

from steerageway.apps.control.force_control import (
    AXES,
    CONTROL,
    OVERRIDES,
    POSE,
    SETPOINT,
    ForceControl,
    ForceGains,
    MomentGains,
    MotionOptions,
    force_publications,
    gains_of,
    read_setpoint,
    shown_pose,
)
from steerageway.apps.shared import heard
from steerageway.bus import Options, declare
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control import PoseController, Reference
from steerageway.vessel.kinematics import Array

SURGE, SWAY, HEAVE, YAW = 0, 1, 2, 5
DESIRED = {"DESIRED_SPEED": SURGE, "DESIRED_HEADING": YAW, "DESIRED_DEPTH": HEAVE}
BEYOND = {"NAV_DEPTH": 2, "NAV_ROLL": 3, "NAV_PITCH": 4}


@dataclass(frozen=True)
class PoseOptions(Options):
    """Parameters of the configuration block."""

    surge: ForceGains = declare.group(ForceGains, "surge_")
    sway: ForceGains = declare.group(ForceGains, "sway_")
    heave: ForceGains = declare.group(ForceGains, "heave_")
    roll: MomentGains = declare.group(MomentGains, "roll_")
    pitch: MomentGains = declare.group(MomentGains, "pitch_")
    yaw: MomentGains = declare.group(MomentGains, "yaw_")
    motion: MotionOptions = declare.group(MotionOptions)
    setpoint: str = declare.text("", "a first DP_SETPOINT, as x=0,y=0,depth=5,heading=90")
    buoyancy: float = declare.number(
        0, "net buoyancy, upwards, that the heave force balances from the start", unit="N"
    )
    tardy_helm_threshold: float = declare.number(
        2, "age at which DESIRED_* are stale", unit="s", low=0
    )


class PoseControl(ForceControl):
    """Controls pose or velocity: DP_SETPOINT or DESIRED_* in, TAU_X to TAU_N out."""

    last_wins = True
    publications = force_publications(AXES)
    subscriptions = (
        heard.DP_SETPOINT,
        heard.NAV_ROLL,
    )
    subscribes = (*POSE, *OVERRIDES, SETPOINT, *DESIRED)
    parameters = PoseOptions.parameters()

    def configure(self) -> None:
        options = PoseOptions.read(self.config)
        gains = gains_of(options, AXES)
        self.configure_control(options.motion, sorted(gains))
        if not gains:
            self.config_warning("no gains, as surge_kp: no forces", self.config.where)
        self.needs += tuple(name for name, axis in BEYOND.items() if axis in gains)
        self._controller = PoseController(gains)
        self._forward = np.zeros(6)
        self._forward[HEAVE] = options.buoyancy
        self._tardy_helm = options.tardy_helm_threshold
        self._setpoint: Array | None = None
        self._first = options.setpoint
        self._desired: dict[int, tuple[float, float]] = {}
        self.publishes = (*self.posted, CONTROL)

    def on_start(self) -> None:
        super().on_start()
        if self._first:
            self.on_variable(SETPOINT, self._first)

    def on_variable(self, name: str, value: object) -> None:
        """Store a setpoint or one of the helm's DESIRED_*."""
        if name in DESIRED:
            if isinstance(value, float):
                desired = radians(value) if name == "DESIRED_HEADING" else value
                self._desired[DESIRED[name]] = desired, self.time
            else:
                self.run_warning(f"{name} = {value!r}: expected a number")
            return
        before = self._setpoint
        try:
            self._setpoint = read_setpoint(str(value), self.pose, before)
        except InvalidValue as error:
            self.run_warning(f"{name} = {value!r}: {error}")
        if (before is None) != (self._setpoint is None):
            self.reset()

    def reset(self) -> None:
        """Reset the integrals."""
        self._controller.reset()

    def desired_force(self, dt: float) -> Array | None:
        """Return the forces (6,) for the setpoint or the helm's commands; None without either."""
        reference = self._reference()
        if reference is None:
            return None
        eta, nu = self.motion.eta, self.motion.nu
        return self._controller.step(eta, nu, reference, dt, self._forward)

    def _reference(self) -> Reference | None:
        if self._setpoint is not None:
            return Reference(self._setpoint, np.zeros(6))
        now = self.time
        if any(
            now - self._desired.get(axis, (0.0, -inf))[1] > self._tardy_helm
            for axis in (SURGE, YAW)
        ):
            return None
        pose, velocity = np.zeros(6), np.zeros(6)
        velocity[SURGE], pose[YAW] = self._desired[SURGE][0], self._desired[YAW][0]
        by_velocity = [SURGE, SWAY]
        if HEAVE in self._desired:
            pose[HEAVE] = self._desired[HEAVE][0]
        else:
            by_velocity.append(HEAVE)
        return Reference(pose, velocity, tuple(by_velocity))

    def report(self) -> Iterable[str]:
        """Return the setpoint, or that the helm is followed or waited for."""
        yield from super().report()
        if self._setpoint is not None:
            yield f"Setpoint: {shown_pose(self._setpoint)}"
        elif self._reference() is None:
            yield f"Waiting for {SETPOINT}, or {' and '.join(list(DESIRED)[:2])}"
        else:
            yield "Following the helm"
