"""Efficiency of the legs of a route: straight distance and ideal time over the actual ones."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.helm.geometry import distance
from steerageway.moos.seglist import Point
from steerageway.moos.values import trimmed


class Legs(NamedTuple):
    """Straight and actual distance [m], time at cruise speed and actual time [s] of legs."""

    straight: float = 0.0
    made: float = 0.0
    due: float = 0.0
    taken: float = 0.0

    def plus(self, other: Legs) -> Legs:
        """Return the sum with other legs."""
        return Legs(*(one + more for one, more in zip(self, other, strict=True)))

    @property
    def in_space(self) -> float:
        """Straight over actual distance; 0 if there is none."""
        return self.straight / self.made if self.made > 0 else 0.0

    @property
    def in_time(self) -> float:
        """Time at cruise speed over actual time; 0 if there is none."""
        return self.due / self.taken if self.taken > 0 else 0.0

    def summary(self, vessel: str, behavior: str) -> str:
        """Return them as text in MOOS-IvP's format."""
        return (
            f"vname={vessel}, bhv_name={behavior}, linear_dist={trimmed(self.straight, 1)}, "
            f"odo_dist={trimmed(self.made, 1)}, efficiency_dist={trimmed(self.in_space, 3)}, "
            f"linear_time={trimmed(self.due, 1)}, odo_time={trimmed(self.taken, 1)}, "
            f"efficiency_time={trimmed(self.in_time, 3)}"
        )


class Odometer:
    """Measures the distance made since the last mark.

    Attributes:
        leg: distance made on the present leg [m].
        total: sum of all qualified legs.
    """

    def __init__(self) -> None:
        self.leg = 0.0
        self.total = Legs()
        self._here: Point | None = None
        self._mark: tuple[Point, float] | None = None

    def move(self, here: Point) -> None:
        """Add the distance to a new position."""
        if self._here is not None:
            self.leg += distance(here, self._here)
        self._here = here

    def pause(self) -> None:
        """Exclude the distance to the next position: the behavior was idle."""
        self._here = None

    def disqualify(self) -> None:
        """Exclude the present leg: it was interrupted, or its speed changed."""
        self._mark = None

    def mark(self, here: Point, time: float, cruise_speed: float) -> Legs | None:
        """End a leg and start the next; return the one that ended, None if disqualified."""
        leg = None
        if self._mark is not None:
            start, since = self._mark
            straight = distance(here, start)
            due = straight / cruise_speed if cruise_speed > 0 else 0.0
            leg = Legs(straight, self.leg, due, time - since)
            self.total = self.total.plus(leg)
        self._mark = (here, time)
        self.leg = 0.0
        return leg
