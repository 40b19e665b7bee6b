"""Tasks: what a vessel is asked to do, what it is shown, and when an episode ends.

A task computes named *features* of all N vessels at once, arrays (N,) in SI units. Observations,
rewards and ends are made of these alone, so a reward is a small function that a user may replace:
``gymnasium.make(..., reward=lambda f: -abs(f["cross_track"]))``. The environments of ``envs`` draw
the goals, and make terminated and truncated of the ends (``envs.vector``); an app gives goals by
``aim``, so that a policy is shown in a mission what it has learned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from math import pi
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.errors import NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.commands import FULL
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import PHI, PSI, Q_, R_, THETA, U_, V_, W_, X_, Y_, Z_
from steerageway.vessel.learning.geometry import (
    ALONG,
    STATION,
    along,
    directions,
    lay,
    station,
    transposed,
)
from steerageway.world.arrays import Flags, Floats, Whole

DT = 0.1  # simulated time between two actions [s]
SETTLING = 60.0  # time in which a boat reaches its full speed [s]; ships take several of it
SETTLED = 0.01  # relative change of speed within it of a vessel at full speed
SLOWEST = 30  # of them at most
SPARE = 8  # numbers behind a row: rows a power of two apart would share few lines of the cache
LONGEST = 150.0  # length of an episode, in times in which full speed makes a vessel's length

Features = Mapping[str, Floats]
Reward = Callable[[Features], Floats]


class Scale(NamedTuple):
    """What the features of a vessel are divided by in observations.

    Attributes:
        length: of the vessel [m].
        speed: at full thrust ahead [m/s].
    """

    length: float
    speed: float

    @property
    def divisors(self) -> dict[str, float]:
        """Return what the features are divided by, by the units of ``Shown``."""
        L, U = self
        return {"1": 1.0, "m": L, "m/s": U, "rad/s": U / L}


def scale_of(vessel: Dynamics, steps: int) -> Scale:
    """Return a vessel's length, of its outline or its model, and its speed at full thrust ahead.

    The length is 1 m if neither is known.

    Args:
        vessel: the vessel. steps: Runge-Kutta steps in ``DT``, see ``steps_within``.

    Raises:
        InvalidValue: its actuators do not follow orders.
    """
    outline = vessel.outline
    scalars: Any = getattr(vessel.parameters, "scalars", np.empty(0))
    known = scalars["L"] if "L" in (scalars.dtype.names or ()) else 1.0  # of published ships
    length = float(np.ptp(outline[:, 0])) if len(outline) else float(known)
    return Scale(length, max(_full_speed(vessel, steps), 0.1))


def _full_speed(vessel: Dynamics, steps: int) -> float:
    """Return the speed at full thrust ahead [m/s], when it no longer rises, or the model ends."""
    full, around = orders_of(vessel).commands(thrust=FULL), vessel.surroundings()
    x, reached = vessel.initial, 0.0
    for _ in range(SLOWEST):
        try:
            x = vessel.step(x, full, around, DT / steps, round(SETTLING / DT) * steps)
        except (NotFinite, OutsideEnvelope) as failed:
            return reached or float(np.asarray(failed.last_good)[U_])
        speed = float(x[U_])
        if abs(speed - reached) <= SETTLED * abs(reached):
            break
        reached = speed
    return reached


class Shown(NamedTuple):
    """One entry of an observation: a feature divided by ``length``, ``speed`` or neither.

    Attributes:
        feature: its name.
        unit: what it is divided by: "m" by the length, "m/s" by the speed, "rad/s" by speed over
            length; "1" is shown as it is.
        low, high: bounds of the entry.
    """

    feature: str
    unit: str = "1"
    low: float = -np.inf
    high: float = np.inf


def direction(name: str) -> tuple[Shown, Shown]:
    """Return the two entries by which an angle is shown, without its jump at 180 degrees."""
    return Shown(f"sin_{name}", low=-1.0, high=1.0), Shown(f"cos_{name}", low=-1.0, high=1.0)


class Found(dict[str, Floats]):
    """Features by their names; an angle is made of its sine and cosine when it is asked for."""

    def __missing__(self, name: str) -> Floats:
        if f"sin_{name}" not in self:
            raise KeyError(name)
        self[name] = found = np.arctan2(self[f"sin_{name}"], self[f"cos_{name}"])
        return found


MOTION = (Shown("u", "m/s"), Shown("v", "m/s"), Shown("r", "rad/s"))


class Task(ABC):
    """What N vessels are asked to do; each has a goal of its own.

    Attributes:
        shown: entries of an observation.
        seconds: length of an episode [s], at least; see ``longest``.
        orders: those that the vessel must follow.
        told: features that ``info`` has, too.
        randomised: what is drawn for each episode unless the user says otherwise.
        time: (N,) since each episode began [s], which the environment sets.
        moves: (N,) whether ``features`` may advance a vessel's goal, likewise: others are looked at
            again, as another's episode has begun in the same step.
    """

    shown: tuple[Shown, ...]
    told: ClassVar[tuple[str, ...]] = ()
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {}
    seconds: ClassVar[float] = 120.0
    orders: ClassVar[tuple[str, ...]] = ("thrust",)

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        self.scale, self.count, self.dt = scale, count, dt
        self.time, self.moves = np.zeros(count), np.ones(count, np.bool_)

    @property
    def longest(self) -> float:
        """Return the length of an episode [s]: longer for ships than for boats."""
        return max(self.seconds, LONGEST * self.scale.length / self.scale.speed)

    @abstractmethod
    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        """Draw the goals of some vessels, and place these relative to their goals.

        Args:
            random: what draws. which: (k,) indices of the vessels. x: (k, 12 + n) their states.
        """

    @abstractmethod
    def aim(self, goal: Floats) -> None:
        """Give all vessels one goal; each task says in which form."""

    @cached_property
    def _factors(self) -> Floats:
        return 1.0 / np.array([self.scale.divisors[entry.unit] for entry in self.shown])

    def observed(self, f: Features) -> NDArray[np.float32]:
        """Return the observations (N, n) that are made of the features."""
        rows = np.empty((self.count, len(self.shown)), np.float32)
        transposed(np.concatenate([f[entry.feature] for entry in self.shown]), self._factors, rows)
        return rows

    @abstractmethod
    def features(self, x: Floats) -> dict[str, Floats]:
        """Return the features of all vessels in the states (N, 12 + n), and advance the goals."""

    def marks(self, i: int) -> list[Floats]:
        """Return lines (n, 2), north and east [m], that a picture of vessel i shows."""
        return []

    @abstractmethod
    def reward(self, f: Features) -> Floats:
        """Return the reward of one step (N,), unless the user gave another."""

    @abstractmethod
    def ends(self, f: Features) -> tuple[Flags, Flags]:
        """Return which vessels have reached their goal, and which have failed (N,)."""


def motion(x: Floats) -> dict[str, Floats]:
    """Return the features of ``MOTION``: surge, sway [m/s] and rate of turn [rad/s]."""
    return {"u": x[:, U_], "v": x[:, V_], "r": x[:, R_]}


def angle(name: str, values: Floats) -> dict[str, Floats]:
    """Return an angle [rad] as feature, with its sine and cosine, as ``direction`` shows it."""
    found = np.empty((3, len(values)))
    directions(values, found)
    return dict(zip((name, f"sin_{name}", f"cos_{name}"), found, strict=True))


def wrapped(angle: Floats) -> Floats:
    """Return angles within -pi to pi [rad]."""
    return np.asarray((angle + pi) % (2.0 * pi) - pi)


class AlongWaypoints(Task):
    """A task along waypoints (N, k, 2), north and east [m]; those that are drawn have LEGS legs."""

    LEGS: ClassVar[int] = 4
    LENGTHS: ClassVar[tuple[float, float]] = (10.0, 20.0)  # of a leg, in vessel lengths
    TURN: ClassVar[float] = pi / 3  # largest change of course between legs
    REACHED: ClassVar[float] = 2.0  # distance at which a waypoint counts, in vessel lengths

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.points = np.zeros((count, self.LEGS + 1, 2))
        self.leg = np.zeros(count, np.int64)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        L, U = self.scale
        self.leg[which] = 0
        drawn = random.random((len(x), 2 * self.LEGS + 4))
        lengths = self.LENGTHS[0] * L, self.LENGTHS[1] * L
        lay(drawn, which, self.TURN, lengths, (3.0 * L, 0.8, 0.5 * U), self.points, x)

    def aim(self, goal: Floats) -> None:
        """Give the start of the first leg and the waypoints (k, 2), north and east [m]; k > 1."""
        self.points = np.tile(goal, (self.count, 1, 1))
        self.leg = np.zeros(self.count, np.int64)

    def marks(self, i: int) -> list[Floats]:
        return [self.points[i]]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return cross-track error, distance and direction of the waypoint, and the next turn."""
        found = np.empty((len(ALONG), self.count + SPARE))
        reached = self.REACHED * self.scale.length
        along(x, self.points, self.leg, reached, self.moves, found)
        return Found(zip(ALONG, found[:, : self.count], strict=True))


