"""Progress along a list of waypoints: the next point, arrival criteria, repetitions."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from steerageway.helm.geometry import distance, is_past
from steerageway.moos.seglist import Point


class Progress(Enum):
    """Result of checking whether the next point has been reached."""

    EMPTY = "empty"  # there are no points
    TRANSIT = "transit"  # the next point has not been reached
    ADVANCED = "advanced"  # it has been reached; another one follows
    CYCLED = "cycled"  # the last one has been reached; the list starts again
    COMPLETED = "completed"  # the last one has been reached for the last time


class Arrival(NamedTuple):
    """Arrival criteria of a point, and repetition of the list.

    Attributes:
        capture: capture radius: within it, the point is reached [m].
        slip: slip radius: within it, the point is reached once the range opens again [m].
        line: the point is also reached when abeam on the leg from the previous point.
        perpetual: the list may be repeated.
        repeats: number of repetitions; None: unlimited.
    """

    capture: float = 3.0
    slip: float = 15.0
    line: bool = False
    perpetual: bool = False
    repeats: int | None = 0


class Route:
    """A list of points and the progress along it.

    Attributes:
        points: in the order of visits.
        index: of the next point.
        cycles: number of times the end was reached.
        previous: start of the leg to the next point; None before the first run.
        captures: points reached within the capture radius; hits: all points reached.
        reverse: the points are visited backwards.
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
        """Start with new points."""
        self._given = points
        self.cycles = 0
        self.previous = None
        self._arrange()

    def replace_points(self, points: tuple[Point, ...]) -> None:
        """Replace the points by the same number of others, and keep the index."""
        index = self.index
        self._given = points
        self._arrange()
        self.index = index

    def set_reverse(self, reverse: bool) -> None:
        """Set the direction; a change restarts with the first point in the new order."""
        if reverse != self.reverse:
            self.reverse = reverse
            self._arrange()

    def set_index(self, index: int) -> None:
        """Make the point of this index the next."""
        self.index = index
        self._nearest = None

    def reset_nearest(self) -> None:
        """Reset the least distance to the next point, which the slip radius depends on."""
        self._nearest = None

    def restart(self) -> None:
        """Start a new traversal."""
        self.index = 0
        self.previous = None
        self._repeated = 0
        self._nearest = None

    def advance(self, here: Point, arrival: Arrival) -> Progress:
        """Check whether the next point has been reached, and if so proceed to the one after it."""
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
        """Return the number of remaining repetitions of the list; -1: unlimited."""
        if arrival.repeats is None:
            return -1
        return max(0, arrival.repeats - self._repeated)

    def distance_to_end(self, here: Point) -> float:
        """Return the distance to the end of the list [m]; 0 if there are no points."""
        ahead = [here, *self.points[self.index :]]
        return sum(map(distance, ahead[:-1], ahead[1:]))

    def distance_to_finish(self, here: Point, arrival: Arrival) -> float:
        """Return the distance to the end of the last repetition [m]; -1 if there is none."""
        repeats = self.repeats_left(arrival)
        if repeats < 0:
            return -1.0
        around = sum(map(distance, self.points, (*self.points[1:], *self.points[:1])))
        return self.distance_to_end(here) + repeats * around

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
        # within the slip radius, and the range has begun to open
        if arrival.slip > arrival.capture and away > self._nearest <= arrival.slip:
            return True
        return (
            arrival.line and self.previous is not None and is_past(self.next, self.previous, here)
        )
