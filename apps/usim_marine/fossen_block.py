"""Reads what a simulator's block says of a Fossen vessel. Loads numba, and compiles."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from steerageway.apps.usim_marine.reading import outfitted
from steerageway.bus import Config, ConfigError, Entry
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.actuator_map import ActuatorMap
from steerageway.vessel.fossen.commands import Commands
from steerageway.vessel.fossen.craft import Afloat, FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import FILES, Given, load
from steerageway.vessel.fossen.warm import warm
from steerageway.vessel.times import NANO
from steerageway.vessel.tools.place import file_of, folder_of

EXAMPLES = {"vessel_override": "inertia.mass = 60", "vessel_file": "thrusters = engines/two.yml"}


def read_fossen(
    config: Config, places: Sequence[Path], *, last_wins: bool
) -> tuple[Craft[Afloat], Commands]:
    """Make the vessel a block describes, and what commands its actuators.

    Args:
        config: the block.
        places: where the vessel's folder is looked for, before those that come along.
        last_wins: which of repeated lines counts.

    Raises:
        ConfigError: a line, or what it names, is wrong.
    """
    vessel = _read_vessel(config, places)
    entry = config.entry("actuator_map")
    try:
        mapping = ActuatorMap.of(vessel, "" if entry is None else entry.value)
    except VesselError as error:
        raise (
            Config.error(config.all("vessel")[0] if entry is None else entry, str(error))
        ) from None
    step = config.number("time_step", default=0.02, low=1 / NANO)
    try:
        model = FossenModel(vessel, step, mapping)
    except VesselError as error:
        blamed = config.entry("time_step") or config.all("vessel")[0]
        raise Config.error(blamed, str(error)) from None
    timeout = config.number("override_timeout", default=5.0, above=0.0)
    craft = outfitted(model, model.start, config, last_wins=last_wins)
    return craft, Commands(vessel, mapping, timeout)


def _read_vessel(config: Config, places: Sequence[Path]) -> Dynamics:
    entry = config.entry("vessel")
    if entry is None:
        raise ConfigError(config.where, "vessel", "", "model = fossen needs it: inputs/otter")
    overrides = {
        key: Given(value, line.where)
        for line, key, value in _pairs(config, "vessel_override", "FILE.KEY = VALUE")
    }
    elsewhere = {}
    for line, key, value in _pairs(config, "vessel_file", "FILE = PATH"):
        elsewhere[key] = file_of(value, places)
        if key not in FILES:
            raise Config.error(line, f"expected one of {', '.join(FILES)}")
        if not elsewhere[key].is_file():
            raise Config.error(line, f"no such file as {elsewhere[key]}")
    try:
        found = folder_of(entry.value.strip(), places)
        peer = config.entry("peer_compat")
        vessel = load(
            found,
            "" if peer is None else peer.value.strip(),
            overrides=overrides,
            elsewhere=elsewhere,
        )
        warm(vessel, lambda text: print(text, file=sys.stderr, flush=True))
    except VesselError as error:
        raise _located(str(error), entry, config.all("vessel_override")) from None
    return vessel


def _pairs(config: Config, parameter: str, form: str) -> Iterator[tuple[Entry, str, str]]:
    for line in config.all(parameter):
        key, _, value = (piece.strip() for piece in line.value.partition("="))
        if not value:
            raise Config.error(line, f"expected {form}, as {EXAMPLES[parameter]}")
        yield line, key, value


def _located(message: str, vessel: Entry, overrides: Sequence[Entry]) -> ConfigError:
    """Blame the override that a message begins with, else the line that names the vessel."""
    for line in overrides:
        if message.startswith(f"{line.where}: "):
            return Config.error(line, message.removeprefix(f"{line.where}: "))
    return Config.error(vessel, message)
