"""The parameters of ``uSimMarineV22``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.pid_config import PidOptions
from steerageway.apps.shared.vessel_options import (
    FmuOptions,
    FossenOptions,
    PostOptions,
    SurroundingsOptions,
    ThrustMapOptions,
)
from steerageway.apps.vessels.usim_marine.pose import read_starts
from steerageway.bus import Config, Options, Parameter, declare


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
class SimulatorOptions(Options):
    """Parameters of the configuration block, apart from the model and the embedded PID."""

    by_map: ThrustMapOptions = declare.group(ThrustMapOptions)
    by_fossen: FossenOptions = declare.group(FossenOptions)
    by_fmu: FmuOptions = declare.group(FmuOptions)
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
    "vessel model: documented, released, legacy, fossen or fmu: see steerageway help simulator",
)
PID = tuple(_embedded(parameter) for parameter in PidOptions.parameters())
PARAMETERS = (MODEL, *SimulatorOptions.parameters(), *PID)
FOSSEN, FMU = FossenOptions.parameters(), FmuOptions.parameters()
