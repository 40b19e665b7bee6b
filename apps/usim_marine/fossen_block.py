"""Reads what a simulator's block says of a Fossen vessel. Loads numba, and compiles."""

from __future__ import annotations

import sys
from pathlib import Path

from apps.usim_marine.reading import outfitted
from bus.config import Config
from bus.errors import ConfigError
from vessel.craft import Craft
from vessel.errors import VesselError
from vessel.fossen.actuator_map import ActuatorMap
from vessel.fossen.commands import Commands
from vessel.fossen.craft import NANO, Afloat, FossenModel
from vessel.fossen.dynamics import Dynamics
from vessel.fossen.folder import load
from vessel.fossen.warm import warm


def read_fossen(config: Config, folder: Path, *, last_wins: bool) -> tuple[Craft[Afloat], Commands]:
    """Make the vessel a block describes, and what commands her actuators.

    Args:
        config: the block.
        folder: of the mission; the vessel's is looked for there and in the folders above.
        last_wins: which of repeated lines counts.

    Raises:
        ConfigError: a line, or what it names, is wrong.
    """
    vessel = _read_vessel(config, folder)
    entry = config.entry("actuator_map")
    try:
        mapping = ActuatorMap.of(vessel, "" if entry is None else entry.value)
    except VesselError as error:
        raise (
            Config.error(config.all("vessel")[0] if entry is None else entry, str(error))
        ) from None
    step = config.number("time_step", default=0.02, low=1 / NANO)
    model = FossenModel(vessel, step, mapping)
    timeout = config.number("override_timeout", default=5.0, above=0.0)
    craft = outfitted(model, model.start, config, last_wins=last_wins)
    return craft, Commands(vessel, mapping, timeout)


def _read_vessel(config: Config, folder: Path) -> Dynamics:
    entry = config.entry("vessel")
    if entry is None:
        raise ConfigError(config.where, "vessel", "", "model = fossen needs it: inputs/otter")
    overrides: dict[str, object] = {}
    for line in config.all("vessel_override"):
        key, _, value = (piece.strip() for piece in line.value.partition("="))
        if not value:
            raise Config.error(line, "expected FILE.KEY = VALUE, as inertia.mass = 60")
        overrides[key] = value
    try:
        vessel = load(find_folder(entry.value.strip(), folder), overrides=overrides)
        warm(vessel, lambda text: print(text, file=sys.stderr, flush=True))
    except VesselError as error:
        raise Config.error(entry, str(error)) from None
    return vessel


def find_folder(named: str, mission: Path) -> Path:
    """Give the folder of that name in the mission's folder, or in the nearest one above."""
    base = mission.resolve()
    for folder in (base, *base.parents):
        if (folder / named).is_dir():
            return folder / named
    return mission / named
