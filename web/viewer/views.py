"""A page's view of a source: of a live run at its time, of logs at the page's own time."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from steerageway.web.viewer.log_set import LogSet, Player, Value
from steerageway.web.viewer.picture import Picture
from steerageway.web.viewer.sources import Live, Replay, Source
from steerageway.web.viewer.tracks import Track

LIVE_VERBS = (
    *("pause", "resume", "stop", "step", "run_until", "warp", "case"),
    *("post", "press", "click", "order", "drive", "release"),
)
REPLAY_VERBS = ("seek", "play", "step")
BOTH = (
    *("watch", "names", "plot", "history", "helm_history", "ipf", "compare", "beside", "watch3d"),
    *("latlon", "appcast"),
)
KEEPING = ("note", "unnote")  # these write a file
STATE = "USM_STATE"
AT_FIRST = 10.0  # vessels with a position this soon are present from the beginning [s]
_THRUSTER, _AZIMUTH = "th_", "az_"  # prefixes of a thruster's revolutions and azimuth angle
_AFTER = "r_dot"  # the field of USM_STATE after which the actuators follow


class View:
    """One page's view.

    Attributes:
        source: the source.
        picture: the present one.
        generation: changes when ``picture`` is replaced by another object.
        speed: rate of the view's own time [s per wall s]; 0 if it is paused, or has none.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    picture: Picture
    generation = 0
    speed = 0.0

    def reading(self) -> AbstractContextManager[object]:
        """Return the lock to be held while the picture is read."""
        return nullcontext()

    def tracks(self) -> Mapping[str, Track]:
        """Return the trails of all vessels by name."""
        raise NotImplementedError

    def status(self) -> dict[str, Any]:
        """Return the status frame's fields: time, warp, paused, ended ..."""
        raise NotImplementedError

    def values(self, patterns: Sequence[str]) -> Iterator[Value]:
        """Yield the last message of each variable that matches a pattern."""
        raise NotImplementedError

    def verbs(self) -> list[str]:
        """Return the requests that are allowed."""
        raise NotImplementedError

    def advance(self, wall_seconds: float) -> None:
        """Advance the view's own time by a wall time."""

    def sampled(self, names: Iterable[str], since: Mapping[str, float]) -> list[dict[str, Any]]:
        """Return the messages of plotted variables after a time each."""
        return []

    def actuators(self) -> dict[str, list[float]]:
        """Return community -> states of its vessel's actuators, in the order of its files."""
        found = {}
        for value in self.values([STATE]):
            if isinstance(value.value, str):
                found[value.community] = actuators_in(value.value)
        return found

    async def close(self) -> None:
        """Release the view's subscriptions."""


class LiveView(View):
    """View of a live run."""

    def __init__(self, source: Live, read_only: bool) -> None:
        super().__init__(source)
        self.live = source.live
        self._read_only = read_only

    @property
    def picture(self) -> Picture:  # type: ignore[override]
        return self.live.feed.picture

    @property
    def generation(self) -> int:  # type: ignore[override]
        return self.live.feed.generation

    def reading(self) -> AbstractContextManager[object]:
        return self.live.lock

    def tracks(self) -> Mapping[str, Track]:
        return self.live.feed.tracks.of

    def status(self) -> dict[str, Any]:
        live, board = self.live, self.live.board
        status = board.status
        time = max(float(status["time"]), self.picture.time)
        return {
            "time": time,
            "case": status["case"],
            "case_time": round(time - status["time"] + status["case_time"], 6),
            "warp": status["warp"],
            "achieved": live.achieved,
            "paused": bool(status["paused"]),
            "until": status["until"],
            "ended": live.ended,
            "silent": board.silent and not live.ended,
            "thinned": board.thinned,
            "playing": not status["paused"] and not live.ended,
            "speed": None,
            "span": [0.0, None],
        }

    def values(self, patterns: Sequence[str]) -> Iterator[Value]:
        return self.live.values(patterns)

    def verbs(self) -> list[str]:
        return [*BOTH, *(() if self._read_only else (*LIVE_VERBS, *KEEPING))]

    def sampled(self, names: Iterable[str], since: Mapping[str, float]) -> list[dict[str, Any]]:
        series = []
        for name in names:
            new = self.live.samples(name, since.get(name, -1.0))
            if new:
                times, values = zip(*new, strict=True)
                series.append({"var": name, "t": list(times), "v": list(map(plain, values))})
        return series

    async def close(self) -> None:
        self.live.call(lambda: self.live.unsubscribe(self))


