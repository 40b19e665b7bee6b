"""The marine PID's parameters as a mission file spells them, for every app that runs one."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.bus import Config, Parameter
from steerageway.vessel.pid import Gains, PidParameters

YAW_GAINS = (
    Parameter("yaw_pid_kp", "0", "rudder per degree of heading error [%/deg]"),
    Parameter("yaw_pid_kd", "0", "rudder per rate of heading error [%/(deg/s)]"),
    Parameter("yaw_pid_ki", "0", "rudder per integral of heading error [%/(deg s)]; > 0 to act"),
    Parameter("yaw_pid_integral_limit", "0", "bound of the integral's share [%], >= 0"),
    Parameter("yaw_pid_ki_limit", "0", "another name of yaw_pid_integral_limit"),
)
OTHER_GAINS = (
    Parameter("speed_pid_kp", "0", "change of thrust per speed error [%/(m/s)]"),
    Parameter("speed_pid_kd", "0", "change of thrust per rate of speed error [%/(m/s^2)]"),
    Parameter("speed_pid_ki", "0", "change of thrust per integral of speed error [%/m]"),
    Parameter("speed_pid_integral_limit", "0", "bound of the integral's share [%], >= 0"),
    Parameter("speed_pid_ki_limit", "0", "another name of speed_pid_integral_limit"),
    Parameter("z_to_pitch_pid_kp", "0", "pitch per depth error [rad/m]"),
    Parameter("z_to_pitch_pid_kd", "0", "pitch per rate of depth error [rad/(m/s)]"),
    Parameter("z_to_pitch_pid_ki", "0", "pitch per integral of depth error [rad/(m s)]"),
    Parameter("z_to_pitch_pid_integral_limit", "0", "bound of the integral's share [rad], >= 0"),
    Parameter("pitch_pid_kp", "0", "elevator per pitch error [rad/rad]"),
    Parameter("pitch_pid_kd", "0", "elevator per rate of pitch error [rad/(rad/s)]"),
    Parameter("pitch_pid_ki", "0", "elevator per integral of pitch error [rad/(rad s)]"),
    Parameter("pitch_pid_integral_limit", "0", "bound of the integral's share [rad], >= 0"),
)
LIMITS = (
    Parameter("maxrudder", "100", "bound of the rudder [%], >= 0"),
    Parameter("maxthrust", "100", "bound of the thrust [%], >= 0"),
    Parameter("maxpitch", "15", "bound of the pitch asked for [deg], >= 0"),
    Parameter("maxelevator", "13", "bound of the elevator [deg], >= 0"),
    Parameter("speed_factor", "0", "thrust per desired speed [%/(m/s)], >= 0; 0: the speed PID"),
    Parameter("sim_instability", "0", "amplitude of a sawtooth on the rudder [%], 0 to 100"),
    Parameter("tardy_helm_threshold", "2", "age at which a DESIRED_* value is stale [s], >= 0"),
    Parameter("tardy_nav_threshold", "2", "age at which a NAV_* value is stale [s], >= 0"),
)
SWITCHES = (
    Parameter("depth_control", "true", "whether the elevator is driven"),
    Parameter("simulation", "false", "true: values of any age are taken"),
    Parameter("heading_debug", "false", "true: PID_HDG_DEBUG is posted"),
    Parameter("speed_debug", "false", "true: PID_SPD_DEBUG is posted"),
    Parameter("depth_debug", "false", "true: PID_DEP_DEBUG is posted"),
)
PID_PARAMETERS = YAW_GAINS + OTHER_GAINS + LIMITS + SWITCHES


def has_pid(config: Config) -> bool:
    """Whether a block asks for a PID of its own: any gain of the yaw loop is there."""
    return any(parameter.name in config for parameter in YAW_GAINS)


def read_pid(config: Config) -> PidParameters:
    """Read a controller's parameters.

    Raises:
        ConfigError: a value is no number, no boolean, or out of range.
    """
    return read_controller(
        config,
        depth_control=config.flag("depth_control", default=True),
        simulation=config.flag("simulation", default=False),
    )


def lacking(parameters: PidParameters) -> Iterator[str]:
    """Say which outputs of a controller stay zero for want of a gain."""
    yaw, speed = parameters.yaw, parameters.speed
    if not any((yaw.kp, yaw.kd, yaw.ki)):
        yield "no gain of the yaw loop, as yaw_pid_kp: the rudder stays amidships"
    if not any((parameters.speed_factor, speed.kp, speed.kd, speed.ki)):
        yield "neither speed_factor nor a gain of the speed loop: no thrust before a SPEED_FACTOR"


def read_controller(
    config: Config, *, depth_control: bool, simulation: bool = False
) -> PidParameters:
    """Read the gains, limits and thresholds of a controller with these switches.

    Raises:
        ConfigError: a value is no number, or out of range.
    """
    d = PidParameters()
    return PidParameters(
        yaw=_gains(config, "yaw_pid"),
        speed=_gains(config, "speed_pid"),
        z_to_pitch=_gains(config, "z_to_pitch_pid"),
        pitch=_gains(config, "pitch_pid"),
        speed_factor=config.number("speed_factor", default=d.speed_factor, low=0.0),
        max_rudder=config.number("maxrudder", default=d.max_rudder, low=0.0),
        max_thrust=config.number("maxthrust", default=d.max_thrust, low=0.0),
        max_pitch=config.number("maxpitch", default=d.max_pitch, low=0.0),
        max_elevator=config.number("maxelevator", default=d.max_elevator, low=0.0),
        depth_control=depth_control,
        simulation=simulation,
        sim_instability=config.number("sim_instability", default=0.0, low=0.0, high=100.0),
        tardy_helm=config.number("tardy_helm_threshold", default=d.tardy_helm, low=0.0),
        tardy_nav=config.number("tardy_nav_threshold", default=d.tardy_nav, low=0.0),
    )


def _gains(config: Config, loop: str) -> Gains:
    limits = [f"{loop}_integral_limit"]
    if loop in ("yaw_pid", "speed_pid"):
        limits.append(f"{loop}_ki_limit")
    return Gains(
        kp=config.number(f"{loop}_kp", default=0.0),
        kd=config.number(f"{loop}_kd", default=0.0),
        ki=config.number(f"{loop}_ki", default=0.0),
        integral_limit=config.number(*limits, default=0.0, low=0.0),
    )
