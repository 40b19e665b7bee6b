"""Executes the console's commands and posts, and returns their results as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from pathlib import Path

from steerageway.apps.consoles.poke.lines import LineError, Order, help_text, parse_line
from steerageway.apps.consoles.poke.steering import STEERING, TIMED, steer, wait_for_rest
from steerageway.apps.consoles.poke.watch_list import WatchList
from steerageway.apps.shared.board import EVERY, Board, News
from steerageway.apps.shared.display import (
    aligned,
    appcast_lines,
    shown_source,
    shown_value,
    state_text,
)
from steerageway.apps.shared.posting import post
from steerageway.bus import ControlError
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.poke import Poke
from steerageway.moos.values import fixed, is_number, trimmed

RESET, STATE = "USM_RESET", ("x", "y", "heading", "speed", "depth")
SHORT = ("deg", "hdg", "spd", "dep")  # shorter keys that the simulator accepts, too
EXAMPLE = "reset x=0,y=-20,heading=90"
VISIBLE_WIDTH = 12  # characters of a long value that must be visible

MAX_VALUES = 8  # values kept per variable
MAX_LENGTH = 200  # maximum length of a value that is kept


class ValueHistory:
    """The variables of each community and their latest values, in the form of input."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], dict[str, None]] = {}

    def note(self, news: Iterable[News]) -> None:
        """Add received values."""
        for community, (name, value, *_) in news:
            kept = self._values.setdefault((community, name), {})
            if isinstance(value, bytes):
                continue
            if isinstance(value, float):
                # Numbers change constantly: only the present one is worth offering.
                kept.clear()
                kept[trimmed(value)] = None
            elif len(value) <= MAX_LENGTH and value.isprintable():
                typed = f'"{value}"' if is_number(value) else value
                kept.pop(typed, None)
                kept[typed] = None
                if len(kept) > MAX_VALUES:
                    del kept[next(iter(kept))]

    def names(self, community: str) -> list[str]:
        """Return the variables of a community, in alphabetical order."""
        return sorted(name for where, name in self._values if where == community)

    def values(self, community: str, name: str) -> list[str]:
        """Return a variable's values, the latest first."""
        return list(reversed(self._values.get((community, name), {})))