class ReplayView(View):
    """View of logs at the page's own time.

    Attributes:
        time: of the page [s].
        speed: simulated seconds per wall second; 0: paused.
        first, last: the logs' span [s].
    """

    def __init__(self, source: Replay, logs: LogSet, read_only: bool = False) -> None:
        super().__init__(source)
        self._read_only = read_only
        self._logs = logs
        self._player = Player(logs)
        self._tracks = logs.tracks()
        self.first, self.last = logs.span
        self.time, self.speed = self.first, 0.0
        self.generation = 0
        self._lock = threading.RLock()
        self.seek(self._opening())

    def _opening(self) -> float:
        """Return the time at which all initial vessels have a position: at first none has."""
        begun = [track.times[0] for track in self._tracks.values() if track.times]
        return max((one for one in begun if one < self.first + AT_FIRST), default=self.first)

    @property
    def picture(self) -> Picture:  # type: ignore[override]
        return self._player.picture

    def reading(self) -> AbstractContextManager[object]:
        return self._lock

    def tracks(self) -> Mapping[str, Track]:
        return self._tracks

    def seek(self, time: float) -> None:
        """Go to a time [s], limited to the logs' span."""
        with self._lock:
            self.time = min(max(time, self.first), self.last)
            before = self._player.picture
            self._player.seek(self.time)
            self.generation += self._player.picture is not before

    def play(self, speed: float) -> None:
        """Start playing, backwards if the speed is negative; from the end it restarts."""
        if speed > 0 and self.time >= self.last:
            self.seek(self.first)
        self.speed = speed

    def advance(self, wall_seconds: float) -> None:
        if self.speed:
            self.seek(self.time + self.speed * wall_seconds)
            if not self.first < self.time < self.last:
                self.speed = 0.0

    def step(self, unit: str, count: int) -> None:
        """Step by seconds or by iterations of the helms; back if the count is negative."""
        self.speed = 0.0
        if unit == "helm":
            self.seek(self._iteration(count))
        else:
            self.seek(self.time + count)

    def _iteration(self, count: int) -> float:
        """Return the time of the helm iteration that is ``count`` iterations from here."""
        low, high = (self.time, self.last) if count > 0 else (self.first, self.time)
        near = (high, low)[count > 0] + (30.0 + abs(count)) * (1 if count > 0 else -1)
        low, high = (low, min(high, near)) if count > 0 else (max(low, near), high)
        times = sorted(
            {
                entry.time
                for community in self._logs.communities
                for entry in self._logs.history(community, "IVPHELM_ITER", low, high)
                if entry.time != self.time
            }
        )
        beyond = [time for time in times if (time > self.time) == (count > 0)]
        if not beyond:
            return self.last if count > 0 else self.first
        index = min(abs(count), len(beyond)) - 1
        return beyond[index] if count > 0 else beyond[-1 - index]

    def status(self) -> dict[str, Any]:
        return {
            "time": self.time,
            "case": 0,
            "case_time": self.time,
            "warp": self.speed,
            "achieved": None,
            "paused": not self.speed,
            "until": None,
            "ended": "",
            "silent": False,
            "thinned": 0,
            "playing": bool(self.speed),
            "speed": self.speed,
            "span": [self.first, self.last],
        }

    def values(self, patterns: Sequence[str]) -> Iterator[Value]:
        return self._logs.values(self.time, patterns)

    def verbs(self) -> list[str]:
        return [*REPLAY_VERBS, *BOTH, *(() if self._read_only else KEEPING)]


def plain(value: object) -> object:
    """Return a value in a form that JSON supports: of bytes their number."""
    return {"bytes": len(value)} if isinstance(value, bytes) else value


def actuators_in(state: str) -> list[float]:
    """Read the states of actuators at the end of a ``USM_STATE``.

    Returns: values in the order of the vessel's files, an azimuth after its thruster's revolutions.
    """
    _, found, rest = state.partition(f",{_AFTER}=")
    fields = (field.partition("=") for field in rest.split(",")[1:]) if found else ()
    states = {name: float(value) for name, _, value in fields}
    values = []
    for name, value in states.items():
        azimuth = f"{_AZIMUTH}{name.removeprefix(_THRUSTER)}"
        if not name.startswith(_AZIMUTH):
            values.append(value)
        if name.startswith(_THRUSTER) and azimuth in states:
            values.append(states[azimuth])
    return values
