"""Tasks of several vessels that meet in one water: each row of the arrays is one of them.

A game ends for all its vessels at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.state import PSI, U_, V_, X_, Y_
from steerageway.vessel.tasks import (
    MOTION,
    Features,
    Scale,
    Shown,
    Task,
    angle,
    direction,
    motion,
    wrapped,
)
from steerageway.vessel.tasks_around import arc
from steerageway.world.arrays import Flags, Floats, Whole


class Game(Task):
    """A task of all vessels together.

    Attributes:
        agents: (N,) names of the vessels.
    """

    COUNT: ClassVar[int]  # of vessels, unless the user says otherwise; at least 2
    TEAMS: ClassVar[int] = 1  # of equal size
    agents: tuple[str, ...]

    def aim(self, goal: Floats) -> None:
        """Do nothing: the goals of a game are its vessels."""


class Convoy(Game):
    """Sail in line, four lengths apart, behind a virtual leader on a circle, at half the speed.

    It fails if two vessels are within a length, or one is twenty lengths behind that ahead of it.
    """

    COUNT = 4
    GAP: ClassVar[float] = 4.0
    SPEED: ClassVar[float] = 0.5
    TIGHTEST: ClassVar[float] = 20.0  # radius of the circle, in lengths
    CLOSE: ClassVar[float] = 1.0
    FAR: ClassVar[float] = 20.0
    shown = (
        Shown("gap", "m", low=0.0),
        *direction("bearing"),
        *direction("crossing"),
        Shown("lead_speed", "m/s", low=0.0),
        *MOTION,
    )

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.agents = tuple(f"vessel_{i}" for i in range(count))
        self.course, self.curvature = np.zeros(1), np.zeros(1)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        k, (L, U) = len(x), self.scale
        self.course = random.uniform(-pi, pi, 1)
        self.curvature = random.uniform(-1.0, 1.0, 1) / (self.TIGHTEST * L)
        astern = (np.arange(1, k + 1) * self.GAP + random.uniform(-1.0, 1.0, k)) * L
        x[:, X_], x[:, Y_] = -astern * np.cos(self.course), -astern * np.sin(self.course)
        x[:, PSI] = wrapped(self.course + random.uniform(-0.2, 0.2, k))
        x[:, U_] = self.SPEED * U

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return where the vessel ahead is, how it sails, and the nearest other vessel [m]."""
        speed = self.SPEED * self.scale.speed
        leader, course = arc(self.course, self.curvature, speed * self.time[:1])
        ahead = np.vstack((leader, x[:-1, : Y_ + 1])) - x[:, : Y_ + 1]
        heading = np.append(course, x[:-1, PSI])
        away, _ = between(x)
        return {
            "gap": np.hypot(*ahead.T),
            "nearest": away.min(axis=1, initial=np.inf),
            "lead_speed": np.append(speed, np.hypot(x[:-1, U_], x[:-1, V_])),
            **angle("bearing", wrapped(np.arctan2(ahead[:, 1], ahead[:, 0]) - x[:, PSI])),
            **angle("crossing", wrapped(heading - x[:, PSI])),
            **motion(x),
        }

    def reward(self, f: Features) -> Floats:
        """Return at most 1, at the gap and on the course of the vessel ahead; -100 for failing."""
        off = f["gap"] / self.scale.length - self.GAP
        failed = self.ends(f)[1]
        return np.asarray(np.exp(-(off**2)) * 0.5 * (1.0 + f["cos_crossing"]) - 100.0 * failed)

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        L = self.scale.length
        failed = (f["nearest"] < self.CLOSE * L).any() or (f["gap"] > self.FAR * L).any()
        return np.zeros(self.count, np.bool_), np.full(self.count, failed)