class PathFollowing(AlongWaypoints):
    """Follow straight legs at 0.6 of the full speed, with little cross-track error.

    It fails ten lengths beside the path.
    """

    shown = (
        Shown("cross_track", "m"),
        Shown("ahead", "m"),
        *direction("course_error"),
        *direction("turn"),
        *MOTION,
        Shown("speed_error", "m/s"),
    )
    WIDTH: ClassVar[float] = 10.0  # of the corridor to each side, in vessel lengths
    SPEED: ClassVar[float] = 0.6  # desired, of the full speed

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return those of the waypoints, and ``speed_error``."""
        found = super().features(x)
        found["speed_error"] = found["u"] - self.SPEED * self.scale.speed
        return found

    def reward(self, f: Features) -> Floats:
        """Return at most 1, on the path and along it at the desired speed."""
        beside, pace = f["cross_track"] / self.scale.length, f["speed_error"] / self.scale.speed
        return 0.5 * np.exp(-(beside**2) - 4.0 * pace**2) * (1.0 + f["cos_course_error"])

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        far = abs(f["cross_track"]) > self.WIDTH * self.scale.length
        return f["finished"] > 0.0, far


class WaypointRace(AlongWaypoints):
    """Pass all waypoints as fast as possible, in a current; it fails sixty lengths from the next.

    The current is 0.2 of the full speed at most, unless ``randomise`` says otherwise.
    """

    shown = (
        Shown("distance", "m", low=0.0),
        *direction("bearing"),
        *direction("turn"),
        *MOTION,
    )
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {"current": (0.0, 0.2)}
    TURN: ClassVar[float] = 2.0
    FAR: ClassVar[float] = 60.0

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self._before = np.zeros(count)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        super().draw(random, which, x)
        self._before[which] = np.nan  # the first step of an episode makes no progress

    def aim(self, goal: Floats) -> None:
        super().aim(goal)
        self._before[:] = np.nan

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return those of the waypoints, and ``progress`` since the last step [m]."""
        found = super().features(x)
        gained = self._before - found["distance"]
        found["progress"] = np.where(np.isnan(gained), 0.0, gained)
        left = np.where(found["passed"] > 0.0, np.nan, found["distance"])
        self._before = np.where(self.moves, left, self._before)
        return found

    def reward(self, f: Features) -> Floats:
        """Return the progress to the next waypoint over that at full speed; 10 for passing one."""
        return np.asarray(f["progress"] / (self.scale.speed * self.dt) + 10.0 * f["passed"])

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        return f["finished"] > 0.0, f["distance"] > self.FAR * self.scale.length


