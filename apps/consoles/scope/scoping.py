"""The scope without its terminal: the received messages, and the rows to show."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.apps.consoles.scope.table import Past, Row, past_lines, present_lines
from steerageway.apps.consoles.scope.view import Mode, View, style_of
from steerageway.apps.shared.board import EVERY, Board, News
from steerageway.bus import Value, any_matches, is_pattern, matches, wall


class Scope:
    """Some variables of a run; a name may start with that of a community, as "henry:NAV_X".

    Attributes:
        board: the run's variables.
        view: what to show, and how.
        lines: the lines to show, the heading first.
        chosen: the names of the rows, in their order.
        styles: the style of each row where colour is used.
    """

    def __init__(self, board: Board, view: View) -> None:
        """Subscribe to the variables, and process their present values."""
        self.board, self.view = board, view
        self.lines: list[str] = []
        self.chosen: list[str] = []
        self.styles: list[str] = []
        self._shown: dict[str, Value | None] = {}
        self._past = Past()
        self._fresh = False
        self._shown_at = 0.0
        for client in board.clients.values():
            for source in view.sources or [EVERY]:
                client.register(*self._names_to_register(), source=source)
        board.on_news = self._note
        board.sync()
        self.show()

    def look(self) -> bool:
        """Process received messages; return whether the lines were updated."""
        self.board.poll()
        late = wall() - self._shown_at >= self.view.interval
        if self.view.mode == Mode.PAUSED:
            return False
        due = late if self.view.mode == Mode.STREAMING else self._fresh
        if due:
            self.show()
        return due

    def show(self) -> None:
        """Update the lines."""
        self._shown_at = wall()
        self._fresh = False
        if self.view.history:
            community, name = self._placed(self.view.history)
            self.chosen, self.styles = [], []
            self.lines = [
                f"{self.view.history}:",
                *past_lines(self._past.of(community, name), self.view),
            ]
        else:
            rows = list(self.rows())
            self.chosen = [row.name for row in rows]
            self.styles = [
                style_of(*row, self.view.colored, is_new=self._is_new(row)) for row in rows
            ]
            self._shown = {row.name: _value(row) for row in rows}
            self.lines = present_lines(rows, self.view)

    def rows(self) -> Iterator[Row]:
        """Yield the rows in the order of the requested names, by name within a pattern."""
        done: set[str] = set()
        for pattern in self.view.names or [EVERY]:
            found = [
                Row(self.board.name_of(news), news.message) for news in self.board.rows(pattern)
            ]
            if not found and not is_pattern(pattern) and self.view.virgins:
                found = [Row(pattern, None)]
            for row in sorted(found):
                if row.name not in done and self._passes(row.name):
                    done.add(row.name)
                    yield row

    def missing(self) -> list[str]:
        """Return the requested names and patterns that match no posted variable."""
        requested = [self.view.history] if self.view.history else self.view.names
        return [name for name in requested if not any(self.board.rows(name))]

    def _names_to_register(self) -> list[str]:
        """Return the names to subscribe to, including that of the history."""
        names = [self.board.cut(name)[1] for name in self.view.names] or [EVERY]
        _, past = self._placed(self.view.history)
        covered = not past or any_matches(names, past)
        return names if covered else [*names, past]

    def _is_new(self, row: Row) -> bool:
        """Whether a row's value has changed since it was last shown."""
        return row.name in self._shown and self._shown[row.name] != _value(row)

    def _note(self, news: list[News]) -> None:
        self._past.note(news)
        self._fresh = True

    def _placed(self, name: str) -> tuple[str, str]:
        """Split a row's name into community, by default the first, and variable."""
        community, variable = self.board.cut(name)
        return community or self.board.communities[0], variable

    def _passes(self, name: str) -> bool:
        text = self.view.filter
        return not text or text.lower() in name.lower() or matches(text, name)


def _value(row: Row) -> Value | None:
    return None if row.message is None else row.message.value
