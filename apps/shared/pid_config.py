"""Marine PID parameters: gains, limits and stale times, for every app with such a controller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steerageway.apps.shared.pid_posts import Debug
from steerageway.bus import Config, Options, declare
from steerageway.vessel.pid import Gains, PidParameters


@dataclass(frozen=True)
class YawGains(Options):
    """Gains from heading to rudder."""

    kp: float = declare.number(0, "rudder per degree of heading error", unit="%/deg")
    kd: float = declare.number(0, "rudder per rate of heading error", unit="%/(deg/s)")
    ki: float = declare.number(
        0, "rudder per integral of heading error; > 0 to act", unit="%/(deg s)"
    )
    integral_limit: float = declare.number(
        0, "limit of the integral term", unit="%", low=0, aliases=("ki_limit",)
    )


@dataclass(frozen=True)
class SpeedGains(Options):
    """Gains from speed to thrust."""

    kp: float = declare.number(0, "change of thrust per speed error", unit="%/(m/s)")
    kd: float = declare.number(0, "change of thrust per rate of speed error", unit="%/(m/s^2)")
    ki: float = declare.number(0, "change of thrust per integral of speed error", unit="%/m")
    integral_limit: float = declare.number(
        0, "limit of the integral term", unit="%", low=0, aliases=("ki_limit",)
    )


@dataclass(frozen=True)
class DepthGains(Options):
    """Gains from depth to pitch."""

    kp: float = declare.number(0, "pitch per depth error", unit="rad/m")
    kd: float = declare.number(0, "pitch per rate of depth error", unit="rad/(m/s)")
    ki: float = declare.number(0, "pitch per integral of depth error", unit="rad/(m s)")
    integral_limit: float = declare.number(0, "limit of the integral term", unit="rad", low=0)


@dataclass(frozen=True)
class PitchGains(Options):
    """Gains from pitch to elevator."""

    kp: float = declare.number(0, "elevator per pitch error", unit="rad/rad")
    kd: float = declare.number(0, "elevator per rate of pitch error", unit="rad/(rad/s)")
    ki: float = declare.number(0, "elevator per integral of pitch error", unit="rad/(rad s)")
    integral_limit: float = declare.number(0, "limit of the integral term", unit="rad", low=0)


@dataclass(frozen=True)
class ControllerOptions(Options):
    """Parameters common to the present controller and the older one."""

    yaw: YawGains = declare.group(YawGains, "yaw_pid_")
    speed: SpeedGains = declare.group(SpeedGains, "speed_pid_")
    z_to_pitch: DepthGains = declare.group(DepthGains, "z_to_pitch_pid_")
    pitch: PitchGains = declare.group(PitchGains, "pitch_pid_")
    maxrudder: float = declare.number(100, "limit of the rudder", unit="%", low=0)
    maxthrust: float = declare.number(100, "limit of the thrust", unit="%", low=0)
    maxpitch: float = declare.number(15, "limit of the desired pitch", unit="deg", low=0)
    maxelevator: float = declare.number(13, "limit of the elevator", unit="deg", low=0)
    speed_factor: float = declare.number(
        0, "thrust per desired speed; 0: use the speed PID", unit="%/(m/s)", low=0
    )
    sim_instability: float = declare.number(
        0, "amplitude of a sawtooth added to the rudder", unit="%", low=0, high=100
    )
    tardy_helm_threshold: float = declare.number(
        2, "age at which a DESIRED_* value is stale", unit="s", low=0
    )
    tardy_nav_threshold: float = declare.number(
        2, "age at which a NAV_* value is stale", unit="s", low=0
    )

    def controller(self, *, depth_control: bool, simulation: bool = False) -> PidParameters:
        """Return the controller parameters for these switches."""
        return PidParameters(
            yaw=_gains(self.yaw),
            speed=_gains(self.speed),
            z_to_pitch=_gains(self.z_to_pitch),
            pitch=_gains(self.pitch),
            speed_factor=self.speed_factor,
            max_rudder=self.maxrudder,
            max_thrust=self.maxthrust,
            max_pitch=self.maxpitch,
            max_elevator=self.maxelevator,
            depth_control=depth_control,
            simulation=simulation,
            sim_instability=self.sim_instability,
            tardy_helm=self.tardy_helm_threshold,
            tardy_nav=self.tardy_nav_threshold,
        )


@dataclass(frozen=True)
class PidOptions(ControllerOptions):
    """The present controller's parameters."""

    depth_control: bool = declare.flag(True, "whether depth is controlled, by the elevator")
    simulation: bool = declare.flag(False, "true: values of any age are used")
    heading_debug: bool = declare.flag(False, "true: PID_HDG_DEBUG is posted")
    speed_debug: bool = declare.flag(False, "true: PID_SPD_DEBUG is posted")
    depth_debug: bool = declare.flag(False, "true: PID_DEP_DEBUG is posted")

    @property
    def pid(self) -> PidParameters:
        """The controller parameters."""
        return self.controller(depth_control=self.depth_control, simulation=self.simulation)

    @property
    def debug(self) -> Debug:
        """Loops whose debug variables are posted."""
        return Debug(self.heading_debug, self.speed_debug, self.depth_debug)


def has_pid(config: Config) -> bool:
    """Return whether a block configures a PID: it contains any gain of the yaw loop."""
    return any(f"yaw_pid_{one.name}" in config for one in YawGains.parameters())


def lacking(parameters: PidParameters) -> Iterator[str]:
    """Yield a warning for each output that stays zero because no gain is set."""
    yaw, speed = parameters.yaw, parameters.speed
    if not any((yaw.kp, yaw.kd, yaw.ki)):
        yield "no gain of the yaw loop, as yaw_pid_kp: the rudder stays amidships"
    if not any((parameters.speed_factor, speed.kp, speed.kd, speed.ki)):
        yield "neither speed_factor nor a gain of the speed loop: no thrust before a SPEED_FACTOR"


def _gains(loop: YawGains | SpeedGains | DepthGains | PitchGains) -> Gains:
    return Gains(loop.kp, loop.kd, loop.ki, loop.integral_limit)
