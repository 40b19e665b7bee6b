"""Lines of a block that name an FMU, its variables and their values. Loads fmpy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from steerageway.apps.shared.vessel_options import assignments
from steerageway.bus import Entry, at_line
from steerageway.vessel.fmi.importer import Fmu, Term
from steerageway.vessel.tools.place import file_of

EXPECTED = "expected NAME = NAME, or NAME = NAME * FACTOR"


def read_file(line: Entry, places: Sequence[Path]) -> Fmu:
    """Return the FMU of a line, searched in some folders.

    Raises:
        ConfigError: it does not exist, or cannot be run here.
    """
    with at_line(line):
        return Fmu(file_of(line.value.strip(), places))


def terms(lines: Iterable[Entry]) -> Iterator[tuple[Entry, str, Term]]:
    """Yield each line of the form ``NAME = NAME * FACTOR`` with its two sides.

    Raises:
        ConfigError: a line has another form.
    """
    for line, name, value in assignments(lines, EXPECTED):
        with at_line(line):
            term = Term.read(value)
        yield line, name, term


def read_parameters(fmu: Fmu, lines: Iterable[Entry]) -> Mapping[str, str]:
    """Return parameters of an FMU, and their values as text.

    Raises:
        ConfigError: a line is wrong, or there is no such variable.
    """
    values = {}
    for line, name, value in assignments(lines, "expected NAME = VALUE"):
        with at_line(line):
            fmu.check_value(name, value)
        values[name] = value
    return values
