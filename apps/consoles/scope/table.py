"""Tables of the scope: the present values of all variables, or the past values of one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from steerageway.apps.consoles.scope.view import View
from steerageway.apps.shared.board import News
from steerageway.apps.shared.display import aligned, cut, printable, shown_value
from steerageway.bus import Message
from steerageway.moos.values import fixed

PAST = 200  # values kept per variable
UNKNOWN = "n/a"
_HEADS = (("Source", "S"), ("Aux", "A"), ("Time", "T"), ("Community", "C"))


class Row(NamedTuple):
    """A variable; ``message`` is None if it was never posted."""

    name: str
    message: Message | None


class Repeat(NamedTuple):
    """Consecutive equal values: their number, and the last message."""

    times: int
    message: Message


class Past:
    """The latest values of every variable."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], deque[Repeat]] = {}

    def note(self, news: Iterable[News]) -> None:
        """Add received messages."""
        for community, message in news:
            runs = self._runs.setdefault((community, message.name), deque(maxlen=PAST))
            if runs and (runs[-1].message.value, runs[-1].message.source) == (
                message.value,
                message.source,
            ):
                runs[-1] = Repeat(runs[-1].times + 1, message)
            else:
                runs.append(Repeat(1, message))

    def of(self, community: str, name: str) -> Sequence[Repeat]:
        """Return a variable's values, the oldest first."""
        return self._runs.get((community, name), ())


def present_lines(rows: Iterable[Row], view: View) -> list[str]:
    """Return a heading and a line for each variable.

    A hidden column is shown as an initial in the heading, as a reminder that it exists.
    """
    wide = (view.source, view.aux, view.time, view.community)
    heads = [
        f"({long[0]}){long[1:]}" if w else f"({s})"
        for w, (long, s) in zip(wide, _HEADS, strict=True)
    ]
    table = [("VarName", *heads, "Value")]
    for name, message in rows:
        cells = _cells(message, wide)
        value = UNKNOWN if message is None else shown_value(message.value)
        table.append((printable(name), *cells, cut(value, view.width) if view.width else value))
    return aligned(table)


def past_lines(runs: Sequence[Repeat], view: View) -> list[str]:
    """Return a line for each value of a variable: source, time, number of repeats, value."""
    return aligned(
        [
            (
                printable(message.source),
                fixed(message.time, 2),
                f"({times})" if times > 1 else "",
                cut(value, view.width) if view.width else value,
            )
            for times, message in runs
            for value in [shown_value(message.value)]
        ]
    )


def _cells(message: Message | None, wide: Sequence[bool]) -> Iterator[str]:
    if message is None:
        texts = (UNKNOWN,) * len(wide)
    else:
        texts = (message.source, message.aux, fixed(message.time, 2), message.community)
    for text, is_wide in zip(texts, wide, strict=True):
        yield printable(text) if is_wide else ""
