"""An observer's copy of a run's variables: the last message of each subscribed variable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from math import inf
from typing import Any, NamedTuple, Self

from steerageway.apps.shared.runs import PATIENCE, Run
from steerageway.bus import Client, Message, NoAnswer, matches, wall

MOST_AT_ONCE = 256  # connections that are made at the same time
MAX_POLL_TIME = 0.05  # maximum wall time of one reading of the mail [s]
TOLD_AFTER = 2.0  # wall seconds of connecting after which the user is told
EVERY = "*"
ONCE = 1e8  # minimum interval of a variable [simulated s]: in effect, its present value only
STATUS_INTERVAL = 0.2  # interval between status requests [wall s]


class News(NamedTuple):
    """A message, and the community that received it (not always that of its source)."""

    community: str
    message: Message


class Board:
    """An observer of one or more communities of a run.

    Attributes:
        last: (community, variable) -> its last message, in the order of their first appearance.
        status: the run's status, as of ``control("status")``.
        refused: rejections of posts, as texts of the run.
        on_news: called with new messages, oldest first in a community.
        ended: why the run ended; "" while it is running.
    """

    def __init__(
        self, run: Run, name: str, communities: Sequence[str], timeout: float = PATIENCE
    ) -> None:
        """Connect.

        Args:
            run: the run.
            name: of the observer.
            communities: the observed communities; the status is requested from the first.
            timeout: wall seconds to wait for answers.
        Raises:
            NoAnswer, Refused: the broker rejected the connection.
        """
        self.last: dict[tuple[str, str], Message] = {}
        self.refused: list[str] = []
        self.on_news: Callable[[list[News]], None] = _ignore
        self._request: int | None = None
        self._requested_at = -inf
        self.clients = connected(run, name, communities, timeout)
        for client in self.clients.values():
            client.on_refused = self.refused.append
        self._first = self.clients[communities[0]]
        self.status: dict[str, Any] = dict(self._first.about)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def communities(self) -> list[str]:
        """The observed communities."""
        return list(self.clients)

    @property
    def about(self) -> Mapping[str, Any]:
        """The run's description at the time of connection."""
        return self._first.about

    @property
    def ended(self) -> str:
        """Why the run ended; "" while it is running."""
        return self._first.ended

    @property
    def silent(self) -> bool:
        """Whether a status request has been unanswered for a second."""
        return self._request is not None and wall() - self._requested_at > 1.0

    @property
    def thinned(self) -> int:
        """Number of messages that the broker left out because they were not read in time."""
        return sum(client.thinned for client in self.clients.values())

    def poll(self) -> None:
        """Process the messages received so far, without waiting.

        Raises:
            NoAnswer: the broker has not replied for long.
        """
        self._request_status()
        news: list[News] = []
        deadline = wall() + MAX_POLL_TIME
        for community, client in self.clients.items():
            while (mail := client.fetch(0.0)) and wall() < deadline:
                news += self._store(community, mail)
            # The last mail, fetched as the time ran out.
            news += self._store(community, mail)
        self._take_status()
        if news:
            self.on_news(news)

    def sync(self, *communities: str) -> None:
        """Wait until the run has processed everything sent before, and process its mail.

        Args:
            communities: the ones to wait for; all by default.
        Raises:
            NoAnswer: there was no reply.
        """
        # All ask before the first answer is waited for: a busy run may answer seldom.
        asked = [
            (client, client.request("control", "status", ()))
            for client in (self.clients[name] for name in communities or self.clients)
        ]
        for client, number in asked:
            self.status = client.wait_answer(number, "control status")
        self.poll()

    def names(self) -> set[str]:
        """Request all variables; return the names of those received.

        Raises:
            NoAnswer: there was no reply.
        """
        for client in self.clients.values():
            client.register(EVERY, interval=ONCE)
        self.sync()
        return {name for _, name in self.last}

    def control(self, verb: str, *args: Any) -> Any:
        """Send a command to the run.

        Raises:
            ControlError: it fails; the text says why.
            NoAnswer: there was no reply in time.
        """
        result = self._first.control(verb, *args)
        try:
            self.status = self._first.control("status")
        except NoAnswer:
            if not self.ended:
                raise
        return result

    def cut(self, name: str) -> tuple[str, str]:
        """Split a name or a pattern, as henry:NAV_*, into community, "" for none, and variable."""
        community, colon, rest = name.partition(":")
        return (community, rest) if colon and community in self.clients else ("", name)

    def name_of(self, news: News) -> str:
        """Return a variable's name, with its community if several are observed."""
        name = news.message.name
        return f"{news.community}:{name}" if len(self.clients) > 1 else name

    def rows(self, wanted: str) -> Iterator[News]:
        """Yield the last messages of a name or pattern, with or without a community."""
        place, pattern = self.cut(wanted)
        for (community, name), message in self.last.items():
            if place in ("", community) and matches(pattern, name):
                yield News(community, message)

    def close(self) -> None:
        """Disconnect."""
        for client in self.clients.values():
            client.close()

    def _store(self, community: str, mail: list[Message]) -> list[News]:
        for message in mail:
            self.last[community, message.name] = message
        return [News(community, message) for message in mail]

    def _request_status(self) -> None:
        now = wall()
        if self._request is None and now - self._requested_at >= STATUS_INTERVAL and not self.ended:
            self._request, self._requested_at = self._first.request("control", "status", ()), now

    def _take_status(self) -> None:
        if self._request is not None and (status := self._first.answer(self._request)) is not None:
            self.status, self._request = status, None


def connected(run: Run, name: str, communities: Sequence[str], timeout: float) -> dict[str, Client]:
    """Connect to communities of a run, to all at the same time: a busy run may answer seldom.

    Raises:
        NoAnswer, Refused: the broker rejected a connection; the others are closed.
    """
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        waiting = {
            one: pool.submit(run.connect, name, one, timeout, shares=len(communities) > 1)
            for one in communities
        }
        if wait(waiting.values(), TOLD_AFTER).not_done:
            print(f"{name}: waiting for the run, which is busy", file=sys.stderr)
    failed = [error for one in waiting.values() if (error := one.exception()) is not None]
    clients = {one: done.result() for one, done in waiting.items() if done.exception() is None}
    if failed:
        for client in clients.values():
            client.close()
        raise failed[0]
    return clients


def _ignore(news: list[News]) -> None:
    """Default of ``on_news``."""


def ending(board: Board) -> str:
    """Return a sentence about the run's end."""
    return f"the run has ended: {board.ended}"
