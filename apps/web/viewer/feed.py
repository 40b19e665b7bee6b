"""What a live run has said so far: from its log up to some instant, from its mail afterwards.

A run tells a newcomer the last value of each variable. Drawings have many values in one variable,
and trails are made of all of them, so the past is taken from the log. Mail that comes while the
log is read is kept, and once the log has reached the instant at which the mail began, both are put
together: no message is left out, and none counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.consoles.board import News
from steerageway.apps.web.viewer.log_set import LogSet, Player
from steerageway.apps.web.viewer.picture import Picture, column_of
from steerageway.apps.web.viewer.tracks import Track, Tracks, wanted
from steerageway.bus import NANO

MOST_KEPT = 500_000  # messages that wait for the log
RECENT = 100  # messages at the end of some, among which is the latest


class Feed:
    """The picture and the trails of a live run.

    Args:
        communities: of the run, in order.
        epoch: UTC of its time zero [s].

    Attributes:
        picture, tracks: as they are now; other objects once the past has come.
        generation: counts these exchanges, so that pages learn of them.
        joined: whether past and present are put together; False while that is to come.
        since: the instant at which the mail began [s].
        began: when the present case began; mail counts its times from there [s].
    """

    def __init__(self, communities: Sequence[str], epoch: float, since: float) -> None:
        self.picture = Picture(communities, epoch)
        self.tracks = Tracks()
        self.generation = 0
        self.since, self.began = since, 0.0
        self.joined = False
        self._communities, self._epoch = communities, epoch
        self._kept: list[News] = []

    def take(self, news: Sequence[News]) -> None:
        """Take what has come by mail."""
        if not self.joined:
            self._kept += news
            if len(self._kept) > MOST_KEPT:
                self.give_up()
        self._apply(news)

    def give_up(self) -> None:
        """Do without the past: there is no log, or it does not come."""
        self.joined = True
        self._kept.clear()

    def join(self, logs: LogSet) -> bool:
        """Put the past before what has come.

        Args:
            logs: of the run, read as far as they are.
        Returns: whether nothing is missing between them; if not, join again when they are longer.
        """
        time = self.picture.time
        player = Player(logs)
        end = max(logs.span[1], 0.0)
        player.seek(end)
        self.picture = player.picture
        for name in self._communities:
            if name not in self.picture.vessels:
                self.picture.observe(name)
        self.tracks = continued(logs.tracks(), set(logs.communities))
        covered = {home: logs.end_of(home) for home in logs.communities}
        self._apply(
            [n for n in self._kept if n.message.time + self.began > covered.get(n.community, -1.0)]
        )
        self.picture.advance(max(end, time))
        self.generation += 1
        self.joined = logs.covered >= self.since
        if self.joined:
            self._kept.clear()
        return self.joined

    def begin_case(self, began: float, now: float, *, logged: bool) -> None:
        """Forget what an earlier case drew.

        Args:
            began: when the case began. now: when that was noticed [s].
            logged: whether what it has drawn since can be put before what comes, by ``join``.
        """
        self.picture.clear()
        self.tracks.cut(began)
        self.began = began
        if logged:
            self.joined, self.since = False, now

    def _apply(self, news: Sequence[News]) -> None:
        picture, tracks = self.picture, self.tracks
        for home, message in news:
            if wanted(message.name):
                tracks.take(home, message.name, message.value, message.time + self.began)
        for home, message in drawn(news):
            picture.take(home, message.name, message.value, message.time + self.began)
        if news:
            latest = max(message.instant for _, message in news[-RECENT:]) / NANO
            picture.advance(max(latest + self.began, picture.time))


def drawn(news: Sequence[News]) -> list[News]:
    """Leave out what a later message replaces: flat out, most of the drawings that have come."""
    last: dict[object, News] = {}
    for place in range(len(news) - 1, -1, -1):
        home, message = news[place]
        column = column_of(message.name, message.value)
        if column is not None:
            last.setdefault(place if column.endswith("*") else (home, column), news[place])
    return list(last.values())[::-1]


def continued(found: dict[str, Track], own: set[str]) -> Tracks:
    """Give trails that mail continues."""
    tracks = Tracks()
    tracks.of = found
    tracks.own = own & found.keys()
    return tracks
