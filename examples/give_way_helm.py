"""A written policy that gives way, and an app that helms a vessel of a mission by it.

``give_way.py`` scores the policy in the learning environment ``Encounter``; ``steerageway colregs``
scores the app in its suites, in place of the helm:

    cd examples
    steerageway colregs --suite imazu --seeds 1 --app pHelmIvP=give_way_helm:GiveWayHelm
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steerageway import App, Options, declare
from steerageway.bus import Message
from steerageway.moos.node_report import parse

PASSING = 10.0  # wanted distance of the closest approach, in vessel lengths
EARLY = 40.0  # gives way within it, in vessel lengths
LATE = 20.0  # within it, also for a vessel that should give way and does not (rule 17)
TURN = np.radians(60.0)  # of a vessel that gives way, to starboard: readily apparent (rule 8)
ABAFT = np.radians(112.5)  # a vessel further aft overtakes, and keeps out of the way (rule 13)
AHEAD = np.radians(15.0)  # a vessel so far to port is still ahead: both turn (rule 14)


class GivesWay:
    """Turns to starboard until it may resume its way: for others than these, late."""

    def __init__(self, length: float) -> None:
        """Take the own length [m]."""
        self._length, self._giving = length, np.array(False)

    def course(self, f: Mapping[str, Any], *, together: bool = False) -> Any:
        """Return the wanted courses, from the way's [rad], by features as those of ``Encounter``.

        Args:
            f: each (N,), of N own vessels with one other; or ``together``, of one own with N.
        """
        L = self._length
        way = np.arctan2(-f["cross_track"], 5.0 * L)  # the course of the line of sight
        closest, until = approach(f, way - f["course_error"])
        risk = (until > 0.0) & (closest < PASSING * L)
        theirs = (f["bearing"] < -AHEAD) | (f["bearing"] > ABAFT)
        soon = f["range"] < np.where(theirs, LATE, EARLY) * L
        self._giving = risk & (self._giving | soon)
        return np.where(self._giving.any() if together else self._giving, TURN, way)


def approach(f: Mapping[str, Any], turn: Any) -> tuple[Any, Any]:
    """Return the distance of the closest approach (N,) [m], and the time until it [s].

    Args:
        f: the features. turn: of the own vessel before, at the same speed [rad].
    """
    place = f["range"] * np.array([np.cos(f["bearing"]), np.sin(f["bearing"])])
    theirs = f["other_speed"] * np.array([np.cos(f["crossing"]), np.sin(f["crossing"])])
    own = np.hypot(f["u"], f["v"]) * np.array([np.cos(turn), np.sin(turn)])
    relative = (theirs.T - own.T).T
    until = -(place * relative).sum(axis=0) / np.maximum((relative**2).sum(axis=0), 1e-12)
    return np.hypot(*(place + until * relative)), until


@dataclass(frozen=True)
class HelmOptions(Options):
    """Parameters of the configuration block."""

    length: float = declare.number(4.0, "of the own vessel", unit="m", above=0)


class GiveWayHelm(App):
    """Posts course and speed along ROUTE, and gives way to the vessels of NODE_REPORT."""

    publishes = ("DESIRED_HEADING", "DESIRED_SPEED")
    parameters = HelmOptions.parameters()
    own = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")

    def configure(self) -> None:
        self._length = HelmOptions.read(self.config).length
        self._heard: dict[str, float] = {}
        self._others: dict[str, tuple[float, float, float, float]] = {}
        self._policies: dict[tuple[str, ...], GivesWay] = {}
        self._start: tuple[float, float] | None = None
        self._goal, self._speed = (0.0, 0.0), 0.0

    def on_start(self) -> None:
        self.register(*self.own, "NODE_REPORT", "ROUTE")

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if message.name == "ROUTE":
                points, _, speed = str(message.value).partition("#")
                east, north = points.strip().removeprefix("points=").split(":")[-1].split(",")
                self._goal, self._speed = (float(east), float(north)), float(speed.split("=")[1])
            elif message.name == "NODE_REPORT":
                one = parse(str(message.value))
                if None not in (one.x, one.y, one.heading, one.speed):
                    self._others[one.name] = one.x, one.y, one.heading, one.speed  # type: ignore[assignment]
            else:
                self._heard[message.name] = float(message.value)

    def iterate(self) -> None:
        if len(self._heard) < len(self.own) or not self._speed:
            return
        x, y, heading, speed = (self._heard[name] for name in self.own)
        self._start = self._start or (x, y)
        way = np.arctan2(self._goal[0] - self._start[0], self._goal[1] - self._start[1])
        course = way + self._turn(x, y, np.radians(heading), speed, way)
        self.post("DESIRED_HEADING", float(np.degrees(course)) % 360.0)
        self.post("DESIRED_SPEED", self._speed)

    def _turn(self, x: float, y: float, heading: float, speed: float, way: float) -> float:
        """Return the wanted course, from the way's [rad]."""
        east, north = self._start or (x, y)
        cross = np.cos(way) * (x - east) - np.sin(way) * (y - north)
        names = tuple(sorted(self._others))
        if not names:
            return float(np.arctan2(-cross, 5.0 * self._length))
        rows = np.array([self._others[name] for name in names])
        place = rows[:, :2] - [x, y]
        features = {
            "cross_track": cross,
            "course_error": heading - way,
            "range": np.hypot(*place.T),
            "bearing": wrapped(np.arctan2(place[:, 0], place[:, 1]) - heading),
            "crossing": np.radians(rows[:, 2]) - heading,
            "other_speed": rows[:, 3],
            "u": speed,
            "v": 0.0,
        }
        policy = self._policies.setdefault(names, GivesWay(self._length))
        return float(policy.course(features, together=True))


def wrapped(angle: Any) -> Any:
    """Return angles within -pi to pi [rad]."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
