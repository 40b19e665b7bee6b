"""Parameters of a simulated vessel: its motion, its surroundings, and what is posted of it.

The simulator reads them, and apps that measure the vessel read what they need of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.drift_lines import read_drift
from steerageway.apps.shared.wormholes import WormholeOptions
from steerageway.bus import Config, Entry, Options, declare
from steerageway.vessel.drift import Drift
from steerageway.vessel.polar import PolarPlot, Wind
from steerageway.world.constants import NANO

OVERRIDE = "expected FILE.KEY = VALUE, as inertia.mass = 60"
OTHER_FILE = "expected FILE = PATH, as thrusters = engines/two.yml"

Period = tuple[int, int] | None
"""A rate as a period, see ``tick_period``; None: every tick."""


def assignments(lines: Iterable[Entry], expected: str) -> Iterator[tuple[Entry, str, str]]:
    """Yield each line of the form ``PARAMETER = KEY = VALUE`` with its key and its value.

    Args:
        expected: the error text for a line without a value.
    Raises:
        ConfigError: a line has another form.
    """
    for line in lines:
        key, _, value = (piece.strip() for piece in line.value.partition("="))
        if not value:
            raise Config.error(line, expected)
        yield line, key, value


def _acceleration(config: Config, names: Sequence[str]) -> float | None:
    return config.number(*names, default=0.0, low=0.0) if config.entry(*names) else None


@dataclass(frozen=True)
class ThrustMapOptions(Options):
    """A vessel by a thrust map."""

    thrust_map: Entry | None = declare.line(
        "thrust map: pairs thrust:speed [%:m/s], as 0:0, 20:1, 40:2, 100:5"
    )
    thrust_factor: float = declare.number(
        20, "thrust per speed, if thrust_map has no thrust > 0", unit="%/(m/s)", low=0
    )
    thrust_reflect: bool = declare.flag(False, "true: thrust astern mirrors thrust ahead")
    turn_rate: float = declare.number(70, "heading change per rudder; at most 100", low=0)
    turn_spd_loss: float = declare.number(
        0.85, "fraction of speed lost at full rudder", low=0, high=1, aliases=("turn_loss",)
    )
    turn_spd_map_null_speed: float | None = declare.number(
        None, "speed up to which the turn rate is turn_spd_map_null_rate (0)", unit="m/s", low=0
    )
    turn_spd_map_null_rate: float | None = declare.number(
        None, "turn rate at turn_spd_map_null_speed (0)", low=0, high=100
    )
    turn_spd_map_full_speed: float | None = declare.number(
        None, "speed from which the turn rate is turn_spd_map_full_rate (1)", unit="m/s", above=0
    )
    turn_spd_map_full_rate: float | None = declare.number(
        None, "turn rate at turn_spd_map_full_speed (turn_rate)", above=0, high=100
    )
    turn_radius: float | None = declare.limit(None, "minimum turn radius", unit="m")
    max_rudder_degs_per_sec: float | None = declare.limit(None, "rate of the rudder", unit="%/s")
    max_speed: float | None = declare.number(
        None, "maximum speed; default: no limit (released: 5, posted only)", unit="m/s", above=0
    )
    max_acceleration: float | None = declare.custom(
        _acceleration,
        "maximum acceleration [m/s^2], >= 0; 0: no limit (released and legacy: 0)",
        default="0.5",
    )
    max_deceleration: float | None = declare.limit(0.5, "maximum deceleration", unit="m/s^2")
    buoyancy_rate: float = declare.number(0.025, "ascent rate by buoyancy", unit="m/s")
    max_depth_rate: float = declare.number(0.5, "depth rate at full elevator", unit="m/s", low=0)
    max_depth_rate_speed: float | None = declare.limit(
        2, "speed from which the depth rate is max_depth_rate", unit="m/s"
    )
    polar_plot: PolarPlot | None = declare.value(
        "",
        PolarPlot.read,
        "sailing speed: angle to the wind [deg], speed [% of the wind's], as 0,0: 60,80: 180,50",
    )


@dataclass(frozen=True)
class VesselFilesOptions(Options):
    """A vessel by its files, which ``vessel_block.read_vessel`` reads."""

    vessel: Entry | None = declare.line(
        "folder of a vessel's files, as inputs/otter: see steerageway help simulator"
    )
    vessel_file: tuple[Entry, ...] = declare.entries(
        "another path of one of these files, as thrusters = two.yml"
    )
    vessel_override: tuple[Entry, ...] = declare.entries(
        "another value in these files, as inertia.mass = 60"
    )
    peer_compat: Entry | None = declare.line(
        "reference program to reproduce: panisim, or one of peer_compat.yml"
    )


FILES_KEYS = tuple(parameter.name for parameter in VesselFilesOptions.parameters())


@dataclass(frozen=True)
class FossenOptions(VesselFilesOptions):
    """A vessel by Fossen's equations."""

    time_step: float = declare.number(
        0.02, "length of an integration step", unit="s", low=1 / NANO, example=False
    )
    integrator: str = declare.choice(
        "",
        {"rk4": "", "adaptive": "substeps"},
        "integrator of a step, instead of the vessel's own",
    )
    actuator_map: Entry | None = declare.line(
        "actuators of helm commands, as th_1:thrust+rudder, th_2:thrust-rudder"
    )
    actuator_cmd: Entry | None = declare.line(
        "initial actuator commands [deg, rpm], as cs_1=15,th_1=1200"
    )
    override_timeout: float = declare.number(
        5, "timeout of an override that is not repeated", unit="s", above=0, example=False
    )
    position_rate: Period = declare.rate("rate of posts of the position")
    heading_rate: Period = declare.rate("rate of posts of heading and yaw")
    aux_rate: Period = declare.rate("rate of posts of the rest of the state")


