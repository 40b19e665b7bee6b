"""Reads the simulator's configuration block of the vessel that carries the sensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from steerageway.apps.shared.generation import (
    DOCUMENTED,
    FOSSEN,
    MODELS,
    PRESENT,
    Generation,
    generation_of,
)
from steerageway.apps.shared.simulator import simulator_beside
from steerageway.apps.shared.vessel_options import (
    OTHER_FILE,
    OVERRIDE,
    FossenOptions,
    PostOptions,
    SurroundingsOptions,
    assignments,
)
from steerageway.bus import Config, Entry, Setting, at_line
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Folder, read_folder
from steerageway.vessel.polar import Wind
from steerageway.vessel.tools.place import file_of, folder_of
from steerageway.world.current_field import CurrentField, read

if TYPE_CHECKING:
    from steerageway.world.environment import Environment


@dataclass(frozen=True)
class Simulator:
    """The simulator of a mission.

    Attributes:
        fossen: whether it posts states in six degrees of freedom (``USM_STATE``).
        truth: prefix of its variables of the true motion.
        vessel: the line that names the vessel's folder; None: no such line.
        overrides: changed values of the vessel's files, by dotted key.
        elsewhere: files of the vessel in other folders.
        wind: None: calm. water_depth: [m]; None: unknown.
        environment: None: the block names none.
        generation: how it reads mail.
        field: the current as a field of place and time. flows: whether it is active at the start.
    """

    fossen: bool = True
    truth: str = "USM_"
    vessel: Entry | None = None
    overrides: dict[str, object] | None = None
    elsewhere: dict[str, Path] | None = None
    wind: Wind | None = None
    water_depth: float | None = None
    generation: Generation = PRESENT[DOCUMENTED]
    environment: Environment | None = None
    field: CurrentField | None = None
    flows: bool = True


def read_simulator(setting: Setting) -> Simulator:
    """Find the simulator in a mission file's launch list, and read its block.

    Without a mission file, or without a simulator in it, one that posts ``USM_STATE`` is assumed.

    Raises:
        FormatError, ConfigError: a line is wrong.
    """
    found = simulator_beside(setting)
    if found is None:
        return Simulator()
    block = found.block
    around = SurroundingsOptions.read(block)
    simulator = _read(block, found.model, around, setting.places)
    environment = None
    if around.environment or around.environment_key:
        from steerageway.apps.shared.environments import read_environment

        environment = read_environment(block, setting.folder, setting.seed)
    field = _field(around.current_field, setting.folder, environment)
    return replace(simulator, environment=environment, field=field)


def read_vessel(simulator: Simulator, places: Sequence[Path]) -> Folder | None:
    """Return the files of the simulator's vessel; None if its block names none.

    Args:
        simulator: as read from its block.
        places: folders to search for the vessel's folder.

    Raises:
        ConfigError: the folder does not exist, or a file in it is no YAML.
    """
    entry = simulator.vessel
    if entry is None:
        return None
    with at_line(entry):
        found = folder_of(entry.value.strip(), places)
        return read_folder(found, "", simulator.overrides, simulator.elsewhere)


def _read(
    block: Config, model: str, around: SurroundingsOptions, places: Sequence[Path]
) -> Simulator:
    posts = PostOptions.read(block)
    generation = generation_of(model if model in MODELS else DOCUMENTED)
    prefix = generation.underscored(posts.prefix)
    simulator = Simulator(
        model == FOSSEN,
        f"{prefix}GT_" if posts.dual_state else prefix,
        wind=around.wind_conditions,
        generation=generation,
        water_depth=generation.water_depth(around.default_water_depth),
        flows=around.current_field_active,
    )
    if model != FOSSEN:
        return simulator
    options = FossenOptions.read(block)
    overrides = assignments(options.vessel_override, OVERRIDE)
    files = assignments(options.vessel_file, OTHER_FILE)
    return replace(
        simulator,
        vessel=options.vessel,
        overrides={key: value for _, key, value in overrides},
        elsewhere={name: file_of(path, places) for _, name, path in files},
    )


def _field(
    entry: Entry | None, folder: Path, environment: Environment | None
) -> CurrentField | None:
    """Return the current field of a block's line or environment; the simulator checks it."""
    if entry is not None:
        try:
            return read(folder / entry.value.strip())
        except InvalidValue:
            return None  # the simulator reports the error
    if environment is None or not environment.has_current:
        return None
    from steerageway.world.environment import Water

    return Water(environment, environment.sea())
