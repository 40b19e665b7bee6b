"""The simulator of a mission: its line of the launch list, its block, and its vessel of files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from steerageway.apps.shared.building import Overrides, block_of
from steerageway.apps.shared.generation import FOSSEN
from steerageway.apps.shared.registry import base_name, load
from steerageway.apps.shared.vessel_options import FossenOptions
from steerageway.bus import Config, Setting
from steerageway.moos.mission import MissionFile, read_mission

if TYPE_CHECKING:
    from steerageway.vessel.fossen.dynamics import Dynamics

SIMULATORS = ("uSimMarine", "uSimMarineV22")


class Simulator(NamedTuple):
    """The first simulator of a launch list.

    Attributes:
        name: its run name.
        kind: its class.
        block: its configuration block.
        model: the word of the block's ``model``.
    """

    name: str
    kind: Any
    block: Config
    model: str


def simulator_of(mission: MissionFile, overrides: Overrides | None = None) -> Simulator | None:
    """Return the simulator of a mission; None: its launch list has none.

    Args:
        mission: the file.
        overrides: lines that replace those of its blocks, by app.
    """
    runs = mission.antler().runs
    run = next((run for run in runs if base_name(run.process) in SIMULATORS), None)
    if run is None:
        return None
    kind: Any = load(run.process)
    block = block_of(kind, mission, run.alias, overrides)
    model = block.text("model", default=getattr(kind, "default_model", "")).strip().lower()
    return Simulator(run.alias, kind, block, model)


def simulator_beside(setting: Setting) -> Simulator | None:
    """Return the simulator of an app's mission; None: it has no file, or no simulator in it.

    Raises:
        FormatError, ConfigError: a line is wrong.
    """
    if setting.file is None or not setting.file.is_file():
        return None
    origin = setting.sources.of(setting.file)
    mission = read_mission(setting.file, environment=os.environ, origin=origin)
    return simulator_of(mission, setting.overrides)


def vessel_beside(setting: Setting) -> Dynamics | None:
    """Return the vessel of an app's mission as its simulator's block describes it.

    Loads numba, and compiles. None: the simulator has no vessel of files.

    Raises:
        FormatError, ConfigError: a line, or a file it names, is wrong.
    """
    simulator = simulator_beside(setting)
    if simulator is None or simulator.model != FOSSEN:
        return None
    from steerageway.apps.shared.vessel_block import read_vessel

    mapped = FossenOptions.read(simulator.block).actuator_map
    return read_vessel(simulator.block, setting.places, mapped=mapped)