@dataclass(frozen=True)
class FmuOptions(Options):
    """A vessel by an FMU of another program, see ``vessel.fmi.model``."""

    fmu: Entry | None = declare.line("file of an FMU: see steerageway help fmi")
    fmu_input: tuple[Entry, ...] = declare.entries(
        "an input of the FMU and an order or surrounding, as delta = rudder * 0.0061"
    )
    fmu_output: tuple[Entry, ...] = declare.entries(
        "a part of the motion and a variable of the FMU, as heading = psi * 57.29578"
    )
    fmu_start: tuple[Entry, ...] = declare.entries(
        "a variable of the FMU and a part of the pose that it starts with, as u0 = speed"
    )
    fmu_parameter: tuple[Entry, ...] = declare.entries(
        "a parameter of the FMU and its value, as mass = 60"
    )


@dataclass(frozen=True)
class DriftOptions(Options):
    """Drift at the start."""

    drift_x: float = declare.number(0, "drift to the east", unit="m/s")
    drift_y: float = declare.number(0, "drift to the north", unit="m/s")
    drift_vector: str = declare.text(
        "", "drift as DIRECTION,SPEED: direction it goes to [deg], speed [m/s]"
    )


@dataclass(frozen=True)
class SurroundingsOptions(Options):
    """Surroundings of the vessel."""

    drift: Drift = declare.group(DriftOptions, read=read_drift)
    rotate_speed: float = declare.number(
        0, "rotation of the vessel by its surroundings", unit="deg/s"
    )
    current_field: Entry | None = declare.line("file of a current that varies in space")
    current_field_active: bool = declare.flag(
        True, "false: no effect of the field until USM_CURRENT_FIELD = true"
    )
    default_water_depth: float | None = declare.number(
        None, "depth of the water; default: unknown, and no altitude is posted", unit="m", low=0
    )
    wind_conditions: Wind | None = declare.value(
        "", Wind.read, "wind as spd=5,dir=90: speed [m/s] and direction it comes from [deg]"
    )
    environment: Entry | None = declare.line(
        "file of waves, wind, current, tide and ground: see steerageway help world"
    )
    environment_key: tuple[Entry, ...] = declare.entries(
        "a key of the environment, as waves.Hs = 1.2"
    )
    wormholes: WormholeOptions = declare.group(WormholeOptions)


@dataclass(frozen=True)
class PostOptions(Options):
    """Parameters of the posts."""

    prefix: str = declare.word(
        "USM", "prefix of the posted variables; an underscore is added if it is missing"
    )
    dual_state: bool = declare.flag(
        False, "true: post the state without drift, and the true state as GT_*"
    )
    post_navpos_summary: bool = declare.flag(False, "true: post USM_NAVPOS_SUMMARY")
    post_des_thrust: str = declare.word(
        "", "variable of the embedded PID's thrust", refused="DESIRED_THRUST"
    )
    post_des_rudder: str = declare.word(
        "", "variable of the embedded PID's rudder", refused="DESIRED_RUDDER"
    )
