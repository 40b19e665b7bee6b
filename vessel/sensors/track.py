"""A vessel's track between the simulator's states, by cubic Hermite interpolation.

Position, attitude (as a quaternion) and velocities have values and rates at both ends of an
interval, and are interpolated by the cubic through them; accelerations are the slope of the
velocities' cubic. There is no extrapolation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.sensors.attitude import rotations
from steerageway.vessel.sensors.knots import Quaternion, between_ticks, of_step, quaternion
from steerageway.vessel.sensors.truth import MOTION, Array, Q, Surroundings, Times, Truth
from steerageway.world.constants import NANO

STATE = 18  # eta, nu and its rate; the actuators follow
GAP = 1.5  # intervals longer than the usual one by this factor are gaps, as in a paused simulation
# Changes beyond those explained by the rates that mark a jump [m, -], [m/s, rad/s].
LEAP = np.repeat((0.01, 0.2), (7, 6))
REMEMBERED = 256  # maximum number of patterns of times with cached weights

HERMITE = np.array(
    [
        [[1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1]],
        [[0, -6, 6, 0], [1, -4, 3, 0], [0, 6, -6, 0], [0, -2, 3, 0]],
    ]
).reshape(8, 4)
"""Coefficients, in ascending powers of s in [0, 1], of the weights of first value, its rate, second
value and its rate in the cubic over a unit interval, then in its slope."""


Places = NDArray[np.intp]


class Track:
    """The newest part of a vessel's track, as intervals between the simulator's states.

    Attributes:
        names: of the actuators.
        start: time of the first state [ns]; end: of the last one; None before the first.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.start: int | None = None
        self.end: int | None = None
        self._last: list[list[float]] = []  # the last knot or state, start of the next interval
        self._quaternion: Quaternion | None = None
        self._usual = 0
        self._spans: tuple[int, ...] = ()
        self._ends = np.empty(0, np.int64)
        self._gaps: NDArray[np.bool_] | None = None  # None: no gaps
        # The i-th interval has rows 2i to 2i + 3, or 4i to 4i + 3 if knots have two sides: values
        # and rates at its start, then those at its end; (.., 13 + m).
        self._rows, self._stride = np.empty((0, MOTION)), 2
        self._known: dict[tuple[bytes, tuple[int, ...], int], tuple[Places, Array]] = {}

    def take_steps(self, times: Sequence[int], states: Sequence[Sequence[float]]) -> None:
        """Add states of a craft in six degrees of freedom, in order of time.

        Args:
            times: (k,) [ns], ascending.
            states: (k, 18 + m) eta, nu over ground, its rate, and the actuators.
        """
        rows = [*self._last]
        for state in _listed(states):
            knot = of_step(state, self._quaternion)
            a, b, c, d = knot[0][Q]
            self._quaternion = a, b, c, d
            rows += knot
        self._last = rows[-2:]
        self._set_intervals(_listed(times), np.array(rows), 2)

    def take_ticks(self, times: Sequence[int], states: Sequence[Sequence[float]]) -> None:
        """Add states of a craft with pose and planar velocity only, in order of time.

        Between two of them the velocity in BODY is linear, and the angular velocity constant.

        Args:
            times: (k,) [ns], ascending.
            states: (k, 8) north, east, down, roll, pitch, yaw, and velocity over ground to
                north and east.
        """
        rows: list[list[float]] = []
        before, instants = self.end, _listed(times)
        for instant, state in zip(instants, _listed(states), strict=True):
            x, y, z, phi, theta, psi, north, east = state
            self._quaternion = quaternion(phi, theta, psi, self._quaternion)
            knot = [x, y, z, *self._quaternion, north, east]
            if before is not None:
                rows += between_ticks(self._last[0], knot, (instant - before) / NANO)
            self._last, before = [knot], instant
        self._set_intervals(instants, np.array(rows), 4)

    def covered(self, times: Times) -> NDArray[np.bool_] | None:
        """Return which times (n,) [ns] lie in intervals that are no gaps; None: all."""
        return None if self._gaps is None else ~self._gaps[np.searchsorted(self._ends, times)]

    def at(self, times: Times, around: Surroundings, gravity: float) -> Truth:
        """Return the truth at times (n,) [ns], each within the states added last."""
        places, weights = self._weights(times)
        rows = np.matmul(weights, self._rows.take(places, axis=0))
        shared = self.names, around, gravity
        return Truth(times, rows, rotations(rows[:, 0, Q]), shared)

    def _weights(self, times: Times) -> tuple[Places, Array]:
        """Return the indices of the rows (n, 4) and their weights (n, 3, 4) at times (n,).

        Both depend on differences of times only, which repeat at constant rates, so are cached.
        """
        ends = self._ends
        key = (times - ends[0]).tobytes(), self._spans, self._stride
        known = self._known.get(key)
        if known is None:
            if len(self._known) == REMEMBERED:
                self._known.clear()
            i = np.searchsorted(ends, times)  # a time at a knot belongs to the interval before
            h = np.array(self._spans)[i] / NANO
            s = 1 - (ends[i] - times) / (NANO * h)
            places = self._stride * i[:, None] + np.arange(4)
            known = self._known[key] = places, _weights(s, h)
        return known

    def _set_intervals(self, times: Sequence[int], rows: Array, stride: int) -> None:
        """Set the intervals that end at times; mark gaps, and replace jumps by constant motion."""
        if self.start is None:
            self.start = self.end = times[0]
            times = times[1:]
        assert self.end is not None
        if not times:
            return
        spans = [end - start for start, end in zip((self.end, *times), times, strict=False)]
        self.end, self._spans = times[-1], tuple(spans)
        self._ends = np.array(times, np.int64)
        self._rows, self._stride = rows, stride
        self._usual = min(self._usual or spans[0], *spans)
        longest = GAP * self._usual
        self._gaps = np.array(spans) > longest if max(spans) > longest else None
        lengths = np.array(spans) / NANO
        knots = rows.reshape(-1, 2, rows.shape[1])
        first, second = knots[: -1 : stride // 2], knots[1 :: stride // 2]
        explained = lengths[:, None] / 2 * (first[:, 1] + second[:, 1])
        odd = np.abs(second[:, 0] - first[:, 0] - explained)[:, :MOTION]
        if np.count_nonzero(odd > LEAP):  # rare: a jump, or strongly varying rates
            held = _held(first, second, lengths, odd)
            self._rows, self._stride = np.stack(held, axis=1).reshape(-1, rows.shape[1]), 4


def _held(first: Array, second: Array, lengths: Array, odd: Array) -> tuple[Array, Array]:
    """Return the knots with constant values over intervals that contain a jump.

    Args:
        first, second: (k, 2, 13 + m) knots at start and end.
        lengths: (k,) [s].
        odd: (k, 13) changes less those explained by the mean rates, absolute.
    """
    most = lengths * (np.abs(first[:, 1]).max(axis=1) + np.abs(second[:, 1]).max(axis=1))
    leaps = (odd > LEAP + most[:, None]).any(axis=1)
    first, second = first.copy(), second.copy()
    first[leaps, 1] = 0.0
    second[leaps] = first[leaps]
    return first, second


def _listed(rows: Any) -> Any:
    """Return an array's rows as lists, and lists as they are."""
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def _weights(s: Array, h: Array) -> Array:
    """Return the weights (n, 3, 4) of values and rates at both ends of the intervals.

    For the value, for its rate, and for linear interpolation.

    Args:
        s: (n,) elapsed fractions of the intervals. h: (n,) lengths of the intervals [s].
    """
    weights = np.zeros((len(s), 3, 4))
    weights[:, :2] = (s[:, None] ** np.arange(4) @ HERMITE.T).reshape(-1, 2, 4)
    weights[:, 0, 1::2] *= h[:, None]
    weights[:, 1, 0::2] /= h[:, None]
    weights[:, 2, 0], weights[:, 2, 2] = 1 - s, s
    return weights