class StationKeeping(Task):
    """Stay at a point with a heading; it fails fifteen lengths away."""

    shown: tuple[Shown, ...] = (
        Shown("ahead", "m"),
        Shown("abeam", "m"),
        *direction("heading_error"),
        *MOTION,
    )
    START: ClassVar[tuple[float, float]] = (0.0, 5.0)  # distances, in vessel lengths
    FAR: ClassVar[float] = 15.0

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.goal = np.zeros((count, 3))  # north, east [m], heading [rad]

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        k = len(x)
        heading = random.uniform(-pi, pi, k)
        self.goal[which] = np.stack((np.zeros(k), np.zeros(k), heading), axis=-1)
        away = random.uniform(*self.START, k) * self.scale.length
        bearing = random.uniform(-pi, pi, k)
        x[:, X_], x[:, Y_] = away * np.cos(bearing), away * np.sin(bearing)
        x[:, PSI] = wrapped(heading + random.uniform(-0.8, 0.8, k))

    def aim(self, goal: Floats) -> None:
        """Give north, east [m] and heading [rad] (3,)."""
        self.goal = np.tile(goal, (self.count, 1))

    def marks(self, i: int) -> list[Floats]:
        north, east, heading = self.goal[i]
        ahead = self.scale.length * np.array([np.cos(heading), np.sin(heading)])
        return [np.array([[north, east], [north + ahead[0], east + ahead[1]]])]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return where the point is, ahead and to starboard [m], and the heading error."""
        found = np.empty((len(STATION), self.count + SPARE))
        station(x, self.goal, found)
        return dict(zip(STATION, found[:, : self.count], strict=True))

    def reward(self, f: Features) -> Floats:
        """Return at most 1, at the point with the heading."""
        near = np.exp(-((f["distance"] / self.scale.length) ** 2))
        return np.asarray(near * 0.5 * (1.0 + f["cos_heading_error"]))

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        return np.zeros(self.count, np.bool_), f["distance"] > self.FAR * self.scale.length


class Docking(StationKeeping):
    """Come to rest at a berth along a quay, half a length to starboard of the berth.

    It succeeds within a quarter of a length, 10 degrees and a tenth of the full speed, and fails
    if its origin crosses the quay, or twenty lengths away.
    """

    START: ClassVar[tuple[float, float]] = (5.0, 10.0)
    FAR: ClassVar[float] = 20.0
    QUAY: ClassVar[float] = 0.5  # from the berth, in vessel lengths
    shown = (*StationKeeping.shown, Shown("quay", "m"))

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        super().draw(random, which, x)
        heading = self.goal[which, 2]
        away = np.hypot(x[:, X_], x[:, Y_])
        bearing = heading - 0.5 * pi + random.uniform(-1.2, 1.2, len(x))  # on the water's side
        x[:, X_], x[:, Y_] = away * np.cos(bearing), away * np.sin(bearing)

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return those of the station, and the distance to the ``quay`` [m]."""
        found = super().features(x)
        north, east = (x[:, : Y_ + 1] - self.goal[:, :2]).T
        cos, sin = np.cos(self.goal[:, 2]), np.sin(self.goal[:, 2])
        found["quay"] = self.QUAY * self.scale.length - (cos * east - sin * north)
        return found

    def reward(self, f: Features) -> Floats:
        """Return the nearness to the berth, less the speed near it; 100 for having docked."""
        L, U = self.scale
        near = np.exp(-f["distance"] / (3.0 * L))
        fast = np.hypot(f["u"], f["v"]) / U
        docked, failed = self.ends(f)
        return np.asarray(near * (1.0 - fast) - 1.0 + 100.0 * docked - 100.0 * failed)

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        L, U = self.scale
        slow = np.hypot(f["u"], f["v"]) < 0.1 * U
        aligned = abs(f["heading_error"]) < np.radians(10.0)
        docked = (f["distance"] < 0.25 * L) & aligned & slow
        return docked, (f["quay"] < 0.0) | (f["distance"] > self.FAR * L)


