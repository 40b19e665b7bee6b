"""Reader of a Fossen vessel from a simulator's block. Loads numba, and compiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.apps.shared.vessel_block import read_vessel
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.bus import Config
from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.commands import Commands
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.warm import warm


def read_fossen(
    config: Config, options: SimulatorOptions, places: Sequence[Path]
) -> tuple[FossenModel, Commands]:
    """Return the model of the vessel of a block, and its actuator commands.

    Args:
        config: the block.
        options: its parameters.
        places: folders searched for the vessel before the shipped ones.

    Raises:
        ConfigError: a line, or a file it names, is invalid.
    """
    own = options.by_fossen
    vessel = _integrated(read_vessel(config, places, mapped=own.actuator_map), own.integrator)
    try:
        mapping = orders_of(vessel)
    except VesselError as error:
        line = own.actuator_map or config.all("vessel")[0]
        raise Config.error(line, str(error)) from None
    try:
        model = FossenModel(vessel, own.time_step, mapping)
    except VesselError as error:
        offending_line = config.entry("time_step") or config.all("vessel")[0]
        raise Config.error(offending_line, str(error)) from None
    return model, Commands(vessel, mapping, own.override_timeout)


def _integrated(vessel: Dynamics, integrator: str) -> Dynamics:
    """Return the vessel with the block's integrator, or its own (Panisim's have substeps)."""
    if not integrator:
        return vessel
    found = replace(vessel, adaptive=integrator == "adaptive")
    warm(found)
    return found
