"""What the database says of itself: DB_TIME, DB_UPTIME, DB_CLIENTS, DB_EVENT, summaries."""

from __future__ import annotations

from bus.database import Database
from bus.message import NANO, Value
from bus.stamps import INPUT, ITERATE, stamp

INTERVAL = 2 * NANO
SUMMARIES = ("DB_VARSUMMARY", "DB_RWSUMMARY")


class Reports:
    """One community's reports at 0, 2, 4 ... s.

    Attributes:
        next: stamp of the next summaries; they need everything before it, so they may come late.
        next_plain: stamp of the next DB_TIME, DB_UPTIME, DB_CLIENTS, known beforehand.
        source: in whose name they are posted.
    """

    def __init__(self, database: Database, epoch: float) -> None:
        self._database = database
        self._epoch = epoch
        self._clients: dict[str, int] = {}
        self.source = f"MOOSDB_{database.community}"
        self.next = stamp(0, ITERATE)
        self.next_plain = stamp(0, INPUT)

    def connected(self, app: str, instant: int) -> None:
        """Note that an app is, or will be, there from an instant on."""
        self._clients[app] = instant

    def disconnected(self, app: str) -> None:
        """Note that an app is gone."""
        self._clients.pop(app, None)

    def plain(self, instant: int) -> list[tuple[str, Value]]:
        """Give the reports of an instant that need nothing but the clock and the launch list."""
        clients = [name for name, since in self._clients.items() if since <= instant]
        self.next_plain = stamp(instant + INTERVAL, INPUT)
        return [
            ("DB_TIME", self._epoch + instant / NANO),
            ("DB_UPTIME", instant / NANO),
            ("DB_CLIENTS", "".join(f"{name}," for name in clients)),
        ]

    def summaries(self, instant: int) -> list[tuple[str, Value]]:
        """Give the summaries as of an instant, everything before which has been committed."""
        place = stamp(instant, ITERATE)
        self.next = stamp(instant + INTERVAL, ITERATE)
        database = self._database
        posted: dict[str, list[str]] = {}
        names = []
        for variable in database.variables.values():
            if variable.sources and min(variable.sources.values()) < place:
                names.append(variable.name)
                for source, since in variable.sources.items():
                    if since < place:
                        posted.setdefault(source, []).append(variable.name)
        clients = []
        for mailbox in database.mailboxes:
            heard = [p for (p, _), (_, at) in mailbox.registrations.items() if at < place]
            said = sorted(posted.get(mailbox.owner, ()))
            if self._clients.get(mailbox.owner, place) < instant:
                clients.append(f"{mailbox.owner}={':'.join(sorted(heard))}&{':'.join(said)}")
        return [
            ("DB_VARSUMMARY", ",".join(sorted(names))),
            ("DB_RWSUMMARY", ",".join(clients)),
        ]
