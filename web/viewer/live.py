"""Connection of the viewer to a live run: a bus thread whose picture and values all pages share."""

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

from steerageway.apps.shared.board import EVERY, ONCE, Board, News
from steerageway.apps.shared.posting import post
from steerageway.apps.shared.runs import Run
from steerageway.bus import BusError, ControlError, NoAnswer, WireError, any_matches, sleep, wall
from steerageway.bus import Value as BusValue
from steerageway.moos.errors import FormatError
from steerageway.moos.poke import parse_poke
from steerageway.web.viewer.feed import Feed
from steerageway.web.viewer.log_set import LogSet, Value, names_for, open_logs
from steerageway.web.viewer.marks import VARIABLES as OF_MARKS
from steerageway.web.viewer.marks import Inputs, Mark, Marks
from steerageway.web.viewer.picture import VARIABLES
from steerageway.web.viewer.teleop import Joysticks
from steerageway.web.viewer.tracks import POSITION, RESETS

T = TypeVar("T")
NAME = "viewer"
POLL = 0.05  # polling interval of mail [wall s]; the minimum interval of scenes
POLL_AT_MAX = 0.1  # the same at warp max, where each poll takes processor time from the run
RATE = 0.05  # interval of a vessel's positions [wall s]
VALUES_RATE = 0.25  # interval of variables that are only shown as numbers [wall s]
AT_MAX = 1.0  # least interval of positions at warp max [s]
REPORT_TIMEOUT = 10.0  # timeout of an app's report [wall s]
# A broker takes 64 patterns and names from one source of a client, here of all pages together.
MOST_WATCHED, MOST_PLOTTED = 24, 32
MOST_NOTES, MOST_OWN_MARKS = 20, 2000
SAMPLES_KEPT = 20_000  # messages of a plotted variable that are kept for slow pages

# A registration is identified by its pattern and its source. Both of these match any source, so
# that one variable can be registered for picture, watching and plotting at different rates.
WATCHED, PLOTTED = "?*", "*?"

# Variables that are posted at every tick are registered with the interval at which they are shown.
# The others are posted on change, or have many drawings in one variable: every message is needed.
_OFTEN = (
    *(*POSITION, "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH", "NAV_HEAVE", "NAV_ROLL", "NAV_PITCH"),
    *("IVPHELM_STATE", "IVPHELM_ITER", "DESIRED_HEADING", "DESIRED_SPEED", "DESIRED_DEPTH"),
    "NODE_REPORT_LOCAL",
)
_WHOLE = tuple(name for name in (*VARIABLES, *OF_MARKS, *RESETS) if name not in _OFTEN)


@dataclass(slots=True)
class PendingRequest:
    """A report request whose reply has not arrived yet."""

    community: str
    number: int
    deadline: float
    future: Future[Any] = field(default_factory=Future)


