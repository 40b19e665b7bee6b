"""Summaries of a log: variables with counts, statistics of numbers, events of the helm."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.pick import clip, columns_of, head, with_fields
from steerageway.apps.shared.averages import averages_of
from steerageway.apps.shared.terminal import Copied, say
from steerageway.bus import any_matches
from steerageway.declarations import Number, Whole, finite
from steerageway.declarations.arguments import argument
from steerageway.moos.alog import Entry, read_entries

_MODES = re.compile(r"(?:^|,)modes=([^,]*)")
_WIDTH = 30  # maximum width of the name column


@dataclass(slots=True)
class VariableSummary:
    """Summary of a variable in a log.

    Attributes:
        first, last: times of the first and the last message [s].
        posts: number of messages.
        sources: the apps that posted it, in the order of their first messages.
    """

    first: float
    last: float
    posts: int = 0
    sources: dict[str, None] = field(default_factory=dict)


def scan(path: Path) -> dict[str, VariableSummary]:
    """Return the summary of each variable, in alphabetical order."""
    found: dict[str, VariableSummary] = {}
    for entry in read_entries(path):
        one = found.setdefault(entry.name, VariableSummary(entry.time, entry.time))
        one.posts += 1
        one.first, one.last = min(one.first, entry.time), max(one.last, entry.time)
        one.sources[entry.source] = None
    return dict(sorted(found.items()))


def scan_lines(found: dict[str, VariableSummary]) -> Iterator[str]:
    """Format the result of ``scan`` as a table, with a line of totals."""
    yield f"{'variable':<{_WIDTH}} {'posts':>7} {'first [s]':>10} {'last [s]':>10}  apps"
    for name, one in found.items():
        figures = f"{one.posts:>7} {one.first:>10.2f} {one.last:>10.2f}"
        yield f"{name:<{_WIDTH}} {figures}  {', '.join(one.sources)}"
    if found:
        total = sum(one.posts for one in found.values())
        last = max(one.last for one in found.values())
        apps = len(dict.fromkeys(app for one in found.values() for app in one.sources))
        yield f"{total} posts of {len(found)} variables by {apps} apps, until {last:.2f} s"


class Average:
    """Statistics of a variable's numbers: each post has equal weight, however long its value holds.

    Attributes:
        name: of the variable.
        averages: their count, mean and deviation; of an angle those of directions.
        minimum, maximum, last: of the posted numbers.
    """

    def __init__(self, name: str) -> None:
        self.name, self.averages = name, averages_of(name)
        self.minimum, self.maximum, self.last = inf, -inf, nan

    def add(self, value: float) -> None:
        """Take a posted number."""
        self.averages.add(value)
        self.minimum, self.maximum = min(self.minimum, value), max(self.maximum, value)
        self.last = value


def averages(path: Path, names: Sequence[str]) -> list[Average]:
    """Return the statistics of some variables.

    Args:
        path: the log.
        names: variables, or patterns with * and ?; ``USM_STATE.u`` is a field of a text. Variables
            matched by a pattern that are never numbers are left out.
    Raises:
        ToolError: a variable is not in the log, or none of them is ever a number.
    """
    found: dict[str, Average] = {}
    known: dict[str, None] = {}
    for entry in with_fields(read_entries(path), names):
        if entry.name not in known:
            known[entry.name] = None
            if any_matches(names, entry.name):
                found[entry.name] = Average(entry.name)
        average = found.get(entry.name)
        value = finite(str(entry.value)) if average is not None else None
        if average is not None and value is not None:
            average.add(value)
    columns = columns_of(known, names)
    silent = [name for name in names if name in found and not found[name].averages.count]
    numbers = [found[name] for name in columns if found[name].averages.count]
    if silent or not numbers:
        raise ToolError(f"{path}: {', '.join(silent or names)}: never a number")
    return numbers


def average_lines(found: Iterable[Average]) -> Iterator[str]:
    """Format statistics as a table."""
    titles = "".join(f" {title:>12}" for title in ("mean", "deviation", "least", "greatest"))
    yield f"{'variable':<{_WIDTH}} {'posts':>7}{titles} {'last':>12}"
    for one in found:
        of = one.averages
        figures = (of.mean, of.deviation(lost=1), one.minimum, one.maximum, one.last)
        cells = ("none" if figure is None else f"{figure:.5g}" for figure in figures)
        yield f"{one.name:<{_WIDTH}} {of.count:>7}" + "".join(f" {cell:>12}" for cell in cells)


class HelmEvent(NamedTuple):
    """A change in a helm.

    Attributes:
        time: [s since LOGSTART].
        kind: state, all-stop, mode, active, life, warning or error.
        text: the new value.
        helm: the app.
    """

    time: float
    kind: str
    text: str
    helm: str


KINDS = {
    "IVPHELM_STATE": "state",
    "IVPHELM_ALLSTOP": "all-stop",
    "IVPHELM_BHV_ACTIVE": "active",
    "IVPHELM_LIFE_EVENT": "life",
    "BHV_WARNING": "warning",
    "BHV_ERROR": "error",
}
EVENTS = ("state", "all-stop", "mode", "active", "life", "warning", "error")
_EACH_TIME = ("life", "warning", "error")


def helm_events(path: Path) -> Iterator[HelmEvent]:
    """Yield the changes in the helms of a log: states, all-stops, modes, active behaviors, lives.

    Warnings and errors of behaviors are yielded each time.
    """
    last: dict[tuple[str, str], str] = {}
    for entry in read_entries(path):
        kind, text = _helm_change(entry)
        if not kind or (kind not in _EACH_TIME and last.get((entry.source, kind)) == text):
            continue
        last[entry.source, kind] = text
        yield HelmEvent(entry.time, kind, text, entry.source)


def _helm_change(entry: Entry) -> tuple[str, str]:
    """Return kind and text of a message of a helm; "" for other messages."""
    text = str(entry.value).strip()
    if entry.name == "IVPHELM_SUMMARY":
        modes = _MODES.search(text)
        return ("mode", modes[1]) if modes and modes[1] not in ("", "none") else ("", "")
    kind = KINDS.get(entry.name, "")
    return kind, text or "(none)" if kind == "active" else text


def helm_lines(events: Iterable[HelmEvent], kinds: Sequence[str]) -> Iterator[str]:
    """Format events of some kinds, a line each; a helm other than pHelmIvP is named."""
    for event in events:
        if event.kind in kinds:
            helm = "" if event.helm == "pHelmIvP" else f"  ({event.helm})"
            yield f"{event.time:>10.2f}  {event.kind:<8}  {event.text}{helm}"


DONE, NOT_FOUND = 0, 1


def add_tools(tools: Any, log: Callable[[str], Path]) -> None:
    """Add these tools to a command line.

    Args:
        tools: the subparsers of its parser.
        log: parses an argument that names a log.
    """
    tool = _tool(tools, "clip", "print the messages of a time span, as a log", _clip, log)
    tool.add_argument("start", type=argument(Number()), help="start time [s since LOGSTART]")
    tool.add_argument(
        "end",
        type=argument(Number()),
        nargs="?",
        default=inf,
        help="end time [s since LOGSTART] (the log's end)",
    )

    tool = _tool(tools, "head", "print the first messages, as a log", _head, log)
    tool.add_argument(
        "-n", "--count", type=argument(Whole(low=0)), default=10, help="number of messages (10)"
    )

    _tool(tools, "scan", "list the variables with counts, times and sources", _scan, log)

    tool = _tool(tools, "avg", "print mean, deviation, minimum and maximum of numbers", _avg, log)
    tool.add_argument("variable", nargs="+", help="a name, or a pattern with * and ?")

    tool = _tool(
        tools, "helm", "print the changes of the helm's state, modes and behaviors", _helm, log
    )
    tool.add_argument(
        "--only",
        nargs="+",
        action="extend",
        choices=EVENTS,
        default=[],
        metavar="KIND",
        help=", ".join(EVENTS),
    )


def _tool(
    tools: Any,
    name: str,
    text: str,
    run: Callable[[Namespace], int],
    log: Callable[[str], Path],
) -> ArgumentParser:
    tool: ArgumentParser = tools.add_parser(name, help=text, description=text)
    tool.add_argument("file", type=log)
    tool.set_defaults(run=run)
    return tool


def _clip(options: Namespace) -> int:
    if options.end < options.start:
        raise ToolError(f"expected an end after {options.start:g} s, found {options.end:g}")
    found = False
    for line, is_message in clip(options.file, options.start, options.end):
        Copied().write_line(line)
        found = found or is_message
    if not found:
        say(f"{options.file}: nothing was posted in that time", to=sys.stderr)
    return DONE if found else NOT_FOUND


def _head(options: Namespace) -> int:
    for line in head(options.file, options.count):
        Copied().write_line(line)
    return DONE


def _scan(options: Namespace) -> int:
    say(*scan_lines(scan(options.file)))
    return DONE


def _avg(options: Namespace) -> int:
    say(*average_lines(averages(options.file, options.variable)))
    return DONE


def _helm(options: Namespace) -> int:
    lines = list(helm_lines(helm_events(options.file), options.only or EVENTS))
    if not lines:
        kinds = f" of {', '.join(options.only)}" if options.only else ""
        say(f"{options.file}: nothing{kinds} by a helm", to=sys.stderr)
        return NOT_FOUND
    say(*lines)
    return DONE