class DepthKeeping(Task):
    """Keep a depth at constant thrust or better; it fails twenty lengths from it.

    For vessels with stern planes.
    """

    shown: tuple[Shown, ...] = (
        Shown("depth_error", "m"),
        *direction("pitch"),
        *direction("roll"),
        Shown("u", "m/s"),
        Shown("w", "m/s"),
        Shown("q", "rad/s"),
    )
    orders = ("thrust", "elevator")
    FAR: ClassVar[float] = 20.0

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.depth = np.zeros(count)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        k, L = len(x), self.scale.length
        self.depth[which] = random.uniform(30.0, 60.0, k) * L
        x[:, Z_] = self.depth[which] + random.uniform(-8.0, 8.0, k) * L
        x[:, PSI] = random.uniform(-pi, pi, k)
        x[:, U_] = random.uniform(0.5, 1.0, k) * self.scale.speed

    def aim(self, goal: Floats) -> None:
        """Give the depth (1,) [m]."""
        self.depth = np.tile(goal, self.count)

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return the depth error [m], down positive, pitch and roll, and the motion."""
        return {
            "depth_error": x[:, Z_] - self.depth,
            **angle("pitch", x[:, THETA]),
            **angle("roll", x[:, PHI]),
            "w": x[:, W_],
            "q": x[:, Q_],
            **motion(x),
        }

    def reward(self, f: Features) -> Floats:
        """Return at most 1, at the depth and level."""
        near = np.exp(-((f["depth_error"] / self.scale.length) ** 2))
        return np.asarray(near * f["cos_pitch"])

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        return np.zeros(self.count, np.bool_), abs(f["depth_error"]) > self.FAR * self.scale.length


TASKS: Mapping[str, type[Task]] = {
    kind.__name__: kind
    for kind in (PathFollowing, StationKeeping, WaypointRace, Docking, DepthKeeping)
}
