"""Command line of the log tools that cut or summarise a log: clip, head, scan, avg, helm."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.overview import (
    EVENTS,
    average_lines,
    averages,
    helm_events,
    helm_lines,
    scan,
    scan_lines,
)
from steerageway.apps.logs.alog.pick import clip, head
from steerageway.apps.shared.terminal import Copied, say
from steerageway.declarations import Number, Whole
from steerageway.declarations.arguments import argument

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
