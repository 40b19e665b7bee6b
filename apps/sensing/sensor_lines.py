"""Sensor lines of a configuration block: a file of sensors, and a line for each further sensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from steerageway.apps.sensing.simulator_block import Simulator
from steerageway.bus import Config, Entry
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.sensors.reading import FILE
from steerageway.vessel.tools.place import file_of


def sensors_file(
    entry: Entry | None, simulator: Simulator, vessel: Folder | None, places: Sequence[Path]
) -> tuple[Entry, Path] | None:
    """Return the file that a line names, else the vessel's if any, and the line that names it.

    Raises:
        ConfigError: the file does not exist.
    """
    if entry is not None:
        path = file_of(entry.value, places)
        if not path.is_file():
            raise Config.error(entry, f"no such file in {places[0]}, nor in the folders above")
        return entry, path
    if simulator.vessel is not None and vessel is not None and (vessel.path / FILE).is_file():
        return simulator.vessel, vessel.path / FILE
    return None


def read_lines(
    lines: Sequence[Entry],
    named: tuple[Entry, Path] | None,
    line: Callable[[str, str], None],
    finish: Callable[[], object],
) -> None:
    """Read the lines of sensors, after the file; errors name the offending line.

    Args:
        named: as returned by ``sensors_file``.
        line: reads one line, given its text and location.
        finish: checks all sensors together, after the last line.

    Raises:
        ConfigError: a line is wrong, or the sensors do not fit together.
    """
    for entry in lines:
        try:
            line(entry.value, entry.where)
        except InvalidValue as error:
            (one,) = error.diagnostics
            here = f"{entry.where}:1" if one.where == f"{entry.where}:1" else entry.where
            raise Config.error(entry, one.text_at(here)) from None
    try:
        finish()
    except InvalidValue as error:
        offending = lines[-1] if lines else named and named[0]
        assert offending is not None
        raise Config.error(offending, str(error)) from None
