"""``pVelocityPID``: speed ahead by a surge force, rate of turn by a yaw moment.

The two independent loops of the Unity thesis. They take DESIRED_SPEED and DESIRED_YAW_RATE, or,
of a helm, DESIRED_HEADING, which then gives the rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, radians

import numpy as np

from steerageway.apps.control.force_control import (
    MOTION,
    OVERRIDES,
    POSE,
    ForceControl,
    force_publications,
)
from steerageway.apps.framework import heard
from steerageway.bus import Parameter, variables
from steerageway.vessel.force_control import VelocityController, VelocityGains
from steerageway.vessel.kinematics import Array

SPEED, RATE, HEADING = "DESIRED_SPEED", "DESIRED_YAW_RATE", "DESIRED_HEADING"
LOOPS = {"surge": ("N", "m"), "yaw": ("N m", "rad")}
SURGE, YAW = 0, 5


def _parameters() -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for loop, (force, unit) in LOOPS.items():
        found += (
            Parameter(f"{loop}_kp", "0", f"gain of the velocity's error [{force} s/{unit}]"),
            Parameter(f"{loop}_ki", "0", f"of its integral [{force}/{unit}]"),
            Parameter(f"{loop}_kd", "0", f"of the acceleration [{force} s^2/{unit}]"),
            Parameter(f"{loop}_limit", "0", f"bound of the force [{force}], >= 0; 0: none"),
        )
    return tuple(found)


class VelocityPid(ForceControl):
    """Keeps a velocity: DESIRED_SPEED and DESIRED_YAW_RATE in, TAU_X and TAU_N out."""

    last_wins = True
    publications = force_publications(("surge", "yaw"))
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        variables.heard(
            "DESIRED_YAW_RATE", what="wanted rate of turn", kind="number", unit="deg/s, clockwise"
        ),
        heard.NAV_ROLL,
    )
    subscribes = (*POSE, *OVERRIDES, SPEED, RATE, HEADING)
    parameters = (
        *_parameters(),
        *MOTION,
        Parameter("heading_gain", "0.5", "rate of turn by the heading's error [1/s], >= 0"),
        Parameter("max_yaw_rate", "20", "bound of that rate [deg/s], > 0"),
        Parameter("tardy_helm_threshold", "2", "age at which DESIRED_* are stale [s], >= 0"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        self.configure_control((SURGE, YAW))
        self._surge, self._yaw = (VelocityController(self._gains(loop)) for loop in LOOPS)
        self._heading_gain = config.number("heading_gain", default=0.5, low=0.0)
        self._most = radians(config.number("max_yaw_rate", default=20.0, above=0.0))
        self._tardy_helm = config.number("tardy_helm_threshold", default=2.0, low=0.0)
        self._desired: dict[str, tuple[float, float]] = {}

    def _gains(self, loop: str) -> VelocityGains:
        kp, ki, kd, limit = (
            self.config.number(f"{loop}_{key}", default=0.0, low=0.0)
            for key in ("kp", "ki", "kd", "limit")
        )
        if not (kp or ki):
            self.config_warning(f"{loop}_kp and {loop}_ki are 0: no force", self.config.where)
        return VelocityGains(kp, ki, kd, limit or inf)

    def on_start(self) -> None:
        """Listen."""
        super().on_start()
        self.register(SPEED, RATE, HEADING)

    def hear(self, name: str, value: object) -> None:
        """Take what is desired."""
        if isinstance(value, float):
            self._desired[name] = value if name == SPEED else radians(value), self.time
        else:
            self.run_warning(f"{name} = {value!r}: expected a number")

    def reset(self) -> None:
        """Forget the integrals."""
        self._surge.reset()
        self._yaw.reset()

    def wanted_force(self, dt: float) -> Array | None:
        """Give surge force and yaw moment."""
        rate = self._wanted_rate()
        speed = self._fresh(SPEED)
        if speed is None or rate is None:
            return None
        nu, tau = self.motion.nu, np.zeros(6)
        tau[SURGE] = self._surge.step(float(nu[SURGE]), speed, dt)
        tau[YAW] = self._yaw.step(float(nu[YAW]), rate, dt)
        return tau

    def _wanted_rate(self) -> float | None:
        rate, heading = self._fresh(RATE), self._fresh(HEADING)
        if rate is not None or heading is None:
            return rate
        error = (heading - float(self.motion.eta[YAW]) + np.pi) % (2.0 * np.pi) - np.pi
        return float(min(max(self._heading_gain * error, -self._most), self._most))

    def _fresh(self, name: str) -> float | None:
        value, heard = self._desired.get(name, (0.0, -inf))
        return value if self.time - heard <= self._tardy_helm else None


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(VelocityPid)
