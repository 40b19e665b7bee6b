"""Puts sensors aboard a vessel whose motion a test prescribes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from steerageway.vessel.sensors.reading import Reader
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.vessel.sensors.suite import Suite
from steerageway.vessel.sensors.truth import NANO

G = 9.81


def seed_of(sensor: str, stream: str) -> int:
    """Return a seed for each stream."""
    return int.from_bytes(hashlib.sha256(f"{sensor}.{stream}".encode()).digest()[:8])


class Vessel:
    """A vessel with sensors, moved from state to state, and their readings."""

    def __init__(self, sensors: Sequence[Sensor], names: Sequence[str] = ()) -> None:
        self.suite = Suite(sensors, G, seed_of)
        self.suite.track.names = tuple(names)

    def sail(self, times: Sequence[float], states: Sequence[Sequence[float]]) -> None:
        """Pass through states (eta, nu, its rate, actuators) at times [s], and measure."""
        whole = np.rint(np.array(times) * NANO).astype(np.int64)
        self.suite.track.take_steps(whole, np.array(states, np.float64))
        self.suite.measure()

    def readings(self, sensor: int = 0, until: float = 1e9) -> list[tuple[float, list[float]]]:
        """Return times [s] and numbers of the readings of a sensor."""
        arrived = self.suite.instruments[sensor].arrived(round(until * NANO))
        return [(reading.time / NANO, list(reading.numbers)) for reading in arrived]


@pytest.fixture
def aboard() -> Callable[..., Vessel]:
    """Return ``aboard(*lines, names=(), **about) -> Vessel``."""

    def make(*lines: str, names: Sequence[str] = (), **about: object) -> Vessel:
        reader = Reader(Aboard(**about))
        for number, line in enumerate(lines, 1):
            reader.line(line, f"test.moos:{number}")
        return Vessel(reader.finish(), names)

    return make


@pytest.fixture
def steady() -> Callable[..., list[float]]:
    """Return the row of a state: ``steady(x=, theta=, u=, r_dot=, ...)``; the rest is zero."""

    def row(*actuators: float, **state: float) -> list[float]:
        eta, nu = ("x", "y", "z", "phi", "theta", "psi"), ("u", "v", "w", "p", "q", "r")
        columns = (*eta, *nu, *(f"{name}_dot" for name in nu))
        assert not set(state) - set(columns)
        return [*(state.get(name, 0.0) for name in columns), *actuators]

    return row
