"""The watched variables of a console, and the rates at which it subscribes to variables."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.consoles.poke.lines import LineError
from steerageway.apps.shared.board import EVERY, ONCE, Board, News
from steerageway.apps.shared.display import near
from steerageway.bus import Client
from steerageway.diagnostics.nearest import nearest

_OFTEN = 0.5  # approximate interval of variables that are not watched [wall s]
_FLAT_OUT = 100.0  # approximate warp at "max"


class WatchList:
    """The watched variables. Patterns may name a community, as ``henry:NAV_*``.

    Attributes:
        patterns: of the watched variables.
    """

    def __init__(self, board: Board) -> None:
        self.patterns: list[str] = []
        self._board = board
        self._intervals: dict[str, float] = {}

    def listen(self, current: str) -> None:
        """Subscribe to the current community at a fixed wall-clock rate, to others once."""
        # Intervals are in simulated time, so they grow with the warp.
        warp = self._board.status["warp"]
        often = _OFTEN * (_FLAT_OUT if warp == "max" else max(1.0, float(warp)))
        for community, client in self._board.clients.items():
            interval = often if community == current else ONCE
            if self._intervals.get(community) != interval and not self._has_all(community):
                self._intervals[community] = interval
                client.register(EVERY, interval=interval)

    def add(self, patterns: Sequence[str]) -> None:
        """Watch variables."""
        self.patterns += [pattern for pattern in patterns if pattern not in self.patterns]
        for pattern in patterns:
            for client in self._clients(pattern):
                client.register(self._board.cut(pattern)[1])

    def remove(self, patterns: Sequence[str]) -> None:
        """Stop watching variables.

        Raises:
            LineError: one is not watched.
        """
        for pattern in patterns:
            if pattern not in self.patterns:
                raise LineError(f"{pattern}: not watched, {nearest(pattern, self.patterns)}")
            self.patterns.remove(pattern)
            for client in self._clients(pattern):
                client.unregister(self._board.cut(pattern)[1])
        self._intervals.clear()  # one of the patterns may have been EVERY

    def refresh(self, patterns: Sequence[str]) -> None:
        """Request the present values of variables that come at intervals, or once."""
        for pattern in patterns:
            place, name = self._board.cut(pattern)
            for community in [place] if place else self._board.communities:
                client = self._board.clients[community]
                if self._has_all(community, name):
                    continue
                client.register(name, interval=self._intervals.get(community, ONCE))
                if name != EVERY:
                    client.unregister(name)

    def view(self) -> list[News]:
        """Return the last messages of the watched variables, in the order of the patterns."""
        rows = {
            (n.community, n.message.name): n for p in self.patterns for n in self._board.rows(p)
        }
        return list(rows.values())

    def near(self, pattern: str) -> str:
        """Return a comma and the nearest variable to an unknown one; "" if none is similar."""
        return near(self._board.cut(pattern)[1], {n.message.name for n in self._board.rows(EVERY)})

    def _clients(self, pattern: str) -> list[Client]:
        community, _ = self._board.cut(pattern)
        clients = self._board.clients
        return [clients[community]] if community else list(clients.values())

    def _has_all(self, community: str, name: str = EVERY) -> bool:
        """Whether exactly this name or pattern is watched in a community."""
        return any(self._board.cut(p) in (("", name), (community, name)) for p in self.patterns)
