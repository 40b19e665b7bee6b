"""Reads what a simulator's block says of a Fossen vessel. Loads numba, and compiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.apps.vessels.usim_marine.reading import outfitted
from steerageway.apps.vessels.vessel_block import read_vessel, tell_stderr
from steerageway.bus import Config
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.actuator_map import ActuatorMap
from steerageway.vessel.fossen.commands import Commands
from steerageway.vessel.fossen.craft import Afloat, FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.warm import warm
from steerageway.vessel.times import NANO

INTEGRATORS = ("rk4", "adaptive")


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
    vessel = _integrated(read_vessel(config, places), config)
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


def _integrated(vessel: Dynamics, config: Config) -> Dynamics:
    """Give the vessel stepped as the block says; Panisim's own equations have its own substeps."""
    entry = config.entry("integrator")
    if entry is None:
        return vessel
    if entry.value.strip() not in INTEGRATORS:
        raise Config.error(entry, f"expected one of {', '.join(INTEGRATORS)}")
    found = replace(vessel, adaptive=entry.value.strip() == "adaptive")
    warm(found, tell_stderr)
    return found