class LiveRun:
    """A running mission, its picture and its values.

    Attributes:
        run: its address.
        board: of its communities; only the bus thread may use its clients.
        feed: its picture; to be read with ``lock`` held.
        logs: of the run as far as they were read; None if there are none, or not yet.
        ended: why it ended; "" while it is running.
        notes: messages for the user.
        achieved: the recent warp, simulated seconds per wall second; None while paused.
    """

    def __init__(self, run: Run) -> None:
        """Connect to the run.

        Raises:
            NoAnswer, Refused: the run did not accept the connection.
        """
        self.run = run
        self.lock = threading.Lock()
        self.board = Board(run, NAME, run.communities)
        self.board.on_news = self._on_news
        self.logs: LogSet | None = None
        self.ended = ""
        self.notes: list[str] = []
        self.achieved: float | None = None
        self.joysticks = Joysticks(self.board)
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._pending: list[PendingRequest] = []
        self._own_marks: list[Mark] = []
        self._paced: tuple[bool, object] | None = None
        self.inputs: Inputs | None = None
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
        self._register()
        self.board.sync()
        self.feed.since = float(self.board.status["time"])
        self._thread = threading.Thread(target=self._work, name="bus", daemon=True)

    @property
    def about(self) -> dict[str, Any]:
        """The run's description from its welcome message."""
        return dict(self.board.about)

    @property
    def folder(self) -> Path | None:
        """The folder of its logs, if it is on this machine."""
        named = self.about.get("folder", "")
        return Path(named) if named and Path(named).is_dir() else None

    def start(self) -> None:
        """Start the bus thread."""
        self._thread.start()

    def close(self) -> None:
        """Disconnect from the run, which continues."""
        self._closing = True
        if self._thread.is_alive():
            self._thread.join(5.0)

    def call(self, order: Callable[[], T]) -> Future[T]:
        """Have a function called by the bus thread; its result or error goes to the future."""
        future: Future[T] = Future()

        def execute() -> None:
            try:
                future.set_result(order())
            except Exception as error:  # the caller's, and no end of the bus thread
                future.set_exception(error)

        self._orders.put(execute)
        return future

    def join_logs(self, logs: LogSet, marks: Marks) -> bool:
        """Join the logs and their marks with the mail; return whether no message is missing."""
        with self.lock:
            self.logs = logs
            joined = self.feed.join(logs, marks)
            for mark in self._own_marks:
                self.feed.marks.add(*mark)
        return joined

    def mark(self, kind: str, text: str, community: str = "") -> None:
        """Add a mark that is not made from mail, at the present time."""
        self._add_marks([Mark(self.feed.picture.time, community, kind, text)])

    def _add_marks(self, marks: Sequence[Mark]) -> None:
        with self.lock:
            for mark in marks:
                self.feed.marks.add(*mark)
            self._own_marks += marks
            del self._own_marks[:-MOST_OWN_MARKS]

    def continue_without_logs(self, *, note: bool = True) -> None:
        """Continue without logs; with ``note``, add a note that earlier drawings are missing."""
        with self.lock:
            since = self.feed.since
            self.feed.give_up()
        if note:
            self.notes.append(f"drawings since {since:.1f} s: this run leaves no log here")

    def open_logs(self) -> list[Any]:
        """Return new indexes of the run's logs; [] if there are none, or not yet."""
        folder = self.folder
        if folder is None:
            return []
        try:
            return open_logs(folder)
        except FormatError:
            return []

    def values(self, patterns: Sequence[str]) -> Iterator[Value]:
        """Yield the last message of each variable that matches a pattern."""
        wanted = {
            community: self._names_in(community, patterns) for community in self.board.communities
        }
        found = list(self.board.last.items())  # a copy: the bus thread adds to it
        for (community, name), message in found:
            if wanted[community] and any_matches(wanted[community], name):
                yield Value(
                    community, name, message.value, message.time, message.source, message.aux
                )

    def watch(self, page: object, patterns: Sequence[str]) -> None:
        """Subscribe to the variables that a page watches; [] for none (bus thread only)."""
        self._watching[page] = list(patterns)
        self._register_watched()

    def plot(self, page: object, names: Sequence[str]) -> None:
        """Subscribe to every message of the variables that a page plots (bus thread only)."""
        self._sampling[page] = set(names)
        plotted = set().union(*self._sampling.values()) if self._sampling else set()
        if len(plotted) > MOST_PLOTTED:
            self._sampling[page] = set()
            raise ValueError(
                f"expected at most {MOST_PLOTTED} plotted variables, of all pages together"
            )
        for name in sorted(self._samples.keys() - plotted):
            community, variable = self.board.cut(name)
            if community:
                self.board.clients[community].unregister(variable, source=PLOTTED)
        for name in sorted(plotted - self._samples.keys()):
            community, variable = self.board.cut(name)
            if community:
                self.board.clients[community].register(variable, source=PLOTTED)
        with self.lock:
            kept = {name: self._samples.get(name, []) for name in sorted(plotted)}
            self._samples = kept

    def unsubscribe(self, page: object) -> None:
        """Remove the subscriptions of a page that has closed (bus thread only)."""
        self.watch(page, [])
        self.plot(page, [])
        del self._watching[page], self._sampling[page]

    def samples(self, name: str, since: float) -> list[tuple[float, BusValue]]:
        """Return the messages of a plotted variable after a time."""
        with self.lock:
            return [one for one in self._samples.get(name, ()) if one[0] > since]

    def names(self) -> list[tuple[str, str, str, str]]:
        """Return community, name, number or text, source of all variables (bus thread only)."""
        for client in self.board.clients.values():
            client.register(EVERY, interval=ONCE)
        self.board.sync()
        return sorted(
            (community, name, "number" if isinstance(one.value, float) else "text", one.source)
            for (community, name), one in self.board.last.items()
        )

    def post(self, community: str, name: str, text: str) -> str:
        """Post a value given as text, typed as uPokeDB types it (bus thread only).

        Raises:
            PostRefused, ValueRefused, ControlError: the post was rejected; the text says why.
        """
        poke = parse_poke(f"{name}={text}")
        if poke is None or community not in self.board.clients:
            raise ControlError(f"{community}:{name}: expected a community and a variable's name")
        return self.post_value(community, poke.name, poke.value(self.utc))

    def post_value(self, community: str, name: str, value: BusValue) -> str:
        """Post a value (bus thread only); see ``post``."""
        if community not in self.board.clients:
            raise ControlError(f"{community}: no such community")
        self.board.refused.clear()
        client = self.board.clients[community]
        new = (community, name) not in self.board.last and name not in (*_OFTEN, *_WHOLE)
        if new:
            client.register(name, interval=ONCE)
            self.board.sync(community)
        try:
            return post(self.board, community, name, lambda utc: value)
        except BusError as error:
            self.mark("refused", f"{name}: {error}", community)
            raise
        finally:
            if new:  # a client may have a limited number of registrations
                client.unregister(name)

    @property
    def utc(self) -> float:
        """The run's time as UTC [s]."""
        return float(self.board.status["time"]) + float(self.about["epoch"])

    def appcast(self, community: str, app: str) -> Future[Any]:
        """Request an app's report (bus thread only), which is sent at its next activation."""
        number = self.board.clients[community].request("appcast", app)
        pending = PendingRequest(community, number, wall() + REPORT_TIMEOUT)
        self._pending.append(pending)
        return pending.future

    def _work(self) -> None:
        """Poll mail and execute orders until the run ends or the viewer closes."""
        try:
            while not self._closing and not self.ended:
                try:
                    self._step()
                except WireError as error:  # of one frame; the connection goes on
                    self.notes.append(str(error))
                    del self.notes[:-MOST_NOTES]
                sleep(POLL_AT_MAX if self._unpaced else POLL)
                self.ended = self.board.ended
        except BusError as error:
            self.ended = str(error)
        finally:
            self._execute_orders()
            with suppress(BusError):
                if not self.ended:
                    self.joysticks.release_all()
            self.board.close()

    def _step(self) -> None:
        self._execute_orders()
        self.board.poll()
        with self.lock:
            self._update_status()
        self._mark_pacing()
        self._complete_requests()
        self.joysticks.look(wall())
        self._register()

    @property
    def _pacing(self) -> tuple[bool, object]:
        return bool(self.board.status["paused"]), self.board.status["warp"]

    def _mark_pacing(self) -> None:
        """Mark pauses and changes of the warp, and posts from outside."""
        paused, warp = self._pacing
        if self._paced is not None and paused != self._paced[0]:
            self.mark("time", "paused" if paused else "resumed")
        if self._paced is not None and warp != self._paced[1]:
            self.mark("time", f"warp {warp}" if isinstance(warp, str) else f"warp {warp:g}")
        self._paced = paused, warp
        if self.inputs is not None and (found := self.inputs.read_on()):
            self._add_marks(found)

    @property
    def _unpaced(self) -> bool:
        """Whether the run is at warp max."""
        status = self.board.status
        return status["warp"] in ("max", inf) and not status["paused"]

    def _execute_orders(self) -> None:
        with suppress(Empty):
            while True:
                self._orders.get_nowait()()

    def _update_status(self) -> None:
        """Update the feed from the run's status: time, case, achieved warp."""
        status = self.board.status
        time, now = float(status["time"]), wall()
        if int(status["case"]) != self._case:
            self._case = int(status["case"])
            self.board.last.clear()
            self._interval = -1.0  # registering again delivers the new case's values
            began = time - float(status["case_time"])
            self.feed.begin_case(self._case, began, time, logged=self.logs is not None)
        self.feed.picture.advance(max(time, self.feed.picture.time))
        since, before = self._pace
        if now - since >= 1.0:
            self.achieved = None if status["paused"] else (time - before) / (now - since)
            self._pace = now, time

    def _on_news(self, news: list[News]) -> None:
        with self.lock:
            self.feed.take(news)
            for one in news if self._samples else ():
                kept = self._samples.get(f"{one.community}:{one.message.name}")
                if kept is not None:
                    kept.append((one.message.time + self.feed.began, one.message.value))
                    del kept[:-SAMPLES_KEPT]

    def _complete_requests(self) -> None:
        """Complete the requests whose reply has arrived or timed out."""
        for pending in list(self._pending):
            try:
                answer = self.board.clients[pending.community].answer(pending.number)
                if answer is not None:
                    pending.future.set_result(answer)
                elif wall() > pending.deadline:
                    raise NoAnswer(
                        "no answer; an app answers at its next iteration, not while paused"
                    )
                else:
                    continue
            except BusError as error:
                pending.future.set_exception(error)
            self._pending.remove(pending)

    def _register(self) -> None:
        """Register for positions with an interval that is constant in wall time at any warp.

        Registering again also delivers the present values, so it is done only when the interval
        has changed by more than a factor of two.
        """
        status = self.board.status
        if status["paused"]:
            interval = 0.0  # while paused, the values shown are to be the latest
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
        self._register_watched()

    def _register_watched(self) -> None:
        interval = self._interval * VALUES_RATE / RATE
        for community, client in self.board.clients.items():
            wanted = dict.fromkeys(
                p for s in self._watching.values() for p in self._names_in(community, s)
            )
            if len(wanted) > MOST_WATCHED:
                wanted = {EVERY: None}
            before = self._registered.get(community, ())
            gone = [name for name in before if name not in wanted]
            if gone:
                client.unregister(*gone, source=WATCHED)
            if wanted:
                client.register(*wanted, interval=interval, source=WATCHED)
            self._registered[community] = tuple(wanted)

    def _names_in(self, community: str, patterns: Sequence[str]) -> list[str]:
        return [name for name in (names_for(text, community) for text in patterns) if name]
