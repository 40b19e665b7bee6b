"""The ANTLER block of a mission file: the launch list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from steerageway.declarations import truth
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import Line
from steerageway.moos.values import by_key

DEFAULT_MS_BETWEEN_LAUNCHES = Decimal(1000)

BLOCK_KEYS = {
    "msbetweenlaunches": "milliseconds from one launch to the next",
    "run": "one process; launched in file order",
    "executablepath": "where MOOS looks for programs; without effect, apps go by their names",
    "gentlekill": "without effect: apps always have a last activation",
    "enabledistributed": "without effect: one launcher starts everything",
    "killondbdisconnect": "without effect: apps always end with their broker",
}
RUN_KEYS = {
    "newconsole": "true or false: a terminal window of its own",
    "path": "SYSTEM, or the folder the program is in",
    "xconfig": "label of a line that says how the terminal looks",
    "win32config": "label of a line that says how the terminal looks on Windows",
    "extraprocessparams": "label of a line with further arguments, separated by commas",
    "inhibitmoosparams": "true: the program is given no mission file",
    "antlerid": "name of the remote launcher that runs it",
}
_NANO_PER_MILLI = 1_000_000
_OTHER_KEYS = tuple(key for key in RUN_KEYS if key not in ("newconsole", "path"))
_LABELS = ("xconfig", "win32config", "extraprocessparams")
_DECIMAL = re.compile(r"\d{1,12}(\.\d{0,12})?")


@dataclass(frozen=True, slots=True)
class Run:
    """One line of the launch list.

    Attributes:
        process: what is run ("pHelmIvP", or "package.module:ClassName").
        alias: its name on the bus; the last part of ``process`` unless the line gives one.
        new_console: whether the line requests a terminal window.
        path: the folder the line names; "" for none or SYSTEM.
        extra: its other keys (lower case) and values, in order; see ``RUN_KEYS``.
        where: "alpha.moos:41".
        place: index of its line among all Run lines.
        warnings: about options without meaning, and lines that launch it again.
    """

    process: str
    alias: str
    new_console: bool
    path: str
    extra: tuple[tuple[str, str], ...]
    where: str
    place: int = 0
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Antler:
    """The launch list.

    Attributes:
        ms_between_launches: simulated milliseconds from one launch to the next, exact.
        runs: in file order, each name once.
        unread: lines of the block with unknown keys.
    """

    ms_between_launches: Decimal
    runs: tuple[Run, ...]
    unread: tuple[Line, ...]

    def start_of(self, run: Run) -> int:
        """Return the launch time of one of the runs [ns]."""
        return round(self.ms_between_launches * run.place * _NANO_PER_MILLI)


def parse_antler(lines: Sequence[Line]) -> Antler:
    """Parse the lines of an ANTLER block. Keys are matched without regard to case.

    Raises:
        FormatError: a line is wrong, or two processes have one name.
    """
    run_lines = (line for line in lines if line.key.lower() == "run")
    runs = _each_once(replace(parse_run(line), place=k) for k, line in enumerate(run_lines))
    known = {value.lower() for run in runs for key, value in run.extra if key in _LABELS}
    known.update(BLOCK_KEYS)
    unread = tuple(line for line in lines if line.key.lower() not in known)
    return Antler(_ms_between_launches(lines), runs, unread)


def parse_run(line: Line) -> Run:
    """Parse ``Process @ key=value, key=value ~ Alias``.

    Raises:
        FormatError: no process, or a bad name.
    """
    command, tilde, alias = (
        line.value.rpartition("~") if "~" in line.value else (line.value, "", "")
    )
    process, _, options = command.partition("@")
    process, alias = process.strip(), alias.strip()
    if not process:
        raise line.error("expected a process: Run = Process @ key=value ~ Alias")
    name = alias if tilde else re.split(r"[/\\:]", process)[-1]
    if not name or re.search(r"[\s/,]", name):
        raise line.error(f"expected a name without blanks, commas or slashes, not {name!r}")
    given = by_key(options)
    warnings = tuple(_warnings(line, given))
    path = given.get("path", "SYSTEM")
    return Run(
        process,
        name,
        truth(given.get("newconsole", "")) is True,
        "" if path.upper() == "SYSTEM" else path,
        tuple((key, value) for key, value in given.items() if key in _OTHER_KEYS),
        line.where,
        warnings=warnings,
    )


def _warnings(line: Line, given: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield warnings about unknown options: MOOS-IvP ignores them, and so does the launch."""
    for key, value in given.items():
        if key not in RUN_KEYS:
            known = nearest(key, RUN_KEYS)
            yield from line.error(f"expected a key of Run in place of {key!r}; {known}").diagnostics
        elif key == "newconsole" and truth(value) is None:
            yield from line.error("expected NewConsole=true or NewConsole=false").diagnostics


def _each_once(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Merge lines that launch the same again, with a warning: MOOS-IvP's broker rejects these.

    Raises:
        FormatError: another process has the name already.
    """
    first: dict[str, Run] = {}
    for run in runs:
        # The first line of a name keeps its place in the launch order.
        twin = first.setdefault(run.alias, run)
        if twin is run:
            continue
        if twin.process != run.process:
            expected = f"expected a name that {twin.where} has not taken; add ~ and an alias"
            raise FormatError(run.where, "Run", run.alias, expected)
        warning = Diagnostic(run.where, "Run", run.alias, f"{twin.where} launches it already")
        first[run.alias] = replace(twin, warnings=(*twin.warnings, warning))
    return tuple(first.values())


def _ms_between_launches(lines: Sequence[Line]) -> Decimal:
    for line in lines:
        if line.key.lower() == "msbetweenlaunches":
            if not _DECIMAL.fullmatch(line.value):
                raise line.error("expected milliseconds: a decimal number, 0 or more")
            return Decimal(line.value)
    return DEFAULT_MS_BETWEEN_LAUNCHES
