"""Scenario files of encounters: the own vessel, other vessels with routes, and how these sail.

One YAML file has several scenarios, see ``docs/colregs.md``. Read, scaled to a vessel, varied by a
seed: a scenario is what it was before plus numbers, and the same file and seed give the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from random import Random

from steerageway.geometry.encounter import Track
from steerageway.geometry.marine import angle360
from steerageway.world.document import Section, read

Point = tuple[float, float]
Polygon = tuple[Point, ...]
UNITS = {"m": 1.0, "nmi": 1852.0}
SPEED_UNITS = {"m/s": 1.0, "kn": 1852.0 / 3600.0}
MOST_TARGETS = 50
MOST_SCENARIOS = 10_000

OWN_TURN = 5.0  # variation of the own start heading: uniform within [deg]
ALONG, ACROSS = 2.0, 1.0  # variation of a target's start, along its course and across [lengths]
FASTER = 0.05  # variation of a target's speed, a share of it


class Conduct(StrEnum):
    """How a vessel sails its route."""

    STUBBORN = "stubborn"
    RULES = "rules"
    ERRATIC = "erratic"


@dataclass(frozen=True)
class Target:
    """Another vessel.

    Attributes:
        start: its track at the begin.
        route: points that it sails to, one after another, before it keeps its course [m].
        conduct: how it sails it.
        length: [m].
    """

    start: Track
    route: tuple[Point, ...]
    conduct: Conduct
    length: float


@dataclass(frozen=True)
class Scenario:
    """A scenario.

    Attributes:
        name: of letters, digits and underscores.
        start: the own vessel's track at the begin; its speed is that of its passage.
        goal: where it goes [m].
        length: of the own vessel [m].
        targets: the other vessels.
        shallow: polygons in which the own vessel is aground [m].
        zones: separation zones of traffic separation schemes, which it may not enter [m].
        about: where it comes from.
    """

    name: str
    start: Track
    goal: Point
    length: float
    targets: tuple[Target, ...]
    shallow: tuple[Polygon, ...] = ()
    zones: tuple[Polygon, ...] = ()
    about: str = ""

    @property
    def way(self) -> float:
        """The distance from start to goal [m]."""
        return hypot(self.goal[0] - self.start.x, self.goal[1] - self.start.y)

    def scaled(self, length: float, speed: float) -> Scenario:
        """Return it for a vessel of another length [m] and speed [m/s], with the own start at 0, 0.

        Distances scale by the length, speeds by the speed: the geometry stays, in lengths.
        """
        far, fast = length / self.length, speed / self.start.speed
        east, north = self.start.x, self.start.y

        def point(at: Point) -> Point:
            return (at[0] - east) * far, (at[1] - north) * far

        def track(at: Track) -> Track:
            return Track(*point((at.x, at.y)), at.heading, at.speed * fast)

        return replace(
            self,
            start=track(self.start),
            goal=point(self.goal),
            length=length,
            targets=tuple(
                replace(
                    one,
                    start=track(one.start),
                    route=tuple(map(point, one.route)),
                    length=one.length * far,
                )
                for one in self.targets
            ),
            shallow=tuple(tuple(map(point, polygon)) for polygon in self.shallow),
            zones=tuple(tuple(map(point, polygon)) for polygon in self.zones),
        )

    def varied(self, seed: int) -> Scenario:
        """Return it with starts and speeds varied by a seed; 0: as written."""
        if seed == 0:
            return self
        random = Random(f"{self.name} {seed}")
        turn = random.uniform(-OWN_TURN, OWN_TURN)
        start = self.start._replace(heading=angle360(self.start.heading + turn))
        return replace(
            self, start=start, targets=tuple(_varied(one, random) for one in self.targets)
        )


def _varied(target: Target, random: Random) -> Target:
    along, across = (random.uniform(-far, far) * target.length for far in (ALONG, ACROSS))
    start = target.start.ahead(along)
    angle = radians(start.heading)
    start = start._replace(
        x=start.x + across * cos(angle),
        y=start.y - across * sin(angle),
        speed=start.speed * (1.0 + random.uniform(-FASTER, FASTER)),
    )
    return replace(target, start=start)


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """Read a file of scenarios; one that was read before and has not changed is not read again.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
        OSError: the file cannot be read.
    """
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, changed: int) -> tuple[Scenario, ...]:
    file = read(path)
    reader = _Reader(
        UNITS[file.choice("distance_unit", tuple(UNITS), "m")],
        SPEED_UNITS[file.choice("speed_unit", tuple(SPEED_UNITS), "m/s")],
        file.text("about"),
    )
    common, default = (
        file.section("own"),
        Conduct(file.choice("conduct", tuple(Conduct), Conduct.STUBBORN)),
    )
    if "own" in file:
        reader.own(common)
    found: list[Scenario] = []
    if "scenarios" not in file and "grid" not in file:
        file.fail("scenarios", "nothing", "a list of scenarios, or a grid")
    for one in file.sections("scenarios"):
        found.append(reader.scenario(one, common, default))
        one.finish()
    if "grid" in file:
        found += reader.grid(file.section("grid"), common, default)
    file.finish()
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            file.fail("scenarios", name, "each name once")
    if not 1 <= len(found) <= MOST_SCENARIOS:
        file.fail("scenarios", str(len(found)), f"1 to {MOST_SCENARIOS} of them")
    return tuple(found)


@dataclass(frozen=True)
class _Reader:
    """Reads the parts of a file in its units [m, m/s per unit]."""

    distance: float
    speed: float
    about: str

    def own(self, section: Section) -> tuple[Track, Point, float]:
        """Return start, goal and length of the own vessel."""
        start = self._track(section, default=(0.0, 0.0))
        goal = self._point(section, "to", None)
        if (goal[0], goal[1]) == (start.x, start.y):
            section.fail("to", "the start", "another point than at")
        length = section.positive("length", high=1e4)
        section.finish()
        return start, goal, length

    def scenario(self, section: Section, common: Section, default: Conduct) -> Scenario:
        """Return a scenario of the list."""
        start, goal, length = self.own(section.section("own") if "own" in section else common)
        parts = section.sections("targets") if "targets" in section else []
        if not 1 <= len(parts) <= MOST_TARGETS:
            section.fail("targets", str(len(parts)), f"a list of 1 to {MOST_TARGETS} vessels")
        return Scenario(
            name=_name(section, section.text("name")),
            start=start,
            goal=goal,
            length=length,
            targets=tuple(self.target(one, length, default) for one in parts),
            shallow=self._polygons(section, "shallow"),
            zones=self._polygons(section, "separation"),
            about=section.text("about", self.about),
        )

    def _polygons(self, section: Section, key: str) -> tuple[Polygon, ...]:
        found = [
            tuple((x * self.distance, y * self.distance) for x, y in one.rows("points", 2))
            for one in (section.sections(key) if key in section else [])
        ]
        if any(len(polygon) < 3 for polygon in found):
            section.fail(key, "too few points", "polygons of 3 points or more")
        return tuple(found)

    def target(self, section: Section, length: float, default: Conduct) -> Target:
        """Return another vessel."""
        start = self._track(section)
        route = tuple((x * self.distance, y * self.distance) for x, y in section.rows("route", 2))
        conduct = Conduct(section.choice("conduct", tuple(Conduct), default))
        found = Target(start, route, conduct, section.positive("length", length, high=1e4))
        section.finish()
        return found

    def grid(self, section: Section, common: Section, default: Conduct) -> Iterator[Scenario]:
        """Yield single encounters: every heading with every speed ratio, meeting after a time."""
        start, goal, length = self.own(common)
        after = section.positive("after", high=1e6)
        headings = section.vector("headings", _count(section, "headings")).tolist()
        ratios = section.vector("speeds", _count(section, "speeds")).tolist()
        stem = _name(section, section.text("name"))
        section.finish()
        meeting = start.ahead(start.speed * after)
        for heading in headings:
            for ratio in ratios:
                if heading % 360.0 == start.heading and ratio == 1.0:
                    continue  # side by side for ever
                speed = ratio * start.speed
                track = Track(meeting.x, meeting.y, heading % 360.0, speed).ahead(-speed * after)
                name = f"{stem}_{heading:03g}_{ratio:g}".replace(".", "p")
                target = Target(track, (), default, length)
                yield Scenario(name, start, goal, length, (target,), about=self.about)

    def _track(self, section: Section, default: Point | None = None) -> Track:
        x, y = self._point(section, "at", default)
        heading = section.number("heading", 0.0 if default else None, -360.0, 360.0)
        speed = section.positive("speed", high=1e4) * self.speed
        return Track(x, y, angle360(heading), speed)

    def _point(self, section: Section, key: str, default: Point | None) -> Point:
        x, y = section.vector(key, 2, default).tolist()
        return x * self.distance, y * self.distance


def _count(section: Section, key: str) -> int:
    return max(1, len(section.words(key)))


def _name(section: Section, name: str) -> str:
    if not name.replace("_", "").isalnum():
        section.fail("name", name or "nothing", "letters, digits and underscores")
    return name


def course(one: Point, other: Point) -> float:
    """Return the compass course from a point to another [deg]."""
    return angle360(degrees(atan2(other[0] - one[0], other[1] - one[1])))
