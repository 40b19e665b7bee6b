"""Text for consoles: values, sources, tables and appcasts, each on one line, and a run's status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steerageway.bus import APPCAST_SEPARATOR, Message, Value
from steerageway.diagnostics.nearest import ALIKE, hint
from steerageway.moos.values import trimmed

MORE = "..."
_LISTS = ("messages", "config_warnings", "events", "run_warnings")


def shown_value(value: Value) -> str:
    """Return a value as text: a number, "text", or the number of bytes; no control characters."""
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, str):
        return f'"{printable(value)}"'
    return trimmed(value) if value == 0 or 1e-4 <= abs(value) < 1e15 else f"{value:g}"


def printable(text: str) -> str:
    """Escape the characters that are not printable on one line: line ends, tabs, escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def shown_source(message: Message) -> str:
    """Return the source of a message, with its source-aux."""
    return printable(f"{message.source}:{message.aux}" if message.aux else message.source)


def cut(text: str, width: int) -> str:
    """Cut a text to a width; a text that was cut ends with dots."""
    if len(text) <= width:
        return text
    return text[: max(0, width - len(MORE))] + MORE[:width]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table as lines, with each column padded to its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def appcast_lines(appcast: str) -> list[str]:
    """Split an app's appcast, one line in MOOS-IvP's form, into lines to read."""
    heads, body = [], []
    for part in appcast.split(APPCAST_SEPARATOR):
        key, _, text = part.partition("=")
        if key in _LISTS:
            body += [f"{key}:", *(f"  {line}" for line in text.split("!@") if line)]
        else:
            heads.append(part)
    return ["  ".join(heads), *body]


def near(word: str, known: Iterable[str]) -> str:
    """Return a comma and the nearest known word; "" if none is similar."""
    return hint(word, known, ALIKE, before=", ")


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def state_text(status: Mapping[str, Any]) -> str:
    """Return the status: "12.50 s  warp 5  paused  case 3 (412.50 s of the run)".

    Args:
        status: of ``control("status")``; times are those of the present case.
    """
    warp = status["warp"]
    parts = [
        f"{case_time(status):.2f} s",
        f"warp {warp if warp == 'max' else trimmed(float(warp))}",
    ]
    if status["paused"]:
        parts.append("paused")
    elif status["until"] is not None:
        parts.append(f"until {trimmed(status['until'] - began(status), 2)} s")
    if status["case"]:
        parts.append(f"case {status['case']} ({status['time']:.2f} s of the run)")
    return "  ".join(parts)


def case_time(status: Mapping[str, Any]) -> float:
    """Return the time since the present case began [s]."""
    return float(status["case_time"])


def began(status: Mapping[str, Any]) -> float:
    """Return when the present case began [s of the run]."""
    return float(status["time"]) - case_time(status)
