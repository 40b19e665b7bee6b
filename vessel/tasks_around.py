"""Tasks that depend on what is around a vessel: the ground, another vessel.

They are those of ``tasks`` in every other respect. What is around is a closed form of position and
time, so that thousands of vessels each have their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, pi
from typing import ClassVar

import numpy as np

from steerageway.vessel.colregs.scores import LIMITS, Meeting, score
from steerageway.vessel.excitation import Identification
from steerageway.vessel.fossen.state import PSI, U_, X_, Y_, Z_
from steerageway.vessel.tasks import (
    MOTION,
    TASKS,
    DepthKeeping,
    Features,
    Scale,
    Shown,
    StationKeeping,
    Task,
    angle,
    direction,
    motion,
    wrapped,
)
from steerageway.world.arrays import Flags, Floats, Whole


class TerrainFollowing(DepthKeeping):
    """Keep an altitude over a ground of hills; it fails at the ground, or twenty lengths off.

    The ground is a sum of three sine waves in each direction of the plane, with slopes of up to
    0.1 each. For vessels with stern planes.
    """

    shown = (
        Shown("altitude_error", "m"),
        Shown("rise_near", "m"),
        Shown("rise_far", "m"),
        *DepthKeeping.shown[1:],
    )
    HILLS: ClassVar[int] = 3
    LENGTHS: ClassVar[tuple[float, float]] = (40.0, 120.0)  # of the waves, in vessel lengths
    SLOPE: ClassVar[float] = 0.1
    ALTITUDES: ClassVar[tuple[float, float]] = (5.0, 10.0)  # in vessel lengths
    NEAR: ClassVar[float] = 5.0  # the ground is seen so far ahead, and twice as far
    MEAN: ClassVar[float] = 60.0  # depth, in vessel lengths

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.waves = np.zeros((count, 4, self.HILLS))  # k north, k east [rad/m], phase, amplitude
        self.altitude = np.zeros(count)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        super().draw(random, which, x)
        k, L = len(x), self.scale.length
        shape = (k, self.HILLS)
        number = 2.0 * pi / (random.uniform(*self.LENGTHS, shape) * L)
        towards, phase = random.uniform(-pi, pi, (2, *shape))
        amplitude = random.uniform(0.0, self.SLOPE, shape) / number
        parts = (number * np.cos(towards), number * np.sin(towards), phase, amplitude)
        self.waves[which] = np.stack(parts, axis=1)
        self.altitude[which] = random.uniform(*self.ALTITUDES, k) * L
        x[:, Z_] = 0.0
        place = np.zeros((self.count, x.shape[1]))
        place[which] = x
        ground = self.ground(place, 0.0)[which]
        off = random.uniform(0.0, 3.0, k) * L
        x[:, Z_] = np.maximum(ground - self.altitude[which] - off, 0.0)

    def aim(self, goal: Floats) -> None:
        """Give the altitude (1,) [m]."""
        self.altitude = np.tile(goal, self.count)

    def ground(self, x: Floats, ahead: float) -> Floats:
        """Return the depth (N,) of the ground [m] at a distance ahead [m] of each vessel."""
        north = x[:, X_] + ahead * np.cos(x[:, PSI])
        east = x[:, Y_] + ahead * np.sin(x[:, PSI])
        k_north, k_east, phase, amplitude = self.waves.transpose(1, 2, 0)
        hills = amplitude * np.sin(k_north * north + k_east * east + phase)
        return np.asarray(self.MEAN * self.scale.length + hills.sum(axis=0))

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return the altitude and its error [m], and how far the ground rises ahead [m]."""
        here, near = self.ground(x, 0.0), self.NEAR * self.scale.length
        altitude = here - x[:, Z_]
        return {
            **super().features(x),
            "altitude": altitude,
            "altitude_error": altitude - self.altitude,
            "rise_near": here - self.ground(x, near),
            "rise_far": here - self.ground(x, 2.0 * near),
        }

    def reward(self, f: Features) -> Floats:
        """Return at most 1, at the altitude and level."""
        near = np.exp(-((f["altitude_error"] / self.scale.length) ** 2))
        return np.asarray(near * f["cos_pitch"])

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        far = abs(f["altitude_error"]) > self.FAR * self.scale.length
        return np.zeros(self.count, np.bool_), far | (f["altitude"] < 0.0)


