"""Builds the thrust-map vessel of a simulator's block, with its start and surroundings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steerageway.apps.shared.generation import Generation, generation_of
from steerageway.apps.shared.vessel_options import SurroundingsOptions, ThrustMapOptions
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.pose import unnamed_number
from steerageway.bus import Config, Entry, parsed
from steerageway.declarations import Number
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.model import Motion, State, VesselModel
from steerageway.vessel.thrust_map import ThrustMap, read_pairs
from steerageway.world import current_field

Warn = Callable[[str, str], None]  # reports a suspicious setting, and the place of its line


def in_force(config: Config, model: str, *, warn: Warn) -> Config:
    """Return the lines that a model reads, under their present names; warn of the others."""
    lines, generation = [], generation_of(model)
    for entry in config:
        key = entry.key.lower()
        if key in generation.without_effect:
            warn(f"{entry.key} has no effect with model = {model}", entry.where)
        elif key in generation.old_names:
            present = generation.old_names[key]
            warn(f"{entry.key} is an old name: use {present}", entry.where)
            lines.append(Entry(present, entry.value, entry.where))
        else:
            lines.append(entry)
    return Config(lines, where=config.where, last_wins=config.last_wins)


def read_craft(
    options: SimulatorOptions, config: Config, generation: Generation, *, warn: Warn
) -> Craft[Motion]:
    """Return the thrust-map vessel of a block.

    Raises:
        ConfigError: a line is invalid.
    """
    vessel = generation.vessel(read_parameters(options.by_map, config, generation, warn))
    for entry in config.all("start_pos"):
        warning = unnamed_number(entry.value)
        if warning:
            warn(f"{entry.key} = {entry.value}: {warning}", entry.where)
    return placed(vessel, Motion(), options)


def placed(vessel: VesselModel[State], state: State, options: SimulatorOptions) -> Craft[State]:
    """Return a vessel with the start and the surroundings of a block."""
    craft = Craft(vessel, state, dual_state=options.posts.dual_state)
    for pose in options.starts:
        craft.place(**pose)
    craft.drift = options.around.drift
    craft.inputs.differential = options.steering.thrust_mode_diff
    craft.inputs.reverse = options.steering.thrust_mode_reverse
    craft.inputs.rotate_speed = options.around.rotate_speed
    craft.inputs.wind = options.around.wind_conditions
    craft.paused = options.sim_pause
    return craft


def read_parameters(
    options: ThrustMapOptions, config: Config, generation: Generation, warn: Warn
) -> KinematicParameters:
    """Return the vessel's constant parameters.

    Raises:
        ConfigError: lines contradict each other, or the thrust map is invalid.
    """
    entry = config.entry("turn_rate")
    if entry is not None and options.turn_rate > 100.0:
        warn(f"turn_rate = {entry.value}: taken for 100, which is all there is", entry.where)
    turn_rate = generation.turn_rate(options)
    full_speed, null_speed = options.turn_spd_map_full_speed, options.turn_spd_map_null_speed or 0.0
    entry = config.entry("turn_spd_map_full_speed")
    if entry is not None and full_speed is not None and full_speed <= null_speed:
        parsed(entry, Number(above=null_speed))
    acceleration = options.max_acceleration
    return KinematicParameters(
        thrust_map=_thrust_map(options, generation, warn),
        turn_rate=turn_rate,
        turn_speed_map=generation.turn_speed_map(options, turn_rate),
        turn_spd_loss=options.turn_spd_loss,
        turn_radius=options.turn_radius,
        max_speed=options.max_speed or 0.0,
        max_acceleration=generation.max_acceleration if acceleration is None else acceleration,
        max_deceleration=options.max_deceleration,
        max_rudder_rate=options.max_rudder_degs_per_sec,
        buoyancy_rate=options.buoyancy_rate,
        max_depth_rate=options.max_depth_rate,
        max_depth_rate_speed=options.max_depth_rate_speed,
        polar_plot=options.polar_plot,
    )


def read_current_field(
    options: SurroundingsOptions, folder: Path
) -> current_field.CurrentField | None:
    """Read the current field of a block; a relative file name starts from the folder.

    Raises:
        ConfigError: the file does not exist, or is invalid.
    """
    entry = options.current_field
    if entry is None:
        return None
    try:
        return current_field.read(folder / entry.value.strip())
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def _thrust_map(options: ThrustMapOptions, generation: Generation, warn: Warn) -> ThrustMap:
    kind, entry = generation.thrust_map, options.thrust_map
    factor, reflect = options.thrust_factor, options.thrust_reflect
    if entry is None:
        return kind(factor=factor, reflect=reflect)
    try:
        reading = read_pairs(entry.value.strip(), stop_at_bad=generation.stops_at_bad_pair)
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None
    if reading.ignored:
        expected = "expected thrusts from -100 to 100, no speed at 0, and no speed that falls"
        warn(f"thrust_map: left out {', '.join(reading.ignored)}: {expected}", entry.where)
    return kind(reading.ahead, reading.astern, factor, reflect)
