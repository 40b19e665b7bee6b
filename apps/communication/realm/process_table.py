"""Processes of a community with their subscriptions and publications, parsed from DB_RWSUMMARY."""

from __future__ import annotations

from steerageway.moos.rw_summary import read_rw_summary

DATABASE_POSTS = (
    "DB_CLIENTS",
    "DB_EVENT",
    "DB_RWSUMMARY",
    "DB_TIME",
    "DB_UPTIME",
    "DB_VARSUMMARY",
)
HIDDEN = ("uQueryDB", "uPokeDB", "uXMS", "uMAC")


class ProcessTable:
    """The processes of a community.

    Attributes:
        subscribed: process -> variables and patterns it registered for.
        published: process -> variables it posted.
    """

    def __init__(self, database: str) -> None:
        self.subscribed: dict[str, tuple[str, ...]] = {database: ()}
        self.published: dict[str, tuple[str, ...]] = {database: DATABASE_POSTS}
        self._summary = ""

    def update(self, summary: str) -> bool:
        """Take a summary, see ``moos.rw_summary``; return whether it is new.

        Processes that have disconnected are kept, so that their last posts can still be shown.
        """
        if summary == self._summary:
            return False
        self._summary = summary
        for process, subscribed, published in read_rw_summary(summary):
            self.subscribed[process] = tuple(sorted(subscribed))
            self.published[process] = tuple(sorted(published))
        return True

    def channels(self) -> list[str]:
        """Return the processes that may be requested, in alphabetical order."""
        return sorted(name for name in self.subscribed if not any(part in name for part in HIDDEN))
