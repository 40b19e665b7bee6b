"""Builds the vessel of a simulator's block, with its start and surroundings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from steerageway.apps.shared.generation import FMU, FOSSEN, Generation, generation_of
from steerageway.apps.shared.vessel_options import SurroundingsOptions, ThrustMapOptions
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.pose import unnamed_number
from steerageway.apps.vessels.usim_marine.simulated_vessel import Hosts, SimulatedVessel, start
from steerageway.bus import Config, Entry, at_line, parsed
from steerageway.declarations import Number
from steerageway.vessel.craft import Craft
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.model import Motion, VesselModel
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
    found = Config(lines, where=config.where, last_wins=config.last_wins)
    found.diagnostics = config.diagnostics  # its warnings are the block's
    return found


def vessel_of(
    model: str,
    options: SimulatorOptions,
    config: Config,
    generation: Generation,
    *,
    host: Hosts,
    prefix: str,
    places: Sequence[Path],
    warn: Warn,
) -> SimulatedVessel[Any]:
    """Return the vessel of a block; numba is loaded only for a Fossen vessel.

    Raises:
        ConfigError: a line is wrong.
    """
    if model == FOSSEN:
        from steerageway.apps.vessels.usim_marine.fossen import FossenVessel

        return FossenVessel(config, options, places, prefix, post=host.post, warn=host.run_warning)
    if model == FMU:
        from steerageway.apps.vessels.usim_marine.fmu import FmuVessel

        return FmuVessel(config, options, places, host)
    sails = options.by_map.polar_plot is not None
    return SimulatedVessel(
        read_model(options, config, generation, warn=warn),
        Motion(),
        options,
        windless=generation.windless or ("" if sails else "it has no sails (polar_plot)"),
        post=host.post,
        post_all=host.post_all,
        warn=host.run_warning,
    )


def read_craft(
    options: SimulatorOptions, config: Config, generation: Generation, *, warn: Warn
) -> Craft[Motion]:
    """Return the thrust-map vessel of a block.

    Raises:
        ConfigError: a line is invalid.
    """
    model = read_model(options, config, generation, warn=warn)
    craft = Craft(model, Motion(), dual_state=options.posts.dual_state)
    start(craft, options)
    return craft


def read_model(
    options: SimulatorOptions, config: Config, generation: Generation, *, warn: Warn
) -> VesselModel[Motion]:
    """Return the model of the thrust-map vessel of a block.

    Raises:
        ConfigError: a line is invalid.
    """
    for entry in config.all("start_pos"):
        warning = unnamed_number(entry.value)
        if warning:
            warn(f"{entry.key} = {entry.value}: {warning}", entry.where)
    return generation.vessel(read_parameters(options.by_map, config, generation, warn))


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
        max_speed=options.max_speed,
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
    with at_line(entry):
        return current_field.read(folder / entry.value.strip())


def _thrust_map(options: ThrustMapOptions, generation: Generation, warn: Warn) -> ThrustMap:
    kind, entry = generation.thrust_map, options.thrust_map
    factor, reflect = options.thrust_factor, options.thrust_reflect
    if entry is None:
        return kind(factor=factor, reflect=reflect)
    with at_line(entry):
        reading = read_pairs(entry.value.strip(), stop_at_bad=generation.stops_at_bad_pair)
    if reading.ignored:
        expected = "expected thrusts from -100 to 100, no speed at 0, and no speed that falls"
        warn(f"thrust_map: left out {', '.join(reading.ignored)}: {expected}", entry.where)
    return kind(reading.ahead, reading.astern, factor, reflect)
