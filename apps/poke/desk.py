"""Does what is typed at the console, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from apps.board import Board, News
from apps.poke.lines import LineError, Order, help_text, parse_line
from apps.poke.posting import post
from apps.poke.seen import Seen
from apps.poke.steering import STEERING, steer
from apps.shown import aligned, appcast_lines, near, nearest, shown_source, shown_value
from bus.client import Client
from bus.errors import ControlError
from moos.poke import Poke
from moos.values import fixed

EVERY = "*"
RESET = "USM_RESET"
_FLAT_OUT = 100.0  # simulated seconds a second, about, at warp max


class Desk:
    """The state of a console, whatever kind of terminal it has.

    Attributes:
        board: what is known of the run.
        current: the community that is meant where none is named.
        watched: patterns to be kept in view.
        seen: the variables and values that have come by.
        leaving: whether it was told to quit.
    """

    def __init__(self, board: Board, current: str, quick: Sequence[tuple[str, str]] = ()) -> None:
        """Begin to look at every variable, but not at every message.

        Args:
            board: the run's.
            current: the community to begin with.
            quick: quick keys and what they do, for ``keys``.
        """
        self.board, self.current = board, current
        self.watched: list[str] = []
        self.seen = Seen()
        self.leaving = False
        self._quick = quick
        self._interval = 0.0
        self._orders: dict[str, Callable[[Order], str]] = {
            "show": self._show,
            "watch": self._watch,
            "unwatch": self._unwatch,
            "use": self._use,
            "reset": self._reset,
            **dict.fromkeys(STEERING, self._steer),
            "cast": self._cast,
            "status": lambda order: self.standing(),
            "log": self._log,
            "keys": self._keys,
            "quit": self._quit,
            "help": lambda order: help_text(*order.args),
        }
        self._listen()
        self.seen.note(board.sync())

    def do(self, line: str) -> str:
        """Obey a line.

        Returns: what to print; may be empty.
        Raises:
            LineError: it cannot be obeyed.
            BusError: the run does not do it, or has ended.
        """
        said = parse_line(line)
        if said is None:
            return ""
        if isinstance(said, Poke):
            return self._poke(said)
        return self._orders[said.name](said)

    def look(self) -> None:
        """Take what has come since."""
        self._listen()
        self.seen.note(self.board.poll())

    def view(self) -> list[News]:
        """Give the last messages of what is watched, in the order of the patterns."""
        rows = {(n.home, n.message.name): n for p in self.watched for n in self._rows(p)}
        return list(rows.values())

    def standing(self) -> str:
        """Say how the run stands, in a line."""
        status = self.board.status
        parts = [self.current, f"{status['time']:.2f} s", f"warp {status['warp']}"]
        if status["paused"]:
            parts.append("paused")
        if status["case"]:
            parts.append(f"case {status['case']}")
        if self.board.silent:
            parts.append("(no answer)")
        others = [name for name in self.board.communities if name != self.current]
        if others:
            parts.append(f"(also {', '.join(others)})")
        return "  ".join(parts)

    def _listen(self) -> None:
        """Ask for every variable about twice a second, whatever the warp."""
        warp = self.board.status["warp"]
        interval = 0.5 * (_FLAT_OUT if warp == "max" else max(1.0, float(warp)))
        if interval != self._interval and EVERY not in self.watched:
            self._interval = interval
            for client in self.board.clients.values():
                client.register(EVERY, interval=interval)

    def _poke(self, poke: Poke) -> str:
        homes = self.board.communities
        named = poke.community or self.current
        if named not in (*homes, EVERY):
            raise LineError(f"{named}: no such community, {nearest(named, homes)}")
        chosen = homes if named == EVERY else [named]
        return "\n".join(post(self.board, home, poke.name, poke.value) for home in chosen)

    def _show(self, order: Order) -> str:
        self.look()
        lines: list[str] = []
        for pattern in order.args:
            rows = sorted(self._rows(pattern), key=lambda news: news.message.name)
            if not rows:
                raise LineError(f"{pattern}: never posted{self._near(pattern)}")
            lines += table(rows, homes=len(self.board.communities) > 1)
        return "\n".join(lines)

    def _watch(self, order: Order) -> str:
        self.watched += [name for name in order.args if name not in self.watched]
        for home, name in map(self._placed, order.args):
            for client in self._clients(home):
                client.register(name)
        self.look()
        unknown = [name for name in order.args if not any(self._rows(name))]
        return "\n".join(f"{name}: not posted yet{self._near(name)}" for name in unknown)

    def _unwatch(self, order: Order) -> str:
        gone = order.args or tuple(self.watched)
        for name in gone:
            if name not in self.watched:
                raise LineError(f"{name}: not watched, {nearest(name, self.watched)}")
            self.watched.remove(name)
        for home, name in map(self._placed, gone):
            for client in self._clients(home):
                client.unregister(name)
        self._interval = 0.0  # one of them may have been "*"
        return ""

    def _use(self, order: Order) -> str:
        (name,) = order.args
        if name not in self.board.communities:
            raise LineError(f"{name}: no such community, {nearest(name, self.board.communities)}")
        self.current = name
        return ""

    def _steer(self, order: Order) -> str:
        steer(self.board, order)
        return "" if order.name in ("stop", "step", "run") else self.standing()

    def _reset(self, order: Order) -> str:
        return post(self.board, self.current, RESET, lambda utc: order.text)

    def _cast(self, order: Order) -> str:
        (app,) = order.args
        try:
            return "\n".join(appcast_lines(self.board.clients[self.current].appcast(app)))
        except ControlError as error:
            apps = self.board.about["apps"][self.current]
            raise LineError(f"{error}, {nearest(app, apps)}") from None

    def _log(self, order: Order) -> str:
        folder = self.board.about["folder"]
        if not folder:
            return "this run leaves no logs"
        logs = sorted(Path(folder).rglob("*.alog*"))
        return "\n".join(map(str, logs)) or folder

    def _keys(self, order: Order) -> str:
        if not self._quick:
            return "no quick keys; start with --quick FILE"
        return "\n".join(aligned([(key, line) for key, line in self._quick]))

    def _quit(self, order: Order) -> str:
        self.leaving = True
        return ""

    def _placed(self, pattern: str) -> tuple[str, str]:
        """Cut ``NAME:PATTERN`` into community, "" for all, and pattern."""
        home, colon, name = pattern.partition(":")
        return (home, name) if colon and home in self.board.communities else ("", pattern)

    def _clients(self, home: str) -> list[Client]:
        clients = self.board.clients
        return [clients[home]] if home else list(clients.values())

    def _rows(self, pattern: str) -> Iterator[News]:
        home, name = self._placed(pattern)
        return self.board.rows(name, homes=[home] if home else [])

    def _near(self, name: str) -> str:
        return near(self._placed(name)[1], {n.message.name for n in self.board.rows(EVERY)})


def table(rows: Sequence[News], *, homes: bool = False) -> list[str]:
    """Give a line for each message: variable, source, time, value; with ``homes`` where, too."""
    return aligned(
        [
            (
                f"{home}:{message.name}" if homes else message.name,
                shown_source(message),
                fixed(message.time, 2),
                shown_value(message.value),
            )
            for home, message in rows
        ]
    )
