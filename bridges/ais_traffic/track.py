"""The track of one station: positions between its reports, and gaps where there are none."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot
from typing import NamedTuple

from steerageway.bridges.ais_traffic.recording import Report
from steerageway.bridges.nmea.ais import Station

FASTEST = 50.0  # m/s; a position that needs more is wrong
MOST_WRONG = 3  # in a row; then the ones before were wrong
SLOW = 0.5  # m/s, below which a course means nothing
TURNED = 45.0  # deg between a reported course and the way made


class Fix(NamedTuple):
    """A report: UTC [s], position from the datum [m], what was reported."""

    time: float
    x: float
    y: float
    station: Station


class Present(NamedTuple):
    """Where a station is: x, y [m], speed [m/s], course and heading [deg], its last report."""

    x: float
    y: float
    speed: float
    course: float | None
    heading: float | None
    station: Station


@dataclass(frozen=True, slots=True)
class Track:
    """Reports in the order of time.

    Attributes:
        fixes: at least one.
        gap: between two reports further apart the place is unknown [s].
    """

    fixes: Sequence[Fix]
    gap: float

    def at(self, time: float) -> Present | None:
        """Return where the station is at a time [UTC s]; None in a gap, and outside the recording.

        Between two reports it moves on a straight line at constant speed.
        """
        place = bisect_right(self.fixes, time, key=lambda fix: fix.time)
        if place == 0:
            return None
        before = self.fixes[place - 1]
        after = self.fixes[place] if place < len(self.fixes) else before
        if after.time - before.time > self.gap or way(before, after)[1] > FASTEST:
            after = before
        return None if after is before and time > before.time else _between(before, after, time)


def _between(before: Fix, after: Fix, time: float) -> Present:
    station = before.station
    span = after.time - before.time
    if span <= 0:
        here = station.speed or 0.0, station.course, station.heading
        return Present(before.x, before.y, *here, station)
    course, speed = way(before, after)
    share = (time - before.time) / span
    x, y = before.x + share * (after.x - before.x), before.y + share * (after.y - before.y)
    course = station.course if course is None else course
    return Present(x, y, speed, course, station.heading, station)


def way(before: Fix, after: Fix) -> tuple[float | None, float]:
    """Return course [deg] and speed [m/s] from one report to the next; no course at rest."""
    span = after.time - before.time
    if span <= 0:
        return None, 0.0
    east, north = after.x - before.x, after.y - before.y
    speed = hypot(east, north) / span
    return (degrees(atan2(east, north)) % 360.0 if speed >= SLOW else None), speed


def cleaned(
    reports: Sequence[Report],
    to_local: Callable[[float, float], tuple[float, float]],
    gap: float,
    found: Counter[str],
) -> Track:
    """Return the track of some reports, in the order of time.

    Args:
        reports: of one station.
        to_local: converts latitude, longitude to x, y [m].
        gap: see ``Track``.
        found: counts what was left out, and what is doubtful.
    """
    fixes: list[Fix] = []
    wrong = 0
    for time, station in reports:
        fix = Fix(time, *to_local(station.lat or 0.0, station.lon or 0.0), station)
        if fixes and time <= fixes[-1].time:
            found["reports of the same time as another"] += 1
            continue
        if fixes and way(fixes[-1], fix)[1] > FASTEST and wrong < MOST_WRONG:
            found[f"positions that would need more than {FASTEST:g} m/s"] += 1
            wrong += 1
            continue
        wrong = 0
        if fixes:
            _compare(fixes[-1], fix, gap, found)
        fixes.append(fix)
    return Track(fixes, gap)


def _compare(before: Fix, after: Fix, gap: float, found: Counter[str]) -> None:
    if after.time - before.time > gap:
        found[f"gaps of more than {gap:g} s"] += 1
        return
    course, _ = way(before, after)
    reported = before.station.course
    if course is not None and reported is not None:
        turned = abs((reported - course + 180.0) % 360.0 - 180.0)
        if turned > TURNED:
            found["courses that the next position contradicts, and replaces"] += 1
