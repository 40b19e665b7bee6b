"""Following a list of points: which one is next, and when it has been reached."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from steerageway.apps.helm.geometry import distance, is_past
from steerageway.moos.seglist import Point


class Progress(Enum):
    """What came of looking whether the next point has been reached."""

    EMPTY = "empty"  # there are no points
    TRANSIT = "transit"  # not yet
    ADVANCED = "advanced"  # reached; there is another one
    CYCLED = "cycled"  # reached the last one; the list begins again
    COMPLETED = "completed"  # reached the last one, for the last time


class Arrival(NamedTuple):
    """When a point counts as reached, and what comes after the last one.

    Attributes:
        capture: nearer than this [m].
        slip: moving away again after having been as near as this [m].
        line: level with the point, seen from the one before.
        perpetual: the list may begin again.
        repeats: how often it does; None: forever.
    """

    capture: float = 3.0
    slip: float = 15.0
    line: bool = False
    perpetual: bool = False
    repeats: int | None = 0


class Route:
    """A list of points and how far along it one is.

    Attributes:
        points: in the order they are visited.
        index: of the next point.
        cycles: how often the end was reached.
        previous: where the leg to the next point began; None before the first run.
        captures: points reached within the capture radius; hits: all points reached.
    """

    def __init__(self) -> None:
        self.points: tuple[Point, ...] = ()
        self.index = 0
        self.cycles = 0
        self.previous: Point | None = None
        self.captures = 0
        self.hits = 0
        self.reverse = False
        self._given: tuple[Point, ...] = ()
        self._repeated = 0
        self._nearest: float | None = None

    @property
    def next(self) -> Point:
        """The next point."""
        return self.points[self.index]

    @property
    def last(self) -> Point:
        """The last point."""
        return self.points[-1]

    def set_points(self, points: tuple[Point, ...]) -> None:
        """Begin with new points."""
        self._given = points
        self.cycles = 0
        self.previous = None
        self._arrange()

    def replace_points(self, points: tuple[Point, ...]) -> None:
        """Take as many other points in place of these, and stay at the same one."""
        index = self.index
        self._given = points
        self._arrange()
        self.index = index

    def set_reverse(self, reverse: bool) -> None:
        """Visit the points backwards, or forwards again; a change begins with the first."""
        if reverse != self.reverse:
            self.reverse = reverse
            self._arrange()

    def set_index(self, index: int) -> None:
        """Go to a point."""
        self.index = index
        self._nearest = None

    def forget_nearest(self) -> None:
        """Forget how near the next point has been."""
        self._nearest = None

    def restart(self) -> None:
        """Begin a new traversal."""
        self.index = 0
        self.previous = None
        self._repeated = 0
        self._nearest = None

    def advance(self, here: Point, arrival: Arrival) -> Progress:
        """Look whether the next point has been reached, and go on to the one after it."""
        if not self.points:
            return Progress.EMPTY
        if not self._is_reached(here, arrival):
            return Progress.TRANSIT
        self.hits += 1
        self.previous = self.next
        self._nearest = None
        self.index += 1
        if self.index < len(self.points):
            self._nearest = distance(here, self.next)
            return Progress.ADVANCED
        self.index = 0
        self.cycles += 1
        if not arrival.perpetual:
            return Progress.COMPLETED
        self._repeated += 1
        if arrival.repeats is not None and self._repeated > arrival.repeats:
            return Progress.COMPLETED
        return Progress.CYCLED

    def repeats_left(self, arrival: Arrival) -> int:
        """Return how often the list will begin again; -1 for ever."""
        if arrival.repeats is None:
            return -1
        return max(0, arrival.repeats - self._repeated)

    def way_to_end(self, here: Point) -> float:
        """Return the distance to the end of the list [m]; 0 if there are no points."""
        ahead = [here, *self.points[self.index :]]
        return sum(map(distance, ahead[:-1], ahead[1:]))

    def way_to_finish(self, here: Point, arrival: Arrival) -> float:
        """Return the distance to the end of the last repetition [m]; -1 for ever."""
        repeats = self.repeats_left(arrival)
        if repeats < 0:
            return -1.0
        around = sum(map(distance, self.points, (*self.points[1:], *self.points[:1])))
        return self.way_to_end(here) + repeats * around

    def _arrange(self) -> None:
        self.points = self._given[::-1] if self.reverse else self._given
        self.index = 0
        self._nearest = None

    def _is_reached(self, here: Point, arrival: Arrival) -> bool:
        away = distance(here, self.next)
        if self._nearest is None or away < self._nearest:
            self._nearest = away
        if away < arrival.capture:
            self.captures += 1
            return True
        if arrival.slip > arrival.capture and away > self._nearest <= arrival.slip:
            return True
        return (
            arrival.line and self.previous is not None and is_past(self.next, self.previous, here)
        )