class Formation(StationKeeping):
    """Keep a station on a leader that sails a circle or straight on, at half the full speed.

    The station is 3 to 6 lengths away, abaft the leader's beam. It fails fifteen lengths from the
    station, or within a length of the leader.
    """

    shown = (
        *StationKeeping.shown,
        *direction("leader"),
        Shown("leader_range", "m", low=0.0),
        Shown("leader_turn", "rad/s"),
    )
    SPEED: ClassVar[float] = 0.5  # of the leader, of the full speed
    RANGES: ClassVar[tuple[float, float]] = (3.0, 6.0)  # of the station, in lengths
    TIGHTEST: ClassVar[float] = 20.0  # radius of the leader's circle, in lengths
    CLOSE: ClassVar[float] = 1.0
    START: ClassVar[tuple[float, float]] = (0.0, 1.5)

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.place = np.zeros((count, 2))  # of the station: ahead of the leader, to starboard [m]
        self.course = np.zeros(count)  # of the leader at the begin [rad]
        self.curvature = np.zeros(count)  # of its track, clockwise [1/m]

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        super().draw(random, which, x)
        k, L = len(x), self.scale.length
        self.course[which] = self.goal[which, 2]
        self.curvature[which] = random.uniform(-1.0, 1.0, k) / (self.TIGHTEST * L)
        away, bearing = random.uniform(*self.RANGES, k) * L, random.uniform(2.0, 4.2, k)
        self.place[which] = np.stack((away * np.cos(bearing), away * np.sin(bearing)), axis=-1)
        x[:, PSI] = wrapped(self.goal[which, 2] + random.uniform(-0.3, 0.3, k))
        x[:, U_] = self.SPEED * self.scale.speed

    def leader(self) -> tuple[Floats, Floats]:
        """Return the leader's position (N, 2), north and east [m], and its heading (N,) [rad].

        At the begin the station is at the origin.
        """
        way = self.SPEED * self.scale.speed * self.time
        along, heading = arc(self.course, self.curvature, way)
        return along - turned(self.place, self.course), heading

    def marks(self, i: int) -> list[Floats]:
        leader, heading = (one[i] for one in self.leader())
        back = leader - self.scale.length * np.array([np.cos(heading), np.sin(heading)])
        return [*super().marks(i), np.array([back, leader])]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return those of the station, and where the leader is."""
        leader, heading = self.leader()
        self.goal[:, :2] = leader + turned(self.place, heading)
        self.goal[:, 2] = heading
        north, east = (leader - x[:, : Y_ + 1]).T
        turn = self.curvature * self.SPEED * self.scale.speed
        return {
            **super().features(x),
            **angle("leader", wrapped(np.arctan2(east, north) - x[:, PSI])),
            "leader_range": np.hypot(north, east),
            "leader_turn": turn,
        }

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        never, far = super().ends(f)
        return never, far | (f["leader_range"] < self.CLOSE * self.scale.length)


class Encounter(Task):
    """Sail to a goal 60 lengths ahead past another vessel, by the rules of the road.

    The other keeps course and speed, and would pass within three lengths: it comes head-on, from
    starboard, from port, or is overtaken. At the goal, and after a collision, the encounter is
    scored as ``steerageway colregs`` scores it: ``safety`` and ``rules``, the least score of a rule
    that applied, from 0 to 1. It fails by a collision (1.6 lengths), and 30 lengths beside its way.
    """

    shown = (
        Shown("cross_track", "m"),
        Shown("ahead", "m"),
        *direction("course_error"),
        Shown("range", "m", low=0.0),
        *direction("bearing"),
        *direction("crossing"),
        Shown("other_speed", "m/s", low=0.0),
        *MOTION,
    )
    told = ("safety", "rules")
    SPEED: ClassVar[float] = 0.6  # at the begin, of the full speed
    WAY: ClassVar[float] = 60.0  # in vessel lengths
    MEETING: ClassVar[tuple[float, float]] = (25.0, 35.0)  # where on it they would meet
    ASIDE: ClassVar[float] = 3.0
    WIDTH: ClassVar[float] = 30.0
    COURSES: ClassVar[Floats] = np.array([pi, -0.5 * pi, 0.5 * pi, 0.0])  # of the other, relative
    SPREAD: ClassVar[Floats] = np.array([0.05, 0.8, 0.8, 0.3])  # of these, to either side [rad]
    SPEEDS: ClassVar[Floats] = np.array([1.0, 1.0, 1.0, 0.4])  # of the other, of the own

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.course = np.zeros(count)  # of the way, which begins at the origin [rad]
        self.other = np.zeros((count, 4))  # its north, east [m] at the begin, course [rad], speed
        self._times = np.zeros((count, ceil(self.longest) + 1))  # a record each second
        self._tracks = np.zeros((2, *self._times.shape, 4))

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        k, (L, U) = len(x), self.scale
        kind = random.integers(len(self.COURSES), size=k)
        course = random.uniform(-pi, pi, k)
        relative = self.COURSES[kind] + self.SPREAD[kind] * random.uniform(-1.0, 1.0, k)
        speed = self.SPEEDS[kind] * random.uniform(0.9, 1.1, k) * self.SPEED * U
        meeting = random.uniform(*self.MEETING, k) * L
        way = speed * meeting / (self.SPEED * U)
        aside = random.uniform(-self.ASIDE, self.ASIDE, k) * L
        towards = course + relative
        north = meeting * np.cos(course) - way * np.cos(towards) - aside * np.sin(course)
        east = meeting * np.sin(course) - way * np.sin(towards) + aside * np.cos(course)
        self.course[which] = course
        self.other[which] = np.stack((north, east, wrapped(towards), speed), axis=-1)
        x[:, PSI], x[:, U_] = wrapped(course), self.SPEED * U

    def aim(self, goal: Floats) -> None:
        """Give the course to the goal [rad], then the other's north, east, course, speed (5,)."""
        self.course = np.tile(goal[0], self.count)
        self.other = np.tile(goal[1:], (self.count, 1))

    def others(self) -> Floats:
        """Return the other's north and east (N, 2) [m]."""
        way, towards = self.other[:, 3] * self.time, self.other[:, 2]
        return self.other[:, :2] + np.stack((way * np.cos(towards), way * np.sin(towards)), axis=-1)

    def marks(self, i: int) -> list[Floats]:
        end = self.WAY * self.scale.length
        way = np.array([[0.0, 0.0], [end * np.cos(self.course[i]), end * np.sin(self.course[i])]])
        return [way, np.array([self.other[i, :2], self.others()[i]])]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return those of the way, the other's range, bearing and course, and scores at the end."""
        here, other = x[:, : Y_ + 1], self.others()
        cos, sin = np.cos(self.course), np.sin(self.course)
        north, east = (other - here).T
        away = np.hypot(north, east)
        ahead = self.WAY * self.scale.length - (cos * here[:, 0] + sin * here[:, 1])
        found = {
            "cross_track": cos * here[:, 1] - sin * here[:, 0],
            "ahead": ahead,
            "range": away,
            "other_speed": self.other[:, 3],
            **angle("course_error", wrapped(x[:, PSI] - self.course)),
            **angle("bearing", wrapped(np.arctan2(east, north) - x[:, PSI])),
            **angle("crossing", wrapped(self.other[:, 2] - x[:, PSI])),
            **motion(x),
        }
        self._record(x, other)
        reached, failed = self.ends(found)
        safety, rules = np.zeros((2, self.count))
        for i in np.flatnonzero(reached | failed).tolist():
            safety[i], rules[i] = self._score(i)
        return {**found, "safety": safety, "rules": rules}

    def reward(self, f: Features) -> Floats:
        """Return the progress over that at full speed; at the goal, 100 times the scores' product.

        A failure costs 100; another vessel within 8 lengths up to 1 a step.
        """
        L, U = self.scale
        pace = (f["u"] * f["cos_course_error"] - f["v"] * f["sin_course_error"]) / U
        near = np.maximum(1.0 - f["range"] / (LIMITS.least * L), 0.0)
        reached, failed = self.ends(f)
        worth = 100.0 * f["safety"] * f["rules"] * reached
        return np.asarray(pace - near + worth - 100.0 * failed)

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        L = self.scale.length
        failed = (f["range"] < LIMITS.collision * L) | (abs(f["cross_track"]) > self.WIDTH * L)
        return (f["ahead"] <= 0.0) & ~failed, failed

    def _record(self, x: Floats, other: Floats) -> None:
        """Keep the last tracks of this second: east, north [m], heading [deg], speed [m/s]."""
        rows, second = np.arange(self.count), self.time.astype(np.int64)
        self._times[rows, second] = self.time
        speed = np.hypot(x[:, U_], x[:, U_ + 1])
        own = (x[:, Y_], x[:, X_], np.degrees(x[:, PSI]), speed)
        course = np.degrees(self.other[:, 2])
        self._tracks[0, rows, second] = np.stack(own, axis=-1)
        theirs = (other[:, 1], other[:, 0], course, self.other[:, 3])
        self._tracks[1, rows, second] = np.stack(theirs, axis=-1)

    def _score(self, i: int) -> tuple[float, float]:
        """Return the safety, and the least score of a rule, of a vessel's episode so far."""
        end = int(self.time[i]) + 1
        own, other = self._tracks[:, i, :end]
        found = score(Meeting(self._times[i, :end], own, other, self.scale.length))
        return found.safety, found.least


def arc(course: Floats, curvature: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Return the end (N, 2) of circular arcs from the origin, north and east [m], and its course.

    Args:
        course: (N,) at the origin [rad]. curvature: (N,) clockwise [1/m]. way: (N,) along it [m].
    """
    half = 0.5 * curvature * way
    chord = way * np.sinc(half / pi)
    end = np.stack((chord * np.cos(course + half), chord * np.sin(course + half)), axis=-1)
    return end, course + 2.0 * half


def turned(place: Floats, heading: Floats) -> Floats:
    """Return places (N, 2), ahead and to starboard of headings (N,), as north and east (N, 2)."""
    ahead, abeam = place.T
    cos, sin = np.cos(heading), np.sin(heading)
    return np.stack((cos * ahead - sin * abeam, sin * ahead + cos * abeam), axis=-1)


ALL_TASKS: Mapping[str, type[Task]] = {
    **TASKS,
    **{kind.__name__: kind for kind in (TerrainFollowing, Formation, Encounter, Identification)},
}
"""All tasks; those of ``TASKS`` alone can be made of what an app of one vessel hears."""
