"""Reads a simulator's block: the vessel, where it starts, and what acts on it from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from steerageway.apps.compat.simulators import (
    DOCUMENTED,
    FOSSEN,
    GENERATIONS,
    LEGACY,
    RELEASED,
)
from steerageway.apps.control.pid_config import PID_PARAMETERS
from steerageway.apps.vessels.usim_marine.parameters import FOSSEN as FOSSEN_PARAMETERS
from steerageway.apps.vessels.usim_marine.pose import IN_ORDER, meant_otherwise, read_pose
from steerageway.bus import Config, Entry, parse_number
from steerageway.vessel.compat.thrust_map import ReleasedThrustMap
from steerageway.vessel.compat.thrust_map_engines import TURN_SPEED_MAP, Legacy, Released
from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion, State, VesselModel
from steerageway.vessel.polar import PolarPlot, Wind
from steerageway.vessel.thrust_map import ThrustMap, read_pairs
from steerageway.world import current_field

Warn = Callable[[str, str], None]  # told what is doubtful, and the place of its line
Thing = TypeVar("Thing")

MODELS: dict[str, Callable[[KinematicParameters], VesselModel[Motion]]] = {
    DOCUMENTED: Documented,
    RELEASED: Released,
    LEGACY: Legacy,
}

FIELD_KEYS = ("current_field", "current_field_active", "environment", "environment_key")
FULL_KEYS = ("turn_spd_map_full_speed", "turn_spd_map_full_rate")
NULL_KEYS = ("turn_spd_map_null_speed", "turn_spd_map_null_rate")
FOSSEN_KEYS = tuple(parameter.name for parameter in FOSSEN_PARAMETERS)
WITHOUT_EFFECT: dict[str, tuple[str, ...]] = {
    DOCUMENTED: FOSSEN_KEYS,
    RELEASED: (*FOSSEN_KEYS, *FIELD_KEYS, "turn_loss", "turn_spd_map_full_speed"),
    FOSSEN: (
        *("thrust_map", "thrust_factor", "thrust_reflect", *FULL_KEYS, *NULL_KEYS),
        *("turn_rate", "turn_loss", "turn_spd_loss", "turn_radius", "max_rudder_degs_per_sec"),
        *("max_speed", "max_acceleration", "max_deceleration", "buoyancy_rate"),
        *("max_depth_rate", "max_depth_rate_speed", "polar_plot"),
    ),
    LEGACY: (
        *FOSSEN_KEYS,
        *(*FIELD_KEYS, *FULL_KEYS, *NULL_KEYS),
        *("turn_loss", "turn_spd_loss", "turn_radius", "max_speed"),
        *("wind_conditions", "polar_plot", "post_navpos_summary", "wormhole"),
        *("thrust_mode_diff", "thrust_mode_reverse", "post_des_thrust", "post_des_rudder"),
        *(parameter.name for parameter in PID_PARAMETERS),
    ),
}


def in_force(config: Config, model: str, *, last_wins: bool, warn: Warn) -> Config:
    """Give the lines that a model reads, under their present names; warn of the others."""
    lines, old_names = [], GENERATIONS[model].old_names
    for entry in config:
        key = entry.key.lower()
        if key in WITHOUT_EFFECT[model]:
            warn(f"{entry.key} has no effect with model = {model}", entry.where)
        elif key in old_names:
            warn(f"{entry.key} is an old name: use {old_names[key]}", entry.where)
            lines.append(Entry(old_names[key], entry.value, entry.where))
        else:
            lines.append(entry)
    return Config(lines, where=config.where, last_wins=last_wins)


def read_craft(config: Config, model: str, *, last_wins: bool, warn: Warn) -> Craft[Motion]:
    """Make the vessel a block describes.

    Raises:
        ConfigError: a line is wrong.
    """
    vessel = MODELS[model](read_parameters(config, model, warn))
    for entry in config.all("start_pos"):
        doubt = meant_otherwise(entry.value)
        if doubt:
            warn(f"{entry.key} = {entry.value}: {doubt}", entry.where)
    return outfitted(vessel, Motion(), config, last_wins=last_wins)


def outfitted(
    vessel: VesselModel[State], state: State, config: Config, *, last_wins: bool
) -> Craft[State]:
    """Give a vessel the start and the surroundings that a block says.

    Raises:
        ConfigError: a line is wrong.
    """
    dual_state = config.flag("dual_state", default=False)
    craft = Craft(vessel, state, dual_state=dual_state)
    for entry in _in_order(config, last_wins, "start_pos", *(f"start_{key}" for key in IN_ORDER)):
        craft.place(**_start(entry))
    for entry in _in_order(config, last_wins, "drift_x", "drift_y", "drift_vector"):
        craft.drift = _drift(craft.drift, entry)
    modes = ("normal", "false"), ("differential", "true"), ("reverse", "true")
    differential = config.choice("thrust_mode_diff", default="normal", among=modes[0] + modes[1])
    reverse = config.choice("thrust_mode_reverse", default="normal", among=modes[0] + modes[2])
    craft.inputs.differential = differential in modes[1]
    craft.inputs.reverse = reverse in modes[2]
    craft.inputs.rotate_speed = config.number("rotate_speed", default=0.0)
    craft.inputs.wind = parsed(config, "wind_conditions", Wind.read)
    craft.paused = config.flag("sim_pause", default=False)
    return craft


def read_parameters(config: Config, model: str, warn: Warn) -> KinematicParameters:
    """Read what does not change while the vessel moves."""
    number = config.number
    turn_rate = _turn_rate(config, model, warn)
    return KinematicParameters(
        thrust_map=_thrust_map(config, model, warn),
        turn_rate=turn_rate,
        turn_speed_map=_turn_speed_map(config, model, turn_rate),
        turn_spd_loss=number("turn_spd_loss", "turn_loss", default=0.85, low=0.0, high=1.0),
        turn_radius=number("turn_radius", default=0.0, low=0.0),
        max_speed=number("max_speed", default=0.0, above=0.0),
        max_acceleration=number(
            "max_acceleration", default=0.5 if model == DOCUMENTED else 0.0, low=0.0
        ),
        max_deceleration=number("max_deceleration", default=0.5, low=0.0),
        max_rudder_rate=number("max_rudder_degs_per_sec", default=0.0, low=0.0),
        buoyancy_rate=number("buoyancy_rate", default=0.025),
        max_depth_rate=number("max_depth_rate", default=0.5, low=0.0),
        max_depth_rate_speed=number("max_depth_rate_speed", default=2.0, low=0.0),
        polar_plot=parsed(config, "polar_plot", PolarPlot.read),
    )


def read_current_field(config: Config, folder: Path) -> current_field.CurrentField | None:
    """Read the current field a block names; a relative file name starts from the folder."""
    return parsed(config, "current_field", lambda text: current_field.read(folder / text))


def parsed(config: Config, key: str, read: Callable[[str], Thing]) -> Thing | None:
    """Give what a text parameter says; None when it is not there.

    Raises:
        ConfigError: the reader refuses the text.
    """
    entry = config.entry(key)
    return None if entry is None else _parsed(entry, read)


def _parsed(entry: Entry, read: Callable[[str], Thing]) -> Thing:
    try:
        return read(entry.value.strip())
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def _in_order(config: Config, last_wins: bool, *keys: str) -> Iterable[Entry]:
    """Give lines such that applying one after the other leaves the one that counts in force."""
    lines = config.all(*keys)
    return lines if last_wins else reversed(lines)


def _start(entry: Entry) -> dict[str, float]:
    key = entry.key.lower().removeprefix("start_")
    if key == "pos":
        return _parsed(entry, read_pose)
    value = parse_number(entry)
    if key == "depth" and value < 0:
        raise Config.error(entry, "must be at least 0: depth is measured down")
    return {key: value}


def _drift(before: Drift, entry: Entry) -> Drift:
    key = entry.key.lower()
    if key == "drift_vector":
        return _parsed(entry, read_vector)
    value = parse_number(entry)
    return Drift(value, before.y) if key == "drift_x" else Drift(before.x, value)


def read_vector(text: str) -> Drift:
    """Read a drift "<direction [deg]>,<magnitude [m/s]>".

    Raises:
        InvalidValue: not two numbers.
    """
    try:
        direction, magnitude = (float(part) for part in text.split(","))
    except ValueError:
        raise InvalidValue("expected <direction in degrees>,<magnitude in m/s>") from None
    return Drift.towards(direction, magnitude)


def _thrust_map(config: Config, model: str, warn: Warn) -> ThrustMap:
    kind = ThrustMap if model == DOCUMENTED else ReleasedThrustMap
    factor = config.number("thrust_factor", default=20.0, low=0.0)
    reflect = config.flag("thrust_reflect", default=False)
    entry = config.entry("thrust_map")
    if entry is None:
        return kind(factor=factor, reflect=reflect)
    reading = _parsed(entry, lambda text: read_pairs(text, stop_at_bad=model != DOCUMENTED))
    if reading.ignored:
        expected = "expected thrusts from -100 to 100, no speed at 0, and no speed that falls"
        warn(f"thrust_map: left out {', '.join(reading.ignored)}: {expected}", entry.where)
    return kind(reading.ahead, reading.astern, factor, reflect)


def _turn_rate(config: Config, model: str, warn: Warn) -> float:
    """Read the turn rate; in the released simulator 0 leaves what it was before, 100 or so.

    Files of the field ask for more than there is, and get all there is.
    """
    rate = config.number("turn_rate", default=70.0, low=0.0)
    entry = config.entry("turn_rate")
    if entry is not None and rate > 100.0:
        warn(f"turn_rate = {entry.value}: taken for 100, which is all there is", entry.where)
        rate = 100.0
    if model == RELEASED and rate == 0:
        return config.number("turn_spd_map_full_rate", default=100.0, above=0.0, high=100.0)
    return rate


def _turn_speed_map(config: Config, model: str, turn_rate: float) -> TurnSpeedMap | None:
    """Read how the turn rate grows with speed; None where it does not.

    The released simulator lets the null point lie nowhere above the full one.
    """
    null_speed = config.number(NULL_KEYS[0], default=0.0, low=0.0)
    null_rate = config.number(NULL_KEYS[1], default=0.0, low=0.0, high=100.0)
    if model == RELEASED:
        full_speed = TURN_SPEED_MAP.full_speed
        return TurnSpeedMap(min(null_speed, full_speed), min(null_rate, turn_rate), full_speed)
    entry = config.entry(FULL_KEYS[1])
    full_rate = None if entry is None else parse_number(entry)
    if entry is not None and full_rate is not None and not 0 < full_rate <= 100:
        raise Config.error(entry, "must be greater than 0 and at most 100")
    if not config.all(*NULL_KEYS, *FULL_KEYS):
        return None
    full_speed = config.number(FULL_KEYS[0], default=1.0, above=null_speed)
    return TurnSpeedMap(null_speed, null_rate, full_speed, full_rate)
