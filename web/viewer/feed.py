"""Picture and trails of a live run, made from its log up to some instant and from mail afterwards.

A new client receives the last value of each variable only. One variable may have many drawings, and
trails need all positions, so the past is taken from the log. Mail is kept until the log has been
read up to the instant of the first mail; then both are joined, with no message missing or taken
twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.shared.board import News
from steerageway.bus import NANO
from steerageway.web.viewer.log_set import LogSet, Player
from steerageway.web.viewer.marks import Marks
from steerageway.web.viewer.picture import Picture, column_of
from steerageway.web.viewer.tracks import Tracks, affects_trails

MOST_KEPT = 500_000  # limit of messages that are kept until the log is read
RECENT = 100  # messages at the end of a batch, which are not in order, that contain the latest


class Feed:
    """The picture and the trails of a live run.

    Args:
        communities: of the run, in order.
        epoch: UTC of its time zero [s].

    Attributes:
        picture, tracks, marks: the present ones; replaced by other objects when the past is
            joined.
        generation: incremented by each replacement, so that pages are sent the whole picture.
        joined: whether log and mail have been joined.
        since: the instant of the first mail [s].
        began: start of the present case, from which times of mail count [s].
    """

    def __init__(self, communities: Sequence[str], epoch: float, since: float) -> None:
        self.picture = Picture(communities, epoch)
        self.tracks = Tracks()
        self.marks = Marks()
        self.generation = 0
        self.since, self.began = since, 0.0
        self.joined = False
        self._communities = communities
        self._kept: list[News] = []

    def take(self, news: Sequence[News]) -> None:
        """Apply new mail."""
        if not self.joined:
            self._kept += news
            if len(self._kept) > MOST_KEPT:
                self.give_up()
        self._apply(news)

    def give_up(self) -> None:
        """Continue without the past: there is no log, or too much mail is waiting for it."""
        self.joined = True
        self._kept.clear()

    def join(self, logs: LogSet, marks: Marks) -> bool:
        """Rebuild picture and tracks from the logs, followed by the mail that is not in them.

        Args:
            logs: of the run, read as far as they are written.
            marks: of these logs.

        Returns: whether no message is missing between log and mail; if one is, call again when
            the logs are longer.
        """
        time = self.picture.time
        player = Player(logs)
        end = max(logs.span[1], 0.0)
        player.seek(end)
        self.picture = player.picture
        for name in self._communities:
            if name not in self.picture.vessels:
                self.picture.observe(name)
        found = logs.tracks()
        self.tracks, self.marks = Tracks(found, set(logs.communities) & found.keys()), marks
        # A community without a log is not in ``covered``: all of its mail is applied.
        covered = {community: logs.end_of(community) for community in logs.communities}
        self._apply(
            [n for n in self._kept if n.message.time + self.began > covered.get(n.community, -1.0)]
        )
        self.picture.advance(max(end, time))
        self.generation += 1
        self.joined = logs.covered >= self.since
        if self.joined:
            self._kept.clear()
        return self.joined

    def begin_case(self, number: int, began: float, now: float, *, logged: bool) -> None:
        """Discard the drawings of the previous case.

        Args:
            number: of the new case. began: its start [s]. now: when that was noticed [s].
            logged: whether there are logs, from which ``join`` adds what was drawn in between.
        """
        self.picture.clear()
        self.tracks.cut(began)
        self.marks.begin_case(began, number)
        self.began = began
        if logged:
            self.joined, self.since = False, now

    def _apply(self, news: Sequence[News]) -> None:
        picture, tracks = self.picture, self.tracks
        for community, message in news:
            self.marks.take(community, message.name, message.value, message.time + self.began)
            if affects_trails(message.name):
                tracks.take(community, message.name, message.value, message.time + self.began)
        for community, message in drawn(news):
            picture.take(community, message.name, message.value, message.time + self.began)
        if news:
            latest = max(message.instant for _, message in news[-RECENT:]) / NANO
            picture.advance(max(latest + self.began, picture.time))


def drawn(news: Sequence[News]) -> list[News]:
    """Return the messages that no later one replaces: at full speed most drawings are replaced."""
    last: dict[object, News] = {}
    for place in range(len(news) - 1, -1, -1):
        community, message = news[place]
        column = column_of(message.name, message.value)
        if column is not None:
            last.setdefault(place if column.endswith("*") else (community, column), news[place])
    return list(last.values())[::-1]
