"""``BHV_Convoy``: follow another vessel's track by markers dropped along it.

Its weight is ``pwt``; MOOS-IvP's is always 10. Source: BHV_Convoy of MOOS-IvP.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

from steerageway.declarations import Number, boolean, variables
from steerageway.helm.behaviors.contact.base import ContactBehavior
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.behaviors.waypoint.objectives import Objectives
from steerageway.helm.geometry import bearing, distance
from steerageway.helm.settings import parameter
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Function
from steerageway.moos import view
from steerageway.moos.seglist import Point

_MEAN_TIME = 2.0  # averaging time of the contact's speed that is followed [s]
_LONG_MEAN_TIME = 5.0  # averaging time of the speed that is only posted [s]


@dataclass
class ConvoySettings(ContactSettings):
    """The behavior's parameters."""

    radius: float = parameter("5", Number(low=0), "capture radius of a mark [m]")
    nm_radius: float = parameter(
        "20",
        Number(low=0),
        "slip radius: within it, a mark is also reached once the range opens [m]",
    )
    inter_mark_range: float = parameter("10", Number(above=0), "distance between two marks [m]")
    max_mark_range: float = parameter(
        "150", Number(above=0), "maximum length of the line through the marks [m]"
    )
    cruise_speed: float = parameter(
        "-1", Number(low=-1), "desired speed [m/s]; 0 or less: based on the contact's"
    )
    spd_max: float = parameter("2", Number(above=0), "maximum speed [m/s]")
    spd_faster: float = parameter(
        "1.5", Number(low=1), "multiple of the contact's speed when lagging"
    )
    spd_slower: float = parameter(
        "0.5", Number(low=0, high=1), "multiple of the contact's speed when tailgating"
    )
    rng_estop: float = parameter(
        "15", Number(low=0), "range below which it stops [m]", aliases=("range_estop",)
    )
    rng_tgating: float = parameter(
        "30", Number(low=0), "range below which it is tailgating [m]", aliases=("range_tailgating",)
    )
    rng_lagging: float = parameter(
        "70", Number(low=0), "range above which it is lagging [m]", aliases=("range_lagging",)
    )
    rng_safety: bool = parameter("true", boolean, "false: ignore rng_estop")


class Convoy(ContactBehavior[ConvoySettings]):
    """Prefers the course to the next mark on the contact's track, at a speed based on its speed.

    Posts the number of marks (`CONVOY_MARKS`, `QLEN`), the length of the line through them
    (`TLEN`), the next one (`WPTX`, `WPTY`), the range (`CONVOY_RANGE`), ``max_mark_range``
    (`MXRNG`), and the contact's mean speed over 2 and 5 s (`AVG2`, `AVG5`). Draws the marks as
    `VIEW_POINT`.

    Attributes:
        marks: positions x, y [m], the oldest (the next to pass) first.
    """

    publications = (
        *ContactBehavior.publications,
        *variables.published("""
            CONVOY_MARKS | number | | >= 0 | on change | number of marks that a `BHV_Convoy` has
                still to pass
            CONVOY_RANGE | number | m | >= 0 | | range to the contact of a `BHV_Convoy`
            QLEN | number | | >= 0 | on change | number of marks that a `BHV_Convoy` has still to
                pass
            TLEN | number | m | >= 0 | on change | length of the line through the marks
            MXRNG | number | m | > 0 | on change | maximum of that length: `max_mark_range`
            AVG2 | number | m/s | | on change | mean speed of the contact of a `BHV_Convoy` over 2 s
            AVG5 | number | m/s | | on change | mean speed of the contact of a `BHV_Convoy` over 5 s
            WPTX | number | m, east | | on change | position of the next mark of a `BHV_Convoy`
            WPTY | number | m, north | | on change | position of the next mark of a `BHV_Convoy`
        """),
        VIEW_POINT,
    )
    settings_class = ConvoySettings

    def on_creation(self) -> None:
        super().on_creation()
        self.marks: deque[Point] = deque()
        self._laid = 0  # number of marks laid so far
        self._nearest = float("inf")  # least distance to the next mark [m]
        self._speeds: deque[tuple[float, float]] = deque()
        self._objectives = Objectives(self.world.domain)

    def meet(self) -> Function | None:
        self._lay_marks()
        self._pass_marks()
        self._record_speed()
        self._post_statistics()
        if not self.marks:
            return None
        self.relevance = 1.0
        here = self.own[:2]
        to_mark = bearing(here, self.marks[0])
        return self._objectives.course_and_speed(
            to_mark, self.own.heading, self._speed(), 50, slower=False
        )

    def _lay_marks(self) -> None:
        s, there = self.settings, self.other[:2]
        if not self.marks or distance(self.marks[-1], there) >= s.inter_mark_range:
            self.marks.append(there)
            self._laid += 1
            self._show(there, self._laid - 1, active=True)
        while (len(self.marks) - 1) * s.inter_mark_range > s.max_mark_range:
            self._remove_mark()

    def _remove_mark(self) -> None:
        """Remove the oldest mark."""
        oldest = self._laid - len(self.marks)
        self._show(self.marks.popleft(), oldest, active=False)
        self._nearest = float("inf")

    def _pass_marks(self) -> None:
        s, here = self.settings, self.own[:2]
        # the last mark stays the goal until the contact has moved on
        while len(self.marks) > 1:
            away = distance(here, self.marks[0])
            slipped = self._nearest <= s.nm_radius and away > self._nearest
            if away > s.radius and not slipped:
                self._nearest = min(self._nearest, away)
                return
            self._remove_mark()

    def _record_speed(self) -> None:
        speeds, now = self._speeds, self.world.time
        speeds.append((now, self.other.speed))
        while now - speeds[0][0] > _LONG_MEAN_TIME:
            speeds.popleft()

    def _mean_speed(self, over: float) -> float:
        """Return the contact's mean speed over the last ``over`` seconds [m/s]."""
        now = self.world.time
        speeds = [speed for time, speed in self._speeds if now - time <= over]
        return sum(speeds) / len(speeds)

    def _speed(self) -> float:
        s = self.settings
        if s.rng_safety and self.range < s.rng_estop:
            return 0.0
        if s.cruise_speed > 0.0:
            return min(s.cruise_speed, s.spd_max)
        factor = 1.0
        if self.range > s.rng_lagging:
            factor = s.spd_faster
        elif self.range < s.rng_tgating:
            factor = s.spd_slower
        return min(self._mean_speed(_MEAN_TIME) * factor, s.spd_max)

    def withdraw(self) -> None:
        super().withdraw()
        while self.marks:
            self._remove_mark()

    def _post_statistics(self) -> None:
        self.post("CONVOY_MARKS", float(len(self.marks)))
        self.post("CONVOY_RANGE", self.range)
        self.post("QLEN", float(len(self.marks)))
        self.post("TLEN", sum(distance(one, after) for one, after in pairwise(self.marks)))
        self.post("MXRNG", self.settings.max_mark_range)
        self.post("AVG2", self._mean_speed(_MEAN_TIME))
        self.post("AVG5", self._mean_speed(_LONG_MEAN_TIME))
        if self.marks:
            x, y = self.marks[0]
            self.post("WPTX", x)
            self.post("WPTY", y)

    def _show(self, mark: Point, number: int, *, active: bool) -> None:
        label = f"{self.world.community}_{self.settings.contact}_{number}"
        look = view.look(label=label, label_color="invisible", vertex_color="white")
        self.post("VIEW_POINT", view.point(mark, look, active=active), label)
