"""Writes the selected messages as lines of a session's files."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.logs.logger.selection import (
    SYSTEM_VARIABLES,
    Destination,
    LogRequest,
    Selection,
)
from steerageway.apps.logs.logger.session import Session
from steerageway.apps.logs.logger.sync import SyncTable
from steerageway.bus import Message, nanoseconds
from steerageway.moos.alog import EntryFormat, binary_reference

MAX_ABSENCE = 10.0


class Recorder:
    """Writes the selected messages to the present session.

    Args:
        selection: the variables, and their files.
        form: formats the entries, and has the start of log time.
        reserved: columns of the .slog reserved for later requests.

    Attributes:
        session: see ``Session``; replaced by ``begin``.
        lines: variable -> pending lines of the file of its messages; None for one that is omitted.
        messages: number of messages received.
    """

    def __init__(self, selection: Selection, form: EntryFormat, reserved: int) -> None:
        self.session: Session
        self.lines: dict[str, list[str] | None] = {}
        self.messages = 0
        self._selection = selection
        self._form = form
        self._reserved = reserved
        self._table = SyncTable((), 0)
        self._watched = {*SYSTEM_VARIABLES}
        self._since = form.start
        self._last_logged: dict[str, int] = {}
        self._last_seen: dict[str, float] = {}
        for request in selection.requests.values():
            self._watch(request)

    def log_time(self, time: float) -> float:
        """Convert a message's time to log time [s]."""
        return time - self._form.start

    def begin(self, session: Session, time: float, *, sync: bool) -> None:
        """Begin to write to a session, with a .slog if ``sync``."""
        self.session = session
        self.lines.clear()
        if sync:
            columns = [r.name for r in self._selection.requests.values() if r.sync]
            self._table = SyncTable(columns, self._reserved)
            session.begin_sync(self._table, self.log_time(time))

    def begin_case(self, number: int, seed: int, time: float) -> None:
        """Mark a new case, which is recorded as if it ran alone; log time continues."""
        now = self.log_time(time)
        self.session.mark(f"%% CASE number={number},seed={seed},time={now:.5f}\n")
        self._since = time
        self._last_logged.clear()
        self._last_seen.clear()

    def record(self, mail: Sequence[Message]) -> None:
        """Write messages; on return they are in the files."""
        # Every message of a run passes here: local names are faster than attributes.
        line, chosen, watched = self._form.line, self.lines, self._watched
        for message in mail:
            name, value, time, source, aux, community, _ = message
            if name in watched and not self._take(message):
                continue
            lines = chosen[name] if name in chosen else self._choose(name)
            if lines is not None:
                if value.__class__ is bytes:
                    value = self._keep_binary(message)
                lines.append(line(name, value, time, source, aux, community))  # type: ignore[arg-type]
        self.messages += len(mail)
        self.session.flush()

    def write_row(self, time: float) -> None:
        """Write a row of the .slog, if there is one."""
        slog = self.session.slog
        if slog is not None:
            slog.lines.append(self._table.row(self.log_time(time)))
            slog.flush()

    def request(self, request: LogRequest, time: float) -> None:
        """Log one more variable, with a column of the .slog if requested and one is free."""
        slog = self.session.slog
        place = self._table.claim(request.name) if request.sync and slog else None
        if slog is None or place is None:
            request = request._replace(sync=False)
        else:
            self._reserved -= 1
            slog.rewrite(*place)
            slog.lines.append(self._table.labels(self.log_time(time)))
        self._selection.requests[request.name] = request
        self._watch(request)
        self.lines.pop(request.name, None)

    def missing(self, time: float) -> dict[str, bool]:
        """Return whether each monitored variable has been absent for long."""
        return {
            request.name: time - self._last_seen.get(request.name, self._since) > MAX_ABSENCE
            for request in self._selection.requests.values()
            if request.monitor
        }

    def _watch(self, request: LogRequest) -> None:
        if request.period or request.sync or request.monitor:
            self._watched.add(request.name)

    def _choose(self, name: str) -> list[str] | None:
        """Return the pending lines for a variable; called once per variable."""
        session, destination = self.session, self._selection.destination(name)
        lines: list[str] | None = None
        if destination is Destination.LOG:
            lines = session.alog.lines
        elif destination is Destination.EXCLUSIONS and session.xlog is not None:
            lines = session.xlog.lines
        self.lines[name] = lines
        return lines

    def _take(self, message: Message) -> bool:
        """Process a message apart from its entry; return False if its entry is too early."""
        name = message.name
        if name in SYSTEM_VARIABLES:
            self.session.note_system(message, self.log_time(message.time))
        request = self._selection.requests.get(name)
        if request is None:
            return True
        self._last_seen[name] = message.time
        last = self._last_logged.get(name)
        if last is not None and message.instant - last < nanoseconds(request.period):
            return False
        self._last_logged[name] = message.instant
        if request.sync:
            self._table.note(name, message.value)
        return True

    def _keep_binary(self, message: Message) -> str:
        name, value, time, source, aux, community, _ = message
        assert isinstance(value, bytes)
        head = self._form.head(name, time, source, aux, community)
        file, offset = self.session.keep_binary(head, value)
        return binary_reference(file, offset, len(value))