class Pursuit(Game):
    """Pursuers catch an evader, the last vessel, within two lengths, in a square of 60 lengths.

    The evader wins by staying free until the time is over; whoever leaves the square loses.
    """

    COUNT = 3
    CATCH: ClassVar[float] = 2.0
    HALF: ClassVar[float] = 30.0  # side of the square
    told = ("caught", "outside")

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.agents = (*(f"pursuer_{i}" for i in range(count - 1)), "evader")
        self.evades = np.arange(count) == count - 1
        rows = np.arange(count)
        self._others = np.array([rows[rows != i] for i in rows], np.int64).reshape(count, count - 1)
        self.shown = (
            *(one for k in range(count - 1) for one in _seen(f"other_{k}")),
            Shown("centre_ahead", "m"),
            Shown("centre_abeam", "m"),
            *direction("heading"),
            Shown("evades", low=0.0, high=1.0),
            *MOTION,
        )

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        k, L = len(x), self.scale.length
        away = np.where(self.evades, random.uniform(0.0, 8.0, k), random.uniform(18.0, 26.0, k)) * L
        bearing = random.uniform(-pi, pi, k)
        x[:, X_], x[:, Y_] = away * np.cos(bearing), away * np.sin(bearing)
        x[:, PSI] = random.uniform(-pi, pi, k)

    def marks(self, i: int) -> list[Floats]:
        half = self.HALF * self.scale.length
        return [half * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]])]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return the other vessels and the centre of the square as seen from each."""
        away, bearing = between(x)
        speed = np.hypot(x[:, U_], x[:, V_])
        cos, sin = np.cos(x[:, PSI]), np.sin(x[:, PSI])
        near = away[-1].min()
        found = {
            "centre_ahead": -cos * x[:, X_] - sin * x[:, Y_],
            "centre_abeam": sin * x[:, X_] - cos * x[:, Y_],
            "evades": self.evades.astype(np.float64),
            "to_evader": np.where(self.evades, near, away[:, -1]),
            "caught": np.full(self.count, float(near < self.CATCH * self.scale.length)),
            "outside": (abs(x[:, : Y_ + 1]) > self.HALF * self.scale.length).any(axis=1) * 1.0,
            **angle("heading", x[:, PSI]),
            **motion(x),
        }
        rows = np.arange(self.count)
        for k, other in enumerate(self._others.T):
            name = f"other_{k}"
            found[f"{name}_range"] = away[rows, other]
            found[f"{name}_speed"] = speed[other]
            found |= angle(f"{name}_bearing", bearing[rows, other])
            found |= angle(f"{name}_crossing", wrapped(x[other, PSI] - x[:, PSI]))
        return found

    def reward(self, f: Features) -> Floats:
        """Return 0.01 a length of range, more for the evader; 100 for a catch; -100 outside."""
        side = np.where(self.evades, 1.0, -1.0)
        near = 0.01 * f["to_evader"] / self.scale.length
        return np.asarray(side * (near - 100.0 * f["caught"]) - 100.0 * f["outside"])

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        """Return that all have ended: reached by the pursuers' catch, failed by leaving."""
        left = f["outside"].any()
        return (f["caught"] > 0.0) & ~left, np.full(self.count, left)


