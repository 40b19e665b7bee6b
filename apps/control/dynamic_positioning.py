"""``pDynamicPositioning``: keeps position and heading by surge, sway and yaw forces.

A PID controller of the pose. Notch filters remove the wave-frequency motion from its feedback, and
the wind force that the vessel's own model predicts is fed forward.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steerageway.apps.control.force_control import (
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
from steerageway.apps.shared.vessel_options import FILES_KEYS, VesselFilesOptions
from steerageway.bus import ConfigError, Entry, Options, at_line, declare, variables
from steerageway.geometry.marine import angle180
from steerageway.moos.values import trimmed
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control import PoseController, Reference, WaveFilter
from steerageway.vessel.kinematics import Array
from steerageway.vessel.polar import Wind

if TYPE_CHECKING:
    from steerageway.vessel.force_control import WindForce

HELD = ("surge", "sway", "yaw")
PLANE = (0, 1, 5)
WIND = "WIND_CONDITIONS"
FOR_WIND = (*FILES_KEYS, "environment")
DISTANCE, HEADING = "DP_DISTANCE", "DP_HEADING_ERROR"


@dataclass(frozen=True)
class PositioningOptions(Options):
    """Parameters of the configuration block; the vessel is for the wind force."""

    surge: ForceGains = declare.group(ForceGains, "surge_")
    sway: ForceGains = declare.group(ForceGains, "sway_")
    yaw: MomentGains = declare.group(MomentGains, "yaw_")
    motion: MotionOptions = declare.group(MotionOptions)
    setpoint: str = declare.text("", "a first DP_SETPOINT, as x=0,y=0,heading=90")
    wave_period: float = declare.number(
        0, "period of the waves that are filtered out; 0: no filter", unit="s", low=0
    )
    wind_feedforward: float = declare.number(
        0, "fraction of the wind force that is fed forward", low=0, high=1
    )
    vessel: VesselFilesOptions = declare.group(VesselFilesOptions)
    environment: Entry | None = declare.line("the simulator's environment file, for its wind")


class DynamicPositioning(ForceControl):
    """Keeps station: DP_SETPOINT in, TAU_X, TAU_Y, TAU_N out."""

    last_wins = True
    publications = (
        *force_publications(HELD),
        *variables.published(f"""
            {DISTANCE} | number | m | >= 0 | tick, in control | distance from the setpoint
            {HEADING} | number | deg | [-180, 180] | tick, in control | heading minus the setpoint's
        """),
    )
    subscriptions = (
        heard.WIND_CONDITIONS,
        heard.DP_SETPOINT,
        heard.NAV_ROLL,
    )
    subscribes = (*POSE, *OVERRIDES, SETPOINT, WIND)
    parameters = PositioningOptions.parameters()

    def configure(self) -> None:
        config = self.config
        options = PositioningOptions.read(config)
        self.configure_control(options.motion, PLANE)
        gains = gains_of(options, HELD)
        if not gains:
            self.config_warning("no gains, as surge_kp: no forces", config.where)
        self._controller = PoseController(gains)
        self._wave_period = options.wave_period
        self._waves: WaveFilter | None = None
        self._setpoint: Array | None = None
        self._wind_fraction = options.wind_feedforward
        self._wind: Wind | None = None
        self._wind_force = (
            self._read_wind_force(options.environment) if self._wind_fraction else None
        )
        for entry in config.all(*FOR_WIND):
            if not self._wind_fraction:
                self.config_warning("no effect without wind_feedforward", entry.where)
        self._first = options.setpoint
        if self._first:
            self._set(self._first)

    def _read_wind_force(self, entry: Entry | None) -> WindForce:
        from steerageway.apps.shared.vessel_block import read_vessel
        from steerageway.vessel.force_control import WindForce

        config, setting = self.config, self.setting
        vessel = read_vessel(config, setting.places, "wind_feedforward needs it, as inputs/wamv")
        with at_line(config.all("vessel")[0]):
            force = WindForce(vessel)
        self._field = None
        if entry is not None:
            from steerageway.world.reading import load

            with at_line(entry):
                self._field = load(setting.folder / entry.value.strip(), setting.seed).wind
        return force

    def on_variable(self, name: str, value: object) -> None:
        """Store a setpoint or the wind."""
        try:
            if name == WIND:
                self._wind = Wind.read(str(value))
            else:
                self._set(str(value))
        except InvalidValue as error:
            self.run_warning(f"{name} = {value!r}: {error}")

    def _set(self, text: str) -> None:
        before = self._setpoint
        try:
            self._setpoint = read_setpoint(text, self.pose, before)
        except InvalidValue as error:
            if not self.time:
                raise ConfigError(self.config.where, "setpoint", text, str(error)) from None
            raise
        if before is None:
            self.reset()

    def reset(self) -> None:
        """Reset the integrals and the wave filter."""
        self._controller.reset()
        self._waves = None

    def desired_force(self, dt: float) -> Array | None:
        """Return the forces (6,) that keep the vessel at the setpoint; None without a setpoint."""
        if self._setpoint is None:
            return None
        eta, nu = self.motion.eta, self.motion.nu
        error = eta - self._setpoint
        error[5] = (error[5] + np.pi) % (2.0 * np.pi) - np.pi
        self.post(DISTANCE, float(np.hypot(error[0], error[1])))
        self.post(HEADING, angle180(float(np.degrees(error[5]))))
        filtered = self._wave_filtered(np.concatenate((error, nu)), dt)
        reference = Reference(eta - filtered[:6], np.zeros(6))
        return self._controller.step(eta, filtered[6:], reference, dt, self._wind_feedforward())

    def _wave_filtered(self, motion: Array, dt: float) -> Array:
        """Return pose error and velocity (12,) without wave-frequency motion."""
        if self._waves is None and self._wave_period and dt > 0.0:
            self._waves = WaveFilter(self._wave_period, dt)
        return motion if self._waves is None else self._waves.step(motion)

    def _wind_feedforward(self) -> Array | None:
        """Return the feedforward force (6,) against the wind; None without wind feedforward."""
        if self._wind_force is None:
            return None
        wind = self._wind if self._field is None else self._field.at(self.time)
        if wind is None:
            return None
        yaw, nu = float(self.motion.eta[5]), self.motion.nu
        return -self._wind_fraction * self._wind_force.wrench(yaw, nu, wind.speed, wind.direction)

    def report(self) -> Iterable[str]:
        """Return the setpoint and the vessel's distance from it."""
        yield from super().report()
        if self._setpoint is None:
            yield f"Waiting for {SETPOINT}"
            return
        yield f"Setpoint: {shown_pose(self._setpoint)}"
        off = self.motion.eta - self._setpoint
        yield f"Off by {trimmed(float(np.hypot(off[0], off[1])), 2)} m"
