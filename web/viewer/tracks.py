"""Trails of vessels, thinned while they are made by dead reckoning from the last point.

A position is kept if it is off the one predicted from course and speed at the last kept point. This
depends on earlier positions only, so the trail of a log, cut at an instant, equals the trail of the
live run at that instant.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from math import hypot, nan
from types import MappingProxyType

from steerageway.declarations import finite
from steerageway.moos.node_report import NodeReportError
from steerageway.moos.node_report import parse as parse_node_report

OFF = 0.2  # tolerance of the predicted position [m]
OLD = 10.0  # time after which a position is kept in any case [s]
DIGITS = 5  # decimals of a log: live positions are rounded, to be thinned as logged ones
RESETS = ("TRAIL_RESET",)
POSITION = ("NAV_X", "NAV_Y")
# The beginning of nearly all node reports, which is read fast.
REPORT = re.compile(r"NAME=([\w.-]+),X=(-?\d+(?:\.\d+)?),Y=(-?\d+(?:\.\d+)?),", re.ASCII)


class Track:
    """The trail of a vessel.

    Attributes:
        times: of its points [s]; x, y: east and north [m]. NaN in x: the trail is interrupted.
    """

    __slots__ = ("_before", "_velocity", "times", "x", "y")

    def __init__(self) -> None:
        self.times, self.x, self.y = array("d"), array("f"), array("f")
        self._before: tuple[float, float, float] | None = None
        self._velocity = (0.0, 0.0)

    def __len__(self) -> int:
        return len(self.times)

    def add(self, time: float, x: float, y: float) -> None:
        """Add a position, if it is off the predicted one."""
        before, self._before = self._before, (time, x, y)
        if before is None:
            self._keep(time, x, y, (0.0, 0.0))
            return
        since = time - self.times[-1]
        east, north = self._velocity
        # distance from the position predicted with the velocity at the last kept point
        off = hypot(x - self.x[-1] - east * since, y - self.y[-1] - north * since)
        if off > OFF or since >= OLD:
            span = time - before[0]
            velocity = ((x - before[1]) / span, (y - before[2]) / span) if span > 0 else (0.0, 0.0)
            self._keep(time, x, y, velocity)

    def cut(self, time: float) -> None:
        """Interrupt the trail."""
        if self._before is not None:
            self._before = None
            self.times.append(time)
            self.x.append(nan)
            self.y.append(nan)

    def until(self, time: float) -> int:
        """Return the number of points that are no later than a time."""
        return bisect_right(self.times, time)

    def shifted(self, by: float) -> Track:
        """Return a copy with times shifted by ``by`` [s], which can be continued."""
        other = Track()
        other.times = array("d", (round(time + by, 6) for time in self.times))
        other.x, other.y = self.x[:], self.y[:]
        if self._before is not None:
            time, x, y = self._before
            other._before = (time + by, x, y)
        other._velocity = self._velocity
        return other

    def _keep(self, time: float, x: float, y: float, velocity: tuple[float, float]) -> None:
        self.times.append(time)
        self.x.append(x)
        self.y.append(y)
        self._velocity = velocity


class Tracks:
    """The trails of all vessels, from positions of their communities or from node reports.

    Attributes:
        of: vessel -> its trail.
        own: communities whose own positions have arrived; reports about them are ignored.
    """

    def __init__(
        self, of: Mapping[str, Track] = MappingProxyType({}), own: Iterable[str] = ()
    ) -> None:
        """Continue these trails."""
        self.of, self.own = dict(of), set(own)
        self._going = dict(of)  # those with positions since all were interrupted
        self._half: dict[str, tuple[str, float, float]] = {}

    def take(self, community: str, name: str, value: object, time: float) -> None:
        """Apply a message of a variable for which ``affects_trails`` is true."""
        if name in POSITION:
            number = finite(value) if isinstance(value, str) else value
            if isinstance(number, float):
                self._take_half(community, name, number, time)
        elif name == "NODE_REPORT" and isinstance(value, str):
            self._take_report(value, time)
        elif name in RESETS:
            self._interrupt(time)

    def cut(self, time: float) -> None:
        """Interrupt all trails at a new case."""
        self._half.clear()
        self._interrupt(time)

    def _interrupt(self, time: float) -> None:
        for track in self._going.values():
            track.cut(time)
        self._going.clear()

    def _take_half(self, community: str, name: str, value: float, time: float) -> None:
        """Take x or y; the other of the two, in either order, completes the position."""
        half = self._half.pop(community, None)
        if half is None or half[0] == name:
            self._half[community] = (name, value, time)
            return
        x, y = (half[1], value) if name == "NAV_Y" else (value, half[1])
        self.own.add(community)
        self._track(community).add(time, round(x, DIGITS), round(y, DIGITS))

    def _take_report(self, text: str, time: float) -> None:
        found = REPORT.match(text)
        if found is not None:
            self.take_reported(found[1], float(found[2]), float(found[3]), time)
            return
        try:
            record = parse_node_report(text)
        except NodeReportError:
            return  # reported in the picture's troubles
        if record.x is not None and record.y is not None:
            self.take_reported(record.name, record.x, record.y, time)

    def take_reported(self, name: str, x: float, y: float, time: float) -> None:
        """Take a position from a node report; those of observed communities are ignored."""
        if name not in self.own:
            track = self._track(name)
            if not track.times or time > track.times[-1]:
                track.add(time, x, y)

    def _track(self, name: str) -> Track:
        track = self._going[name] = self.of.setdefault(name, Track())
        return track


def affects_trails(name: str) -> bool:
    """Whether a variable has an effect on trails."""
    return name in POSITION or name == "NODE_REPORT" or name in RESETS