class Interpreter:
    """The state of a console, independent of the terminal.

    Attributes:
        board: the run's variables.
        current: the default community.
        watching: the watched variables.
        seen: variables and values received so far.
        quitting: whether the user has quit.
        waits: whether commands that let time run return only when they are complete.
    """

    def __init__(
        self,
        board: Board,
        current: str,
        quick: Sequence[tuple[str, str]] = (),
        *,
        waits: bool = False,
    ) -> None:
        """Subscribe to every variable, at a limited rate.

        Args:
            board: the run's.
            current: the first default community.
            quick: quick keys and their lines, for ``keys``.
            waits: see the attribute.
        """
        self.board, self.current, self.waits = board, current, waits
        self.watching = WatchList(board)
        self.seen = ValueHistory()
        self.quitting = False
        self._quick = quick
        self._commands: dict[str, Callable[[Order], str]] = {
            "show": self._show,
            "watch": self._watch,
            "unwatch": self._unwatch,
            "use": self._use,
            "reset": self._reset,
            **dict.fromkeys(STEERING, self._steer),
            "cast": self._cast,
            "status": lambda order: self.state_text(),
            "log": self._log,
            "keys": self._keys,
            "quit": self._quit,
            "help": lambda order: help_text(*order.args),
        }
        board.on_news = self.seen.note
        self.watching.listen(current)
        board.sync()

    def do(self, line: str) -> str:
        """Execute a line.

        Returns: the text to print; may be empty.
        Raises:
            LineError: the line is invalid.
            BusError: the run rejects it, or has ended.
        """
        line_read = parse_line(line)
        if line_read is None:
            return ""
        return self._poke(line_read) if isinstance(line_read, Poke) else self.execute(line_read)

    def execute(self, order: Order) -> str:
        """Execute a command; see ``do``."""
        return self._commands[order.name](order)

    def update(self) -> None:
        """Process the messages received so far."""
        self.watching.listen(self.current)
        self.board.poll()

    def view(self, columns: float = inf) -> list[str]:
        """Return a line for each watched variable, for a screen of a number of columns."""
        return self._table(self.watching.view(), columns)

    def state_text(self) -> str:
        """Return the run's status in one line."""
        parts = [self.current, state_text(self.board.status)]
        if self.board.silent:
            parts.append("(no answer)")
        others = [name for name in self.board.communities if name != self.current]
        if others:
            parts.append(f"(also {', '.join(others)})")
        return "  ".join(parts)

    def _poke(self, poke: Poke) -> str:
        communities = self.board.communities
        named = poke.community or self.current
        if named not in (*communities, EVERY):
            raise LineError(f"{named}: no such community, {nearest(named, communities)}")
        chosen = communities if named == EVERY else [named]
        return "\n".join(post(self.board, community, poke.name, poke.value) for community in chosen)

    def _show(self, order: Order) -> str:
        self.watching.refresh(order.args)
        self.board.sync()
        lines: list[str] = []
        unknown: list[str] = []
        for pattern in order.args:
            rows = sorted(self.board.rows(pattern), key=lambda news: news.message.name)
            if rows:
                lines += self._table(rows)
            else:
                unknown.append(f"{pattern}: never posted{self.watching.near(pattern)}")
        if unknown:
            raise LineError("\n".join(unknown), "\n".join(lines))
        return "\n".join(lines)

    def _watch(self, order: Order) -> str:
        self.watching.add(order.args)
        self.board.sync()
        unknown = [name for name in order.args if not any(self.board.rows(name))]
        return "\n".join(f"{n}: not posted yet{self.watching.near(n)}" for n in unknown)

    def _unwatch(self, order: Order) -> str:
        self.watching.remove(order.args or tuple(self.watching.patterns))
        return ""

    def _use(self, order: Order) -> str:
        (name,) = order.args
        if name not in self.board.communities:
            raise LineError(f"{name}: no such community, {nearest(name, self.board.communities)}")
        self.current = name
        return ""

    def _steer(self, order: Order) -> str:
        steer(self.board, order)
        if self.waits and order.name in TIMED:
            wait_for_rest(self.board, order)
            return self.state_text()
        return "" if order.name in ("stop", *TIMED) else self.state_text()

    def _reset(self, order: Order) -> str:
        for part in order.text.split(","):
            left, equals, right = (text.strip() for text in part.partition("="))
            if equals and left.lower() not in (*STATE, *SHORT):
                raise LineError(f"reset {order.text}: {left}: {nearest(left, STATE)}")
            if not is_number(right if equals else left):
                raise LineError(f"reset {order.text}: expected numbers, as in {EXAMPLE}")
        return post(self.board, self.current, RESET, lambda utc: order.text)

    def _cast(self, order: Order) -> str:
        community, app = self.board.cut(order.args[0])
        community = community or self.current
        try:
            return "\n".join(appcast_lines(self.board.clients[community].appcast(app)))
        except ControlError as error:
            apps = self.board.about["apps"]
            elsewhere = [f"cast {name}:{app}" for name in apps if app in apps[name]]
            meant = elsewhere[0] if elsewhere else nearest(app, apps[community])
            raise LineError(f"{error}, {meant}") from None

    def _log(self, order: Order) -> str:
        folder = self.board.about["folder"]
        if not folder:
            return "this run writes no logs"
        logs = sorted(Path(folder).rglob("*.alog*"))
        return "\n".join(map(str, logs)) or folder

    def _keys(self, order: Order) -> str:
        if not self._quick:
            return "no quick keys; start with --quick FILE"
        return "\n".join(aligned([(key, line) for key, line in self._quick]))

    def _quit(self, order: Order) -> str:
        self.quitting = True
        return ""

    def _table(self, rows: Sequence[News], columns: float = inf) -> list[str]:
        """Return a line for each message: variable, source, time, value.

        If the columns do not suffice for the values, the sources are left out, then the times.
        """
        table = [
            (
                self.board.name_of(news),
                shown_source(news.message),
                fixed(news.message.time, 2),
                shown_value(news.message.value),
            )
            for news in rows
        ]
        for kept in ((0, 1, 2, 3), (0, 2, 3)):
            lines = aligned([[row[column] for column in kept] for row in table])
            if all(
                _is_visible(row[-1], line, columns) for row, line in zip(table, lines, strict=True)
            ):
                return lines
        return aligned([(row[0], row[-1]) for row in table])


def _is_visible(value: str, line: str, columns: float) -> bool:
    """Whether enough of the value at the end of a line is within a number of columns."""
    return len(line) - len(value) + min(len(value), VISIBLE_WIDTH) <= columns
