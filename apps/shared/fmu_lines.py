"""Lines of a block that name an FMU, its variables and their values. Loads fmpy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from steerageway.apps.shared.vessel_options import assignments
from steerageway.bus import Config, Entry
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fmi.importer import Fmu, Term
from steerageway.vessel.tools.place import file_of

EXPECTED = "expected NAME = NAME, or NAME = NAME * FACTOR"


@contextmanager
def told_with(line: Entry) -> Iterator[None]:
    """Make an invalid value an error of a line."""
    try:
        yield
    except InvalidValue as error:
        raise Config.error(line, str(error)) from None


def read_file(line: Entry, places: Sequence[Path]) -> Fmu:
    """Return the FMU of a line, searched in some folders.

    Raises:
        ConfigError: it does not exist, or cannot be run here.
    """
    with told_with(line):
        return Fmu(file_of(line.value.strip(), places))


def terms(lines: Iterable[Entry]) -> Iterator[tuple[Entry, str, Term]]:
    """Yield each line of the form ``NAME = NAME * FACTOR`` with its two sides.

    Raises:
        ConfigError: a line has another form.
    """
    for line, name, value in assignments(lines, EXPECTED):
        with told_with(line):
            term = Term.read(value)
        yield line, name, term


def read_parameters(fmu: Fmu, lines: Iterable[Entry]) -> Mapping[str, str]:
    """Return parameters of an FMU, and their values as text.

    Raises:
        ConfigError: a line is wrong, or there is no such variable.
    """
    values = {}
    for line, name, value in assignments(lines, "expected NAME = VALUE"):
        with told_with(line):
            fmu.check_value(name, value)
        values[name] = value
    return values
