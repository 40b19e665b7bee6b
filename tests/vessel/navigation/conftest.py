"""A vessel whose motion is known in closed form, its sensors, and a filter that listens to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pytest
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.navigation import NavigationFilter, Solution, Tuning, read_instruments
from steerageway.vessel.navigation.estimate import rotation_vector
from steerageway.vessel.sensors.reading import Reader
from steerageway.vessel.sensors.sensor import Aboard
from steerageway.vessel.sensors.suite import Suite
from steerageway.vessel.sensors.truth import WATER
from steerageway.world.constants import NANO

Array = NDArray[np.float64]
G, STEP, TICK = 9.81, 0.02, 10


class Motion:
    """A vessel that turns, rolls, pitches and heaves, in BODY and NED, for ever."""

    def attitude(self, t: Array) -> Array:
        """Return roll, pitch, yaw (n, 3)."""
        angles = (
            0.08 * np.sin(1.1 * t),
            0.05 * np.sin(0.9 * t + 1),
            0.05 * t + 0.3 * np.sin(0.2 * t),
        )
        return np.stack(angles, -1)

    def velocity(self, t: Array) -> Array:
        """Return the velocity in BODY (n, 3)."""
        parts = 1.5 + 0.3 * np.sin(0.15 * t), 0.1 * np.sin(0.3 * t), 0.05 * np.cos(0.7 * t)
        return np.stack(parts, -1)

    def rate(self, t: Array) -> Array:
        """Return the angular velocity in BODY (n, 3), from the angles' rates."""
        roll, pitch, _ = self.attitude(t).T
        dr, dp = 0.088 * np.cos(1.1 * t), 0.045 * np.cos(0.9 * t + 1)
        dy = 0.05 + 0.06 * np.cos(0.2 * t)
        return np.stack(
            (
                dr - np.sin(pitch) * dy,
                np.cos(roll) * dp + np.cos(pitch) * np.sin(roll) * dy,
                -np.sin(roll) * dp + np.cos(pitch) * np.cos(roll) * dy,
            ),
            -1,
        )


@cache
def states(seconds: int) -> tuple[Array, Array]:
    """Return times (n,) [s] and rows (n, 18) of eta, nu and its rate."""
    motion = Motion()
    t = np.arange(round(seconds / STEP) + 1) * STEP
    eta, nu = np.zeros((len(t), 6)), np.hstack((motion.velocity(t), motion.rate(t)))
    eta[:, 3:] = motion.attitude(t)

    def over_ground(times: Array) -> Array:
        R = np.array([eul_to_rotm(angles) for angles in motion.attitude(times)])
        return np.einsum("nij,nj->ni", R, motion.velocity(times))

    whole, half = over_ground(t), over_ground(t[:-1] + STEP / 2)
    steps = STEP / 6 * (whole[:-1] + 4 * half + whole[1:])  # Simpson's rule
    eta[1:, :3] = np.cumsum(steps, axis=0)
    eta[:, 2] += 5.0
    h = 1e-5
    both = [np.hstack((motion.velocity(t + d), motion.rate(t + d))) for d in (-h, h)]
    return t, np.hstack((eta, nu, (both[1] - both[0]) / (2 * h)))


class Voyage:
    """The results of a filter, tick by tick, with the truth.

    Attributes: times [s]; errors (n, 9) of position, velocity and attitude; solutions.
    """

    def __init__(self, navigation: NavigationFilter) -> None:
        self.navigation = navigation
        self.times: list[float] = []
        self.errors: list[Array] = []
        self.solutions: list[Solution] = []

    def note(self, row: Array, solution: Solution) -> None:
        """Record a solution with the true state of its time."""
        R = eul_to_rotm(row[3:6])
        turned = rotation_vector(eul_to_rotm(solution.attitude).T @ R)
        parts = row[:3] - solution.position, R @ row[6:9] - solution.velocity, turned
        self.errors.append(np.concatenate(parts))
        self.times.append(solution.time / NANO)
        self.solutions.append(solution)

    def nees(self, size: int = 9) -> Array:
        """Return the normalised squared errors (n,) of the first components."""
        pairs = zip(self.errors, self.solutions, strict=True)
        return np.array(
            [e[:size] @ np.linalg.solve(s.covariance[:size, :size], e[:size]) for e, s in pairs]
        )


def seed_of(seed: int, sensor: str, stream: str) -> int:
    """Return a seed for each stream."""
    return int.from_bytes(hashlib.sha256(f"{seed}.{sensor}.{stream}".encode()).digest()[:8])


@pytest.fixture
def voyage() -> Callable[..., Voyage]:
    """Return ``voyage(*sensor lines, seconds=, seed=, tuning=, water=, ...) -> Voyage``.

    ``kind`` is the filter's class, and ``descriptions`` a list that gets the sensors' description.
    """

    def sail(
        *lines: str,
        seconds: int = 60,
        seed: int = 1,
        tuning: Tuning | None = None,
        water: tuple[float, float] = (0.0, 0.0),
        kind: type[NavigationFilter] = NavigationFilter,
        descriptions: list[str] | None = None,
    ) -> Voyage:
        reader = Reader(Aboard())
        for number, line in enumerate(lines, 1):
            reader.line(line, f"test.moos:{number}")
        suite = Suite(reader.finish(), G, partial(seed_of, seed))
        suite.around.note(0, WATER, (*water, 0.0))
        described = json.dumps([one.sensor.description() for one in suite.instruments])
        if descriptions is not None:
            descriptions.append(described)
        navigation = kind(read_instruments(described), tuning or Tuning())
        done = Voyage(navigation)
        t, rows = states(seconds)
        nanos = np.rint(t * NANO).astype(np.int64)
        known = dict(zip(nanos.tolist(), rows, strict=True))
        for first in range(0, len(t), TICK):
            part = slice(first, first + TICK)
            suite.track.take_steps(nanos[part], rows[part])
            suite.measure()
            for one in suite.instruments:
                for record in one.arrived(int(nanos[part][-1])):
                    navigation.take(one.sensor.name, json.loads(record.record))
            navigation.work()
            solution = navigation.solution()
            if solution is not None and solution.time in known:
                done.note(known[solution.time], solution)
        return done

    return sail
