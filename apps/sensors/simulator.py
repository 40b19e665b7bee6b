"""What a mission says of the vessel whose sensors these are: her simulator's block."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from apps.registry import base_name
from bus.config import Config, Entry, parse_number
from bus.setting import Setting
from moos.lines import Line, unquote
from moos.mission import read_mission
from vessel.errors import InvalidValue
from vessel.fossen.folder import Folder, read_folder
from vessel.polar import Wind
from vessel.tools.place import folder_of

SIMULATORS = ("usimmarine", "usimmarinev22")
FOSSEN = "fossen"


@dataclass(frozen=True)
class Simulator:
    """The simulator of a mission.

    Attributes:
        fossen: whether it tells states of six degrees of freedom (``USM_STATE``).
        truth: what the names of its variables of the true motion begin with.
        vessel: the line that names the vessel's folder; None: it names none.
        overrides: what it changes of her files, by dotted key.
        elsewhere: her files that lie in other folders.
        wind: None: calm. water_depth: [m]; 0: unknown.
    """

    fossen: bool = True
    truth: str = "USM_"
    vessel: Entry | None = None
    overrides: dict[str, object] | None = None
    elsewhere: dict[str, Path] | None = None
    wind: Wind | None = None
    water_depth: float = 0.0


def read_simulator(setting: Setting) -> Simulator:
    """Find the simulator in a mission file's launch list, and read its block.

    Without a mission file, or a simulator in it, it is one that tells ``USM_STATE``.

    Raises:
        FormatError, ConfigError: a line is wrong.
    """
    if setting.file is None or not setting.file.is_file():
        return Simulator()
    mission = read_mission(setting.file, environment=os.environ)
    runs = mission.antler().runs
    names = [run.alias for run in runs if base_name(run.process).lower() in SIMULATORS]
    if not names:
        return Simulator()
    block = mission.block(names[0])
    return _read(block.lines if block else (), setting.folder)


def read_vessel(simulator: Simulator, folder: Path) -> Folder | None:
    """Give the files of the simulator's vessel; None if it names none.

    Args:
        folder: of the mission; hers is looked for there and in the folders above.

    Raises:
        ConfigError: there is no such folder, or a file in it is no YAML.
    """
    entry = simulator.vessel
    if entry is None:
        return None
    base = folder.resolve()
    try:
        found = folder_of(entry.value, (base, *base.parents))
        return read_folder(found, "", simulator.overrides, simulator.elsewhere)
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def _read(lines: tuple[Line, ...], folder: Path) -> Simulator:
    """Read a block; as in the simulator, the last line of a key counts."""
    entries = [Entry(line.key.lower(), unquote(line.value).strip(), line.where) for line in lines]
    last = {entry.key: entry for entry in entries}
    fossen = "model" in last and last["model"].value.lower() == FOSSEN
    prefix = f"{last['prefix'].value.removesuffix('_')}_" if "prefix" in last else "USM_"
    dual = "dual_state" in last and last["dual_state"].value.lower() in ("true", "on", "yes")
    wind, depth = last.get("wind_conditions"), last.get("default_water_depth")
    files = _assigned(entries, "vessel_file").items()
    return Simulator(
        fossen,
        f"{prefix}GT_" if dual else prefix,
        last.get("vessel") if fossen else None,
        dict(_assigned(entries, "vessel_override")),
        {name: folder.resolve() / path for name, path in files},
        None if wind is None else _wind(wind),
        0.0 if depth is None else parse_number(depth),
    )


def _wind(entry: Entry) -> Wind:
    try:
        return Wind.read(entry.value)
    except InvalidValue as error:
        raise Config.error(entry, str(error)) from None


def _assigned(entries: list[Entry], key: str) -> dict[str, str]:
    """Give what lines ``key = NAME = VALUE`` say."""
    pairs = (entry.value.partition("=") for entry in entries if entry.key == key)
    return {name.strip(): value.strip() for name, _, value in pairs}
