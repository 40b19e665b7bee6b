"""``uPlayback``: posts what a log recorded, at the recorded times, as MOOS's uPlayBack does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.bus import App, Entry, Message, Options, Value, at_line, declare, variables
from steerageway.moos.alog import Entry as Recorded
from steerageway.moos.alog import messages


@dataclass(frozen=True)
class PlaybackOptions(Options):
    """Parameters of the configuration block."""

    file: Entry | None = declare.line("the log, relative to the mission file's folder")
    play: tuple[str, ...] = declare.words("*", "variables to post, or patterns with * and ?")
    ignore_source: tuple[str, ...] = declare.words("", "apps whose messages are not posted")
    start_time: float = declare.number(0, "time of the log at which it begins", unit="s", low=0)


class Playback(App):
    """Posts the messages of a log; each keeps its source as the auxiliary source."""

    publications = (
        variables.number(
            "PLAYBACK_DB_TIME", "how far the log has been posted", unit="s", when="with messages"
        ),
    )
    subscribes = ()
    parameters = PlaybackOptions.parameters()

    def configure(self) -> None:
        """Find the log, and the variables that it has."""
        options = self._options = PlaybackOptions.read(self.config)
        self._next: tuple[Recorded, Value] | None = None
        self._messages: Iterator[tuple[Recorded, Value]] = iter(())
        self._count = 0
        if options.file is None:
            self.config_warning("file is not set: nothing is posted")
            return
        path = self.setting.folder / options.file.value
        with at_line(options.file):
            names = dict.fromkeys(entry.name for entry, _ in self._selected(path))
        self.publishes = (*self.publishes, *names)
        self._messages = self._selected(path)

    def _selected(self, path: Path) -> Iterator[tuple[Recorded, Value]]:
        options = self._options
        return messages(path, options.play, without=options.ignore_source)

    def on_start(self) -> None:
        """Go to the start time; the log goes on from the first iteration."""
        self._begin = self.time - self._options.start_time
        self._advance()
        while self._next is not None and self._next[0].time < self._options.start_time:
            self._advance()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take no mail."""

    def iterate(self) -> None:
        """Post the messages up to now."""
        now, count = self.time - self._begin, self._count
        while self._next is not None and self._next[0].time <= now:
            entry, value = self._next
            self.post(entry.name, value, aux=entry.source)
            self._count += 1
            self._advance()
        if self._count > count:
            self.post("PLAYBACK_DB_TIME", now)

    def _advance(self) -> None:
        self._next = next(self._messages, None)

    def report(self) -> Iterable[str]:
        """Return the number of posted messages, and the time of the next one."""
        following = "the end" if self._next is None else f"next at {self._next[0].time:g} s"
        yield f"posted: {self._count}, {following}"
