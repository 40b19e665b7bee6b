"""What an observer knows of a run: the last message of every variable it asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, Self

from steerageway.apps.consoles.runs import Run
from steerageway.bus import Client, Message, NoAnswer, matches, wall

LONGEST_LOOK = 0.05  # wall seconds that one look at the mail may take
EVERY = "*"
ONCE = 1e8  # simulated seconds until a variable is told again
ASK_EVERY = 0.2  # wall seconds between questions how the run stands


class News(NamedTuple):
    """A message, and the community in which it was heard (not always that of its poster)."""

    community: str
    message: Message


class Board:
    """An observer of one or more communities of a run.

    Attributes:
        last: (community, variable) -> its last message, in the order in which they came up.
        status: how the run stands, as ``control("status")`` tells it.
        refused: what the run did not take, in its words.
        on_news: told of what has come, oldest first in a community.
        ended: why the run ended; "" while it goes on.
    """

    def __init__(self, run: Run, name: str, communities: Sequence[str]) -> None:
        """Come in.

        Args:
            run: the run.
            name: in whose name.
            communities: those that are observed, the first one asked how the run stands.
        Raises:
            NoAnswer, Refused: the broker did not let us in.
        """
        self.clients: dict[str, Client] = {}
        self.last: dict[tuple[str, str], Message] = {}
        self.refused: list[str] = []
        self.on_news: Callable[[list[News]], None] = _ignore
        self._asked: int | None = None
        self._asked_at = -inf
        try:
            for community in communities:
                client = self.clients[community] = run.connect(name, community)
                client.on_refused = self.refused.append
        except BaseException:
            self.close()
            raise
        self._first = self.clients[communities[0]]
        self.status: dict[str, Any] = dict(self._first.about)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def communities(self) -> list[str]:
        """The communities that are observed."""
        return list(self.clients)

    @property
    def about(self) -> Mapping[str, Any]:
        """What the run said of itself when we came."""
        return self._first.about

    @property
    def ended(self) -> str:
        """Why the run ended; "" while it goes on."""
        return self._first.ended

    @property
    def silent(self) -> bool:
        """Whether the run has not said for a second how it stands."""
        return self._asked is not None and wall() - self._asked_at > 1.0

    @property
    def thinned(self) -> int:
        """Messages that the broker left out, for we did not read in time."""
        return sum(client.thinned for client in self.clients.values())

    def poll(self) -> None:
        """Take what has come, without waiting for more.

        Raises:
            NoAnswer: the broker has been silent for long.
        """
        self._ask_status()
        news: list[News] = []
        deadline = wall() + LONGEST_LOOK
        for community, client in self.clients.items():
            while (mail := client.fetch(0.0)) and wall() < deadline:
                news += self._note(community, mail)
            news += self._note(community, mail)
        self._take_status()
        if news:
            self.on_news(news)

    def sync(self, *communities: str) -> None:
        """Wait until the run has answered to all that was sent before; take what has come.

        Args:
            communities: those that matter; all if none is named.
        Raises:
            NoAnswer: it did not answer.
        """
        for community in communities or self.clients:
            self.status = self.clients[community].control("status")
        self.poll()

    def names(self) -> set[str]:
        """Ask which variables there are, and give the names of those that could be told at once.

        Raises:
            NoAnswer: the run did not answer.
        """
        for client in self.clients.values():
            client.register(EVERY, interval=ONCE)
        self.sync()
        return {name for _, name in self.last}

    def control(self, verb: str, *args: Any) -> Any:
        """Ask the run to do something.

        Raises:
            ControlError: it cannot; the text says why.
            NoAnswer: no answer came in time.
        """
        result = self._first.control(verb, *args)
        try:
            self.status = self._first.control("status")
        except NoAnswer:
            if not self.ended:
                raise
        return result

    def cut(self, name: str) -> tuple[str, str]:
        """Cut a name or a pattern, as henry:NAV_*, into community, "" for none, and the rest."""
        community, colon, rest = name.partition(":")
        return (community, rest) if colon and community in self.clients else ("", name)

    def name_of(self, news: News) -> str:
        """Give a variable's name, behind that of its community where several are observed."""
        name = news.message.name
        return f"{news.community}:{name}" if len(self.clients) > 1 else name

    def rows(self, wanted: str) -> Iterator[News]:
        """Give the last messages of a name or a pattern, which may name a community."""
        place, pattern = self.cut(wanted)
        for (community, name), message in self.last.items():
            if place in ("", community) and matches(pattern, name):
                yield News(community, message)

    def close(self) -> None:
        """Leave."""
        for client in self.clients.values():
            client.close()

    def _note(self, community: str, mail: list[Message]) -> list[News]:
        for message in mail:
            self.last[community, message.name] = message
        return [News(community, message) for message in mail]

    def _ask_status(self) -> None:
        now = wall()
        if self._asked is None and now - self._asked_at >= ASK_EVERY and not self.ended:
            self._asked, self._asked_at = self._first.request("control", "status", ()), now

    def _take_status(self) -> None:
        if self._asked is not None and (status := self._first.answer(self._asked)) is not None:
            self.status, self._asked = status, None


def _ignore(news: list[News]) -> None:
    """Whoever only looks at ``last`` needs no news."""


def ending(board: Board) -> str:
    """Say how a run ended."""
    return f"the run has ended: {board.ended}"
