"""The parameters of ``uSimMarineV22``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steerageway.apps.control.pid_config import PidOptions
from steerageway.apps.vessels.usim_marine.drift_lines import read_drift
from steerageway.apps.vessels.usim_marine.pose import read_starts
from steerageway.apps.vessels.vessel_options import FossenOptions, ThrustMapOptions
from steerageway.apps.vessels.wormholes import WormholeOptions
from steerageway.bus import Config, Entry, Options, Parameter, declare
from steerageway.vessel.drift import Drift
from steerageway.vessel.polar import Wind


def _mode(word: str) -> Callable[[Config, Sequence[str]], bool]:
    """Return a reader of "normal" or a mode's word."""

    def read(config: Config, names: Sequence[str]) -> bool:
        words = ("normal", "false", word, "true")
        return config.choice(*names, default="normal", among=words) in words[2:]

    return read


@dataclass(frozen=True)
class SteeringOptions(Options):
    """Parameters of steering and trim, for any vessel."""

    thrust_mode_diff: bool = declare.custom(
        _mode("differential"), "normal, or differential: steer by two thrusters", default="normal"
    )
    thrust_mode_reverse: bool = declare.custom(
        _mode("reverse"), "normal, or reverse: go stern first", default="normal"
    )
    trim_tolerance: float = declare.number(
        5, "pitch that is accepted as trimmed", unit="deg", low=0
    )
    max_trim_delay: float = declare.number(
        10, "time after which trimming ends at any pitch", unit="s", low=0
    )


@dataclass(frozen=True)
class StartOptions(Options):
    """Start of the vessel."""

    start_x: float = declare.number(0, "start position east of the datum", unit="m")
    start_y: float = declare.number(0, "start position north of the datum", unit="m")
    start_heading: float = declare.number(0, "start heading, clockwise from north", unit="deg")
    start_speed: float = declare.number(0, "start speed", unit="m/s")
    start_depth: float = declare.number(0, "start depth", unit="m", low=0)
    start_pos: str = declare.text("", "start as x=0,y=-20,heading=180,speed=0,depth=0")


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
    default_water_depth: float = declare.number(
        0, "depth of the water; 0: unknown, and no altitude is posted", unit="m", low=0
    )
    wind_conditions: Wind | None = declare.value(
        "", Wind.read, "wind as spd=5,dir=90: speed [m/s] and direction it comes from [deg]"
    )
    environment: Entry | None = declare.line(
        "file of waves, wind, current, tide and ground: see docs/world.md"
    )
    environment_key: tuple[Entry, ...] = declare.entries(
        "a key of the environment, as waves.Hs = 1.2"
    )
    wormholes: WormholeOptions = declare.group(WormholeOptions)


def _variable(reserved: str) -> Callable[[Config, Sequence[str]], str]:
    """Return a reader of the name of a variable to post; "" for none."""

    def read(config: Config, names: Sequence[str]) -> str:
        entry = config.entry(*names)
        name = "" if entry is None else entry.value.strip()
        if entry is not None and (not name or len(name.split()) > 1 or name.upper() == reserved):
            others = f" other than {reserved}" if reserved else ""
            raise Config.error(entry, f"expected a name without blanks{others}")
        return name

    return read


@dataclass(frozen=True)
class PostOptions(Options):
    """Parameters of the posts."""

    prefix: str = declare.custom(
        lambda config, names: _variable("")(config, names) or "USM",
        "prefix of the posted variables; an underscore is added if it is missing",
        default="USM",
    )
    dual_state: bool = declare.flag(
        False, "true: post the state without drift, and the true state as GT_*"
    )
    post_navpos_summary: bool = declare.flag(False, "true: post USM_NAVPOS_SUMMARY")
    post_des_thrust: str = declare.custom(
        _variable("DESIRED_THRUST"), "variable of the embedded PID's thrust"
    )
    post_des_rudder: str = declare.custom(
        _variable("DESIRED_RUDDER"), "variable of the embedded PID's rudder"
    )


@dataclass(frozen=True)
class SimulatorOptions(Options):
    """Parameters of the configuration block, apart from the model and the embedded PID."""

    by_map: ThrustMapOptions = declare.group(ThrustMapOptions)
    by_fossen: FossenOptions = declare.group(FossenOptions)
    steering: SteeringOptions = declare.group(SteeringOptions)
    starts: tuple[dict[str, float], ...] = declare.group(StartOptions, read=read_starts)
    sim_pause: bool = declare.flag(
        False, "true: the vessel does not move until USM_SIM_PAUSED = false"
    )
    around: SurroundingsOptions = declare.group(SurroundingsOptions)
    posts: PostOptions = declare.group(PostOptions)


def _embedded(parameter: Parameter) -> Parameter:
    """Return a PID parameter without a default: any line of the yaw loop enables the PID."""
    default = f" ({parameter.default})" if parameter.default else ""
    return Parameter(parameter.name, "", f"embedded PID: {parameter.help}{default}")


MODEL = Parameter(
    "model",
    "documented",
    "vessel model: documented, released, legacy or fossen: see docs/simulator.md",
)
PID = tuple(_embedded(parameter) for parameter in PidOptions.parameters())
PARAMETERS = (MODEL, *SimulatorOptions.parameters(), *PID)
FOSSEN = FossenOptions.parameters()