class AreaDefence(Game):
    """Two teams each defend an area with a flag, and capture the other's: pyquaticus' rules.

    The field has 160 m from west to east and 80 m from south to north, halved by the scrimmage
    line. Blue's flag is 20 m from the west end, red's 20 m from the east end. A vessel takes the
    other team's flag within 10 m, and captures it by bringing it to its own half. On its own half
    it tags one of the other team within 10 m, once a minute; so does the field's edge. A tagged
    vessel loses a flag it has, and neither takes nor tags until it is within 10 m of its own flag;
    it is not driven there. The game ends after 20 captures of a team, or 600 s.

    Source: rules, field and observations of pyquaticus (MIT Lincoln Laboratory),
    ``config_dict_std`` and ``state_to_obs`` of November 2025, without obstacles.
    """

    COUNT = 2
    TEAMS = 2
    seconds = 600.0
    FIELD: ClassVar[Floats] = np.array([160.0, 80.0])  # east, north [m]
    FLAGS: ClassVar[Floats] = np.array([[20.0, 40.0], [140.0, 40.0]])  # of blue, red
    CATCH: ClassVar[float] = 10.0  # [m]
    COOLDOWN: ClassVar[float] = 60.0  # [s]
    SCORE: ClassVar[int] = 20
    told = ("team_score", "opponent_score", "is_tagged", "has_flag")
    EVENTS: ClassVar[Mapping[str, float]] = {
        "captures": 100.0,
        "conceded": -100.0,
        "grabs": 10.0,
        "tags": 10.0,
        "tagged": -10.0,
    }
    """Rewards of what happens in a step; captures count for the whole team."""

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        half = count // 2
        self.team = np.repeat([0, 1], [half, count - half])
        colours = ("blue", "red")
        self.agents = tuple(f"{colours[team]}_{i}" for i, team in enumerate(self.team.tolist()))
        rows = np.arange(count)
        # teammates first
        self._others = [
            [*rows[(self.team == self.team[i]) & (rows != i)], *rows[self.team != self.team[i]]]
            for i in rows
        ]
        self._names = [f"teammate_{k}" for k in range(half - 1)]
        self._names += [f"opponent_{k}" for k in range(half)]
        self.shown = self._entries()
        self._start()

    def _start(self) -> None:
        self.has_flag, self.is_tagged = np.zeros((2, self.count), np.bool_)
        self.cooldown = np.full(self.count, self.COOLDOWN)
        self.score = np.zeros(2)
        self._last = 0.0

    def _entries(self) -> tuple[Shown, ...]:
        places = ("opponent_home", "own_home", *(f"wall_{i}" for i in range(4)), "scrimmage_line")
        own = ("speed", *STATUS, "team_score", "opponent_score")
        theirs = ("bearing", "distance", "relative_heading", "speed", *STATUS)
        names = [f"{place}_{what}" for place in places for what in ("bearing", "distance")]
        names += [*own, *(f"{other}_{what}" for other in self._names for what in theirs)]
        free = ("distance", "speed")  # beyond the field, or beyond full speed
        return tuple(
            Shown(name, low=-np.inf if name.endswith("speed") else -1.0,
                  high=np.inf if name.endswith(free) else 1.0)
            for name in names
        )  # fmt: skip

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        """Place each team on its half, at one distance from the line, facing it."""
        self._start()
        east = random.uniform(20.0, 60.0)
        x[:, Y_] = np.where(self.team == 0, east, self.FIELD[0] - east)
        x[:, X_] = random.uniform(10.0, 70.0, len(x))
        x[:, PSI] = np.where(self.team == 0, 0.5 * pi, -0.5 * pi)

    def marks(self, i: int) -> list[Floats]:
        """Return the field with its line, and a circle around each flag."""
        (east, north), turn = self.FIELD, np.linspace(0.0, 2.0 * pi, 40)[:, None]
        edge = np.array([[0.0, 0.0], [north, 0.0], [north, east], [0.0, east], [0.0, 0.0]])
        line = np.array([[0.0, 0.5 * east], [north, 0.5 * east]])
        circle = self.CATCH * np.concatenate((np.cos(turn), np.sin(turn)), axis=1)
        return [edge, line, *(circle + flag[::-1] for flag in self.FLAGS)]

    def features(self, x: Floats) -> dict[str, Floats]:
        """Play the rules once, and return pyquaticus' observations in degrees, m, m/s and s."""
        here = x[:, [Y_, X_]]
        on_side = (here[:, 0] < 0.5 * self.FIELD[0]) == (self.team == 0)
        events = self._play(here, on_side)
        speed, heading = np.hypot(x[:, U_], x[:, V_]), x[:, PSI]
        found: dict[str, Any] = {
            **events,
            "speed": speed,
            "has_flag": self.has_flag * 1.0,
            "on_side": on_side * 1.0,
            "tagging_cooldown": self.cooldown.copy(),
            "is_tagged": self.is_tagged * 1.0,
            "team_score": self.score[self.team],
            "opponent_score": self.score[1 - self.team],
        }
        for name, place in self._places(here).items():
            east, north = (place - here).T
            bearing = wrapped(np.arctan2(east, north) - heading)
            found[f"{name}_bearing"] = np.degrees(bearing)
            found[f"{name}_distance"] = np.hypot(east, north)
        away, bearings = between(x)
        rows = np.arange(self.count)
        for name, other in zip(self._names, np.array(self._others).T, strict=True):
            found[f"{name}_bearing"] = np.degrees(bearings[rows, other])
            found[f"{name}_distance"] = away[rows, other]
            found[f"{name}_relative_heading"] = np.degrees(wrapped(-bearings[other, rows]))
            for what in ("speed", *STATUS):
                found[f"{name}_{what}"] = found[what][other]
        return found

    def observed(self, f: Features) -> NDArray[np.float32]:
        """Return the observations (N, n), from -1 to 1 over each entry's range, as pyquaticus."""
        columns = [self._normal(one.feature, f[one.feature]) for one in self.shown]
        return np.stack(columns, axis=-1).astype(np.float32)

    def reward(self, f: Features) -> Floats:
        """Return the sum of ``EVENTS``."""
        return np.asarray(sum(worth * f[name] for name, worth in self.EVENTS.items()))

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        """Return that all have ended at a full score: reached by the winners, failed by others."""
        return f["team_score"] >= self.SCORE, f["opponent_score"] >= self.SCORE

    def _places(self, here: Floats) -> dict[str, Floats]:
        """Return the places (N, 2) of flags, nearest points of walls and of the scrimmage line."""
        (length, width), red = self.FIELD, self.team == 1
        east, north = np.clip(here[:, 0], 0.0, length), np.clip(here[:, 1], 0.0, width)
        zero = np.zeros(self.count)
        # clockwise, the second behind the own flag
        walls = [
            np.stack((east, zero + np.where(red, width, 0.0)), axis=-1),
            np.stack((zero + np.where(red, length, 0.0), north), axis=-1),
            np.stack((east, zero + np.where(red, 0.0, width)), axis=-1),
            np.stack((zero + np.where(red, 0.0, length), north), axis=-1),
        ]
        return {
            "opponent_home": self.FLAGS[1 - self.team],
            "own_home": self.FLAGS[self.team],
            **{f"wall_{i}": wall for i, wall in enumerate(walls)},
            "scrimmage_line": np.stack((zero + 0.5 * length, north), axis=-1),
        }

    def _normal(self, name: str, values: Floats) -> Floats:
        most = {
            "distance": float(np.hypot(*self.FIELD)),
            "speed": self.scale.speed,
            "tagging_cooldown": self.COOLDOWN,
            "score": float(self.SCORE),
        }
        if name.endswith(("bearing", "heading")):
            return values / 180.0
        high = next((top for what, top in most.items() if name.endswith(what)), 1.0)
        return 2.0 * values / high - 1.0

    def _play(self, here: Floats, on_side: Flags) -> dict[str, Floats]:
        """Apply the rules to positions (N, 2), and return what happened to each vessel."""
        now = float(self.time[0])
        self.cooldown = np.minimum(self.cooldown + now - self._last, self.COOLDOWN)
        self._last = now
        events = {name: np.zeros(self.count) for name in self.EVENTS}
        outside = ((here <= 0.0) | (here >= self.FIELD)).any(axis=1)
        self._tag(outside & ~self.is_tagged, events)
        to_flag = np.hypot(*(here - self.FLAGS[1 - self.team]).T)
        for i in np.flatnonzero(~on_side & ~self.is_tagged & (to_flag < self.CATCH)):
            if not self.has_flag[self.team == self.team[i]].any():
                self.has_flag[i] = True
                events["grabs"][i] += 1.0
        away = np.hypot(*(here[:, None] - here).T)
        for i in np.flatnonzero(on_side & ~outside & ~self.is_tagged):
            if self.cooldown[i] < self.COOLDOWN:
                continue
            near = (away[i] < self.CATCH) & (self.team != self.team[i]) & ~on_side & ~self.is_tagged
            if near.any():
                self._tag(np.arange(self.count) == np.argmax(near), events)
                self.cooldown[i] = 0.0
                events["tags"][i] += 1.0
        home = np.hypot(*(here - self.FLAGS[self.team]).T) < self.CATCH
        self.is_tagged &= ~home
        for i in np.flatnonzero(on_side & self.has_flag):
            self.has_flag[i] = False
            self.score[self.team[i]] += 1.0
            events["captures"][self.team == self.team[i]] += 1.0
            events["conceded"][self.team != self.team[i]] += 1.0
        return events

    def _tag(self, which: Flags, events: dict[str, Floats]) -> None:
        self.is_tagged |= which
        self.has_flag &= ~which
        events["tagged"] += which


STATUS = ("has_flag", "on_side", "tagging_cooldown", "is_tagged")
GAMES: Mapping[str, type[Game]] = {one.__name__: one for one in (Convoy, Pursuit, AreaDefence)}


def between(x: Floats) -> tuple[Floats, Floats]:
    """Return ranges [m] and bearings from the bow [rad] (N, N) of each vessel to each other.

    The range of a vessel to itself is infinite.
    """
    north, east = (x[None, :, i] - x[:, None, i] for i in (X_, Y_))
    away = np.hypot(north, east)
    np.fill_diagonal(away, np.inf)
    return away, wrapped(np.arctan2(east, north) - x[:, None, PSI])


def _seen(name: str) -> tuple[Shown, ...]:
    return (
        Shown(f"{name}_range", "m", low=0.0),
        *direction(f"{name}_bearing"),
        *direction(f"{name}_crossing"),
        Shown(f"{name}_speed", "m/s", low=0.0),
    )
