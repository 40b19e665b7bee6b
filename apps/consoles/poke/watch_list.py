"""Which variables of a run a console hears, how often, and which of them are kept in view."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.consoles.board import EVERY, ONCE, Board, News
from steerageway.apps.consoles.poke.lines import LineError
from steerageway.apps.framework.display import near
from steerageway.bus import Client
from steerageway.diagnostics.nearest import nearest

_OFTEN = 0.5  # wall seconds, about, between two values of what is not watched
_FLAT_OUT = 100.0  # simulated seconds a second, about, at warp max


class WatchList:
    """What is kept in view. Patterns may name a community, as ``henry:NAV_*``.

    Attributes:
        patterns: of what is in view.
    """

    def __init__(self, board: Board) -> None:
        self.patterns: list[str] = []
        self._board = board
        self._intervals: dict[str, float] = {}

    def listen(self, current: str) -> None:
        """Hear everything of the current community often, whatever the warp; of others, once."""
        warp = self._board.status["warp"]
        often = _OFTEN * (_FLAT_OUT if warp == "max" else max(1.0, float(warp)))
        for community, client in self._board.clients.items():
            interval = often if community == current else ONCE
            if self._intervals.get(community) != interval and not self._has_all(community):
                self._intervals[community] = interval
                client.register(EVERY, interval=interval)

    def add(self, patterns: Sequence[str]) -> None:
        """Take variables into view."""
        self.patterns += [pattern for pattern in patterns if pattern not in self.patterns]
        for pattern in patterns:
            for client in self._clients(pattern):
                client.register(self._board.cut(pattern)[1])

    def remove(self, patterns: Sequence[str]) -> None:
        """Take variables out of view.

        Raises:
            LineError: one is not in view.
        """
        for pattern in patterns:
            if pattern not in self.patterns:
                raise LineError(f"{pattern}: not watched, {nearest(pattern, self.patterns)}")
            self.patterns.remove(pattern)
            for client in self._clients(pattern):
                client.unregister(self._board.cut(pattern)[1])
        self._intervals.clear()  # one of them may have been EVERY

    def view(self) -> list[News]:
        """Give the last messages of what is in view, in the order of the patterns."""
        rows = {
            (n.community, n.message.name): n for p in self.patterns for n in self._board.rows(p)
        }
        return list(rows.values())

    def near(self, pattern: str) -> str:
        """Say which variable there is that is near to one that is not."""
        return near(self._board.cut(pattern)[1], {n.message.name for n in self._board.rows(EVERY)})

    def _clients(self, pattern: str) -> list[Client]:
        community, _ = self._board.cut(pattern)
        clients = self._board.clients
        return [clients[community]] if community else list(clients.values())

    def _has_all(self, community: str) -> bool:
        return any(self._board.cut(p) in (("", EVERY), (community, EVERY)) for p in self.patterns)
