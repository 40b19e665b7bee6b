"""A live run as pages see it: one thread talks to the run, all pages share what it knows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from steerageway.apps.consoles.board import EVERY, ONCE, Board, News
from steerageway.apps.consoles.posting import post
from steerageway.apps.consoles.runs import Run
from steerageway.apps.web.viewer.feed import Feed
from steerageway.apps.web.viewer.log_set import LogSet, Value, for_home, open_logs
from steerageway.apps.web.viewer.picture import VARIABLES
from steerageway.apps.web.viewer.teleop import Sticks
from steerageway.apps.web.viewer.tracks import POSITION, RESETS
from steerageway.bus import BusError, ControlError, NoAnswer, any_matches, sleep, wall
from steerageway.bus import Value as BusValue
from steerageway.moos.errors import FormatError
from steerageway.moos.poke import parse_poke

T = TypeVar("T")
NAME = "viewer"
LOOK = 0.05  # wall seconds between looks at the mail; no scene comes sooner
LOOK_AT_MAX = 0.1  # the same when nothing paces the run: each look takes a processor from it
RATE = 0.05  # wall seconds between two positions of a vessel
VALUES_RATE = 0.25  # the same of what is only shown as a number
AT_MAX = 1.0  # simulated seconds between them when nothing paces the run
PATIENCE = 10.0  # wall seconds for an app's report
SAMPLES_KEPT = 20_000  # of a plotted variable, for a page that is slow
# A registration is known by its pattern and its source. These both mean any source, so that what is
# watched, what is plotted and what the picture needs may be one variable, each at its own rate.
WATCHED, PLOTTED = "?*", "*?"
# What is posted at every tick is asked for as often as it can be shown; the rest is changes, or has
# many drawings in one variable, and is asked for whole.
_OFTEN = (
    *(*POSITION, "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH", "NAV_HEAVE", "NAV_ROLL", "NAV_PITCH"),
    *("IVPHELM_STATE", "IVPHELM_ITER", "DESIRED_HEADING", "DESIRED_SPEED", "DESIRED_DEPTH"),
    "NODE_REPORT_LOCAL",
)
_WHOLE = tuple(name for name in (*VARIABLES, *RESETS) if name not in _OFTEN)


@dataclass(slots=True)
class Asked:
    """A question to the run that is answered later."""

    home: str
    number: int
    deadline: float
    future: Future[Any] = field(default_factory=Future)


class LiveRun:
    """A run that goes on, and what is known of it.

    Attributes:
        run: where it is.
        board: of its communities, for the run's own thread only.
        feed: its picture; to be read with ``lock`` held.
        logs: of the run as far as they were read; None without logs, or before they are.
        ended: why it ended, "" while it goes on.
        notes: what a person should know.
        achieved: simulated seconds per wall second of late; None while time stands.
    """

    def __init__(self, run: Run) -> None:
        """Come in.

        Raises:
            NoAnswer, Refused: the run did not let us in.
        """
        self.run = run
        self.lock = threading.Lock()
        self.board = Board(run, NAME, run.communities)
        self.board.on_news = self._heard
        self.logs: LogSet | None = None
        self.ended = ""
        self.notes: list[str] = []
        self.achieved: float | None = None
        self.sticks = Sticks(self.board)
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._asked: list[Asked] = []
        self._samples: dict[str, list[tuple[float, BusValue]]] = {}
        self._sampling: dict[object, set[str]] = {}
        self._watching: dict[object, list[str]] = {}
        self._registered: dict[str, tuple[str, ...]] = {}
        self._interval, self._pace = -1.0, (wall(), 0.0)
        self._closing = False
        status = self.board.status
        self._case = int(status["case"])
        self.feed = Feed(run.communities, float(self.about["epoch"]), 0.0)
        self.feed.began = float(status["time"]) - float(status["case_time"])
        self._listen()
        self.board.sync()
        self.feed.since = float(self.board.status["time"])
        self._thread = threading.Thread(target=self._work, name="bus", daemon=True)

    @property
    def about(self) -> dict[str, Any]:
        """What the run said of itself."""
        return dict(self.board.about)

    @property
    def folder(self) -> Path | None:
        """The folder of its logs, if it is on this machine."""
        named = self.about.get("folder", "")
        return Path(named) if named and Path(named).is_dir() else None

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Leave the run, which goes on."""
        self._closing = True
        if self._thread.is_alive():
            self._thread.join(5.0)

    def call(self, order: Callable[[], T]) -> Future[T]:
        """Have something done by the thread that talks to the run."""
        future: Future[T] = Future()

        def obey() -> None:
            try:
                future.set_result(order())
            except (BusError, ValueError, LookupError) as error:
                future.set_exception(error)

        self._orders.put(obey)
        return future

    def past(self, logs: LogSet) -> bool:
        """Put what the logs hold before what has been heard; say whether nothing is missing."""
        with self.lock:
            self.logs = logs
            return self.feed.join(logs)

    def without_past(self, *, told: bool = True) -> None:
        """Go on without logs; say so, unless the run has only begun and will leave some."""
        with self.lock:
            since = self.feed.since
            self.feed.give_up()
        if told:
            self.notes.append(f"drawings since {since:.1f} s: this run leaves no log here")

    def open_logs(self) -> list[Any]:
        """Begin the indexes of the run's logs; [] where there are none, or none yet."""
        folder = self.folder
        if folder is None:
            return []
        try:
            return open_logs(folder)
        except FormatError:
            return []

    def values(self, patterns: Sequence[str]) -> Iterator[Value]:
        """Give the last message of each wanted variable."""
        wanted = {home: self._mine(home, patterns) for home in self.board.communities}
        found = list(self.board.last.items())  # at once: the run's own thread adds to it
        for (home, name), message in found:
            if wanted[home] and any_matches(wanted[home], name):
                yield Value(home, name, message.value, message.time, message.source, message.aux)

    def watch(self, who: object, patterns: Sequence[str]) -> None:
        """Listen to what somebody watches; nothing for [] (in the run's thread)."""
        self._watching[who] = list(patterns)
        self._listen_to_watched()

    def plot(self, who: object, names: Sequence[str]) -> None:
        """Keep every message of what somebody plots (in the run's thread)."""
        self._sampling[who] = set(names)
        plotted = set().union(*self._sampling.values()) if self._sampling else set()
        for name in sorted(plotted - self._samples.keys()):
            home, variable = self.board.cut(name)
            if home:
                self.board.clients[home].register(variable, source=PLOTTED)
        for name in sorted(self._samples.keys() - plotted):
            home, variable = self.board.cut(name)
            if home:
                self.board.clients[home].unregister(variable, source=PLOTTED)
        with self.lock:
            kept = {name: self._samples.get(name, []) for name in sorted(plotted)}
            self._samples = kept

    def forget(self, who: object) -> None:
        """Listen no more to what somebody watched and plotted (in the run's thread)."""
        self.watch(who, [])
        self.plot(who, [])
        del self._watching[who], self._sampling[who]

    def samples(self, name: str, since: float) -> list[tuple[float, BusValue]]:
        """Give the messages of a plotted variable after a time."""
        with self.lock:
            return [one for one in self._samples.get(name, ()) if one[0] > since]

    def names(self) -> list[tuple[str, str, str, str]]:
        """Ask for all variables: community, name, number or text, source (in the run's thread)."""
        for client in self.board.clients.values():
            client.register(EVERY, interval=ONCE)
        self.board.sync()
        return sorted(
            (home, name, "number" if isinstance(one.value, float) else "text", one.source)
            for (home, name), one in self.board.last.items()
        )

    def post(self, home: str, name: str, text: str) -> str:
        """Post a value as it is typed (in the run's thread).

        Raises:
            PostRefused, ValueRefused, ControlError: the run does not take it; the text says why.
        """
        poke = parse_poke(f"{name}={text}")
        if poke is None or home not in self.board.clients:
            raise ControlError(f"{home}:{name}: expected a community and a variable's name")
        return self.post_value(home, poke.name, poke.value(self.utc))

    def post_value(self, home: str, name: str, value: BusValue) -> str:
        """Post a value (in the run's thread); see ``post``."""
        if home not in self.board.clients:
            raise ControlError(f"{home}: no such community")
        self.board.refused.clear()
        client = self.board.clients[home]
        if (home, name) not in self.board.last:
            client.register(name, interval=ONCE)
            self.board.sync(home)
        return post(self.board, home, name, lambda utc: value)

    @property
    def utc(self) -> float:
        """The run's time as UTC [s]."""
        return float(self.board.status["time"]) + float(self.about["epoch"])

    def appcast(self, home: str, app: str) -> Future[Any]:
        """Ask for an app's report (in the run's thread); answered once the app has its turn."""
        number = self.board.clients[home].request("appcast", app)
        asked = Asked(home, number, wall() + PATIENCE)
        self._asked.append(asked)
        return asked.future

    def _work(self) -> None:
        """Listen and obey until the run ends or the viewer does."""
        try:
            while not self._closing and not self.ended:
                self._obey()
                self.board.poll()
                with self.lock:
                    self._pass_on()
                self._answer()
                self.sticks.look(wall())
                self._listen()
                sleep(LOOK_AT_MAX if self._unpaced else LOOK)
                self.ended = self.board.ended
        except BusError as error:
            self.ended = str(error)
        finally:
            self._obey()
            with suppress(BusError):
                if not self.ended:
                    self.sticks.release_all()
            self.board.close()

    @property
    def _unpaced(self) -> bool:
        """Whether time goes on as fast as it can."""
        status = self.board.status
        return status["warp"] in ("max", inf) and not status["paused"]

    def _obey(self) -> None:
        with suppress(Empty):
            while True:
                self._orders.get_nowait()()

    def _pass_on(self) -> None:
        """Take note of how the run stands."""
        status = self.board.status
        time, now = float(status["time"]), wall()
        if int(status["case"]) != self._case:
            self._case = int(status["case"])
            began = time - float(status["case_time"])
            self.feed.begin_case(began, time, logged=self.logs is not None)
        self.feed.picture.advance(max(time, self.feed.picture.time))
        since, before = self._pace
        if now - since >= 1.0:
            self.achieved = None if status["paused"] else (time - before) / (now - since)
            self._pace = now, time

    def _heard(self, news: list[News]) -> None:
        with self.lock:
            self.feed.take(news)
            for one in news if self._samples else ():
                kept = self._samples.get(f"{one.community}:{one.message.name}")
                if kept is not None:
                    kept.append((one.message.time + self.feed.began, one.message.value))
                    del kept[:-SAMPLES_KEPT]

    def _answer(self) -> None:
        """Pass answers on to whoever asked."""
        for asked in list(self._asked):
            try:
                answer = self.board.clients[asked.home].answer(asked.number)
                if answer is not None:
                    asked.future.set_result(answer)
                elif wall() > asked.deadline:
                    raise NoAnswer("no answer; an app answers at its next turn, when time goes on")
                else:
                    continue
            except BusError as error:
                asked.future.set_exception(error)
            self._asked.remove(asked)

    def _listen(self) -> None:
        """Ask for positions as often as they can be shown, whatever the warp.

        Asking anew brings the present values, too.
        """
        status = self.board.status
        if status["paused"]:
            interval = 0.0  # where time stands, what is shown is what is
        elif self._unpaced:
            interval = max(AT_MAX, RATE * (self.achieved or 0.0))
        else:
            interval = RATE * float(status["warp"])
        before = self._interval
        if before >= 0 and before / 2 <= interval <= before * 2:
            return
        begun, self._interval = before >= 0, interval
        for client in self.board.clients.values():
            client.register(*_OFTEN, interval=interval)
            if not begun:
                client.register(*_WHOLE)
        self._listen_to_watched()

    def _listen_to_watched(self) -> None:
        interval = self._interval * VALUES_RATE / RATE
        for home, client in self.board.clients.items():
            wanted = dict.fromkeys(p for s in self._watching.values() for p in self._mine(home, s))
            before = self._registered.get(home, ())
            gone = [name for name in before if name not in wanted]
            if gone:
                client.unregister(*gone, source=WATCHED)
            if wanted:
                client.register(*wanted, interval=interval, source=WATCHED)
            self._registered[home] = tuple(wanted)

    def _mine(self, home: str, patterns: Sequence[str]) -> list[str]:
        return [name for name in (for_home(text, home) for text in patterns) if name]
