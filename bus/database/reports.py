"""The database's own posts: DB_TIME, DB_UPTIME, DB_CLIENTS, DB_EVENT, summaries."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.bus.core.message import NANO, Message
from steerageway.bus.core.plan import Input, Phase
from steerageway.bus.core.stamps import INPUT, ITERATE, NEVER, stamp
from steerageway.bus.database.database import Database
from steerageway.declarations.posted import Value

INTERVAL = 2 * NANO
LONGEST_SUMMARY = 1 << 20  # characters; what is longer ends with MORE
MORE = "..."
SUMMARIES = ("DB_VARSUMMARY", "DB_RWSUMMARY")
REPORTS = ("DB_TIME", "DB_UPTIME", "DB_CLIENTS", "DB_EVENT", *SUMMARIES)


class _Stay(NamedTuple):
    """The presence of an app, from an instant to an instant [ns], both included."""

    app: str
    since: int
    until: int = NEVER


class Reports:
    """Reports of one community at 0, 2, 4 ... s.

    Attributes:
        next: stamp of the next summaries, made late, as they cover everything before it.
        next_plain: stamp of the next DB_TIME, DB_UPTIME, DB_CLIENTS, which depend on no post.
        source: source of the reports.
    """

    def __init__(self, database: Database, epoch: float) -> None:
        self._database = database
        self._epoch = epoch
        self._stays: list[_Stay] = []  # those of one client in the order of its mailboxes
        self._summaries: list[tuple[str, Value]] = []
        self._settled_at = -1  # ``Database.changes`` for which the summaries are still valid
        self.source = f"MOOSDB_{database.community}"
        self.next = stamp(0, ITERATE)
        self.next_plain = stamp(0, INPUT)

    def connected(self, app: str, instant: int) -> None:
        """Record that an app is, or will be, present from an instant on."""
        self._stays = [stay for stay in self._stays if stay.app != app or stay.until < NEVER]
        self._stays.append(_Stay(app, instant))
        self._settled_at = -1

    def disconnected(self, app: str, instant: int = -1) -> None:
        """Record that an app is gone after an instant; reports of the time before still list it."""
        self._settled_at = -1
        for place, stay in enumerate(self._stays):
            if stay.app == app and stay.until == NEVER:
                self._stays[place] = stay._replace(until=instant)
                break
        self._stays = [stay for stay in self._stays if stay.until >= 0]

    def event(self, text: str, instant: int, phase: int = Phase.INPUT) -> Input:
        """Return a DB_EVENT with its place in time."""
        return Input(instant, phase, self._database.community, "DB_EVENT", text, self.source)

    def message(self, name: str, value: Value, instant: int) -> Message:
        """Return a report as a message of an instant."""
        community = self._database.community
        return Message(name, value, instant / NANO, self.source, "", community, instant)

    def plain(self, instant: int) -> list[tuple[str, Value]]:
        """Return the reports of an instant that need only the clock and the launch list."""
        clients = [stay.app for stay in self._stays if stay.since <= instant <= stay.until]
        self.next_plain = stamp(instant + INTERVAL, INPUT)
        return [
            ("DB_TIME", self._epoch + instant / NANO),
            ("DB_UPTIME", instant / NANO),
            ("DB_CLIENTS", "".join(f"{name}," for name in clients)),
        ]

    def summaries(self, instant: int) -> list[tuple[str, Value]]:
        """Return the summaries as of an instant; everything before it must have been committed."""
        self.next = stamp(instant + INTERVAL, ITERATE)
        if self._settled_at != self._database.changes:
            self._summaries = self._sum_up(instant)
            self._settled_at = self._database.changes if self._is_settled(instant) else -1
        return self._summaries

    def _sum_up(self, instant: int) -> list[tuple[str, Value]]:
        place, database = stamp(instant, ITERATE), self._database
        posted: dict[str, list[str]] = {}
        names = []
        for variable in database.variables.values():
            if variable.sources and min(variable.sources.values()) < place:
                names.append(variable.name)
                for source, since in variable.sources.items():
                    if since < place:
                        posted.setdefault(source, []).append(variable.name)
        clients = []
        stays = list(self._stays)
        for mailbox in database.mailboxes:
            stay = next((stay for stay in stays if stay.app == mailbox.owner), None)
            if stay is None:
                continue
            stays.remove(stay)
            subscribed = [p for (p, _), (_, at) in mailbox.registrations.items() if at < place]
            own = sorted(posted.get(mailbox.owner, ()))
            if stay.since < instant <= stay.until:
                clients.append(f"{mailbox.owner}={':'.join(sorted(subscribed))}&{':'.join(own)}")
        return [
            ("DB_VARSUMMARY", _bounded(",".join(sorted(names)))),
            ("DB_RWSUMMARY", _bounded(",".join(clients))),
        ]

    def _is_settled(self, instant: int) -> bool:
        """Whether nothing after an instant is known yet, and no app is still to come."""
        database = self._database
        first = [since for v in database.variables.values() for since in v.sources.values()]
        apps = {stay.app for stay in self._stays}  # observers register too, but are in no report
        mine = (mailbox for mailbox in database.mailboxes if mailbox.owner in apps)
        registered = [at for mailbox in mine for _, at in mailbox.registrations.values()]
        latest = max((*first, *registered), default=0)
        settled = all(stay.since < instant and stay.until == NEVER for stay in self._stays)
        return latest < stamp(instant, ITERATE) and settled


def _bounded(summary: str) -> str:
    """Cut a long summary behind a whole name."""
    if len(summary) <= LONGEST_SUMMARY:
        return summary
    cut = max(summary.rfind(mark, 0, LONGEST_SUMMARY) for mark in ",:")
    return summary[: cut + 1] + MORE
