"""How efficiently the legs of a route are sailed: straight way against way made, and times."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.apps.helm.geometry import distance
from steerageway.moos.seglist import Point
from steerageway.moos.values import trimmed


class Legs(NamedTuple):
    """One or several: straight way and way made [m], time at cruise speed and time taken [s]."""

    straight: float = 0.0
    made: float = 0.0
    due: float = 0.0
    taken: float = 0.0

    def plus(self, other: Legs) -> Legs:
        """Add legs up."""
        return Legs(*(one + more for one, more in zip(self, other, strict=True)))

    @property
    def in_space(self) -> float:
        """Straight way over way made; 0 if none was made."""
        return self.straight / self.made if self.made > 0 else 0.0

    @property
    def in_time(self) -> float:
        """Time due over time taken; 0 if none was taken."""
        return self.due / self.taken if self.taken > 0 else 0.0

    def summary(self, vessel: str, behavior: str) -> str:
        """Write them as MOOS-IvP does."""
        return (
            f"vname={vessel}, bhv_name={behavior}, linear_dist={trimmed(self.straight, 1)}, "
            f"odo_dist={trimmed(self.made, 1)}, efficiency_dist={trimmed(self.in_space, 3)}, "
            f"linear_time={trimmed(self.due, 1)}, odo_time={trimmed(self.taken, 1)}, "
            f"efficiency_time={trimmed(self.in_time, 3)}"
        )


class Odometer:
    """Measures the way made since the last mark.

    Attributes:
        leg: way made on the present leg [m].
        total: of all legs that counted.
    """

    def __init__(self) -> None:
        self.leg = 0.0
        self.total = Legs()
        self._here: Point | None = None
        self._mark: tuple[Point, float] | None = None

    def move(self, here: Point) -> None:
        """Go on to a position."""
        if self._here is not None:
            self.leg += distance(here, self._here)
        self._here = here

    def lift(self) -> None:
        """Do not count the way to the next position: the behavior was idle."""
        self._here = None

    def disqualify(self) -> None:
        """Do not count the present leg: it was interrupted, or its speed changed."""
        self._mark = None

    def mark(self, here: Point, time: float, cruise_speed: float) -> Legs | None:
        """End a leg and begin the next; give the leg that ended if it counts."""
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
