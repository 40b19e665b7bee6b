"""A vessel's track between the states that a simulator tells: cubic Hermite interpolation.

Position and attitude (as a quaternion) have their values and rates at both ends of an interval,
and so have the velocities: all are interpolated by the cubic through values and rates, and
accelerations are the slope of the velocities' cubic. Nothing is extrapolated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vessel.sensors.attitude import (
    quaternion_rates,
    quaternions,
    rotations,
    turning,
)
from vessel.sensors.truth import (
    MOTION,
    NU,
    Array,
    P,
    Q,
    Surroundings,
    Times,
    Truth,
    V,
    W,
    into_ned,
)
from vessel.times import NANO

STATE = 18  # eta, nu and its rate; the actuators follow
GAP = 1.5  # intervals this much longer than usual are times in which nobody moved her
LEAP = np.repeat((0.01, 0.2), (7, 6))  # [m, rad], [m/s, rad/s]: changes beyond what rates explain

HERMITE = np.array(
    [
        [[1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1]],
        [[0, -6, 6, 0], [1, -4, 3, 0], [0, 6, -6, 0], [0, -2, 3, 0]],
    ]
).reshape(8, 4)
"""Coefficients, in rising powers of s in [0, 1], of what the first value, its rate, the second
value and its rate count for in the cubic over a length of 1, then in its slope."""


class Track:
    """The latest stretch of a vessel's track, in intervals between the states told of her.

    Attributes:
        names: of the actuators.
        start: the first state's time [ns]; end: the last one's; None before there are any.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.start: int | None = None
        self.end: int | None = None
        self._last: Array | None = None  # the last knot: its values and rates, (2, 13 + m)
        self._usual = 0
        self._ends = np.empty(0, np.int64)
        self._lengths = np.empty(0)
        self._gaps: NDArray[np.bool_] | None = None  # None: there is none
        # of the intervals: the knots they begin and end with (k, 2, 13 + m)
        self._first = self._second = np.empty((0, 2, MOTION))

    def take_steps(self, times: Times, states: Array) -> None:
        """Take states of a craft in six degrees of freedom, each after all before it.

        Args:
            times: (k,) [ns], ascending.
            states: (k, 18 + m) eta, nu over ground, its rate, and the actuators.
        """
        times, knots, new = self._joined(times, states.shape[1] - STATE)
        values, rates = new[:, 0], new[:, 1]
        values[:, P], values[:, NU] = states[:, 0:3], states[:, 6:12]
        values[:, MOTION:], rates[:, NU] = states[:, STATE:], states[:, 12:STATE]
        values[:, Q] = quaternions(states[:, 3:6])
        _align(knots[:, 0, Q])
        q = values[:, Q]
        rates[:, P] = into_ned(rotations(q), values[:, V])
        rates[:, Q] = quaternion_rates(q, values[:, W])
        self._settle(times, knots[:-1], knots[1:])

    def take_ticks(self, times: Times, states: Array) -> None:
        """Take states of a craft that tells where she is and where she goes, and no more.

        Between two of them her velocity in BODY changes evenly, and she turns evenly.

        Args:
            times: (k,) [ns], ascending.
            states: (k, 8) north, east, down, roll, pitch, yaw, and velocity over ground to
                north and east.
        """
        times, knots, new = self._joined(times, 0)
        new[:, 0, P], new[:, 1, 0:2] = states[:, 0:3], states[:, 6:8]
        new[:, 0, Q] = quaternions(states[:, 3:6])
        _align(knots[:, 0, Q])
        first, second = knots[:-1].copy(), knots[1:].copy()
        h = (times[1:] - times[:-1])[:, None] / NANO
        w = turning(first[:, 0, Q], second[:, 0, Q]) / h
        sinking = (second[:, 0, 2] - first[:, 0, 2]) / h[:, 0]
        for end in (first, second):
            end[:, 1, 2] = sinking
            end[:, 0, V] = np.matmul(end[:, 1, None, P], rotations(end[:, 0, Q]))[:, 0]
            end[:, 0, W] = w
            end[:, 1, Q] = quaternion_rates(end[:, 0, Q], w)
        first[:, 1, V] = second[:, 1, V] = (second[:, 0, V] - first[:, 0, V]) / h
        self._settle(times, first, second)

    def covered(self, times: Times) -> NDArray[np.bool_] | None:
        """Say which times (n,) [ns] lie in intervals through which she was moved; None: all."""
        return None if self._gaps is None else ~self._gaps[np.searchsorted(self._ends, times)]

    def at(self, times: Times, around: Surroundings, gravity: float) -> Truth:
        """Give the truth at times (n,) [ns], each within the states taken last."""
        i = np.searchsorted(self._ends, times)  # a time at a knot belongs to what led there
        h = self._lengths[i]
        s = 1 - (self._ends[i] - times) / (NANO * h)
        weights = _weights(s, h)
        ends = np.concatenate((self._first[i], self._second[i]), axis=1)
        whole = np.matmul(weights, ends[:, :, :MOTION])
        values = whole[:, 0]
        drives = ends[:, 0, MOTION:] + s[:, None] * (ends[:, 2, MOTION:] - ends[:, 0, MOTION:])
        shared = self.names, around, gravity
        return Truth(times, values, whole[:, 1], rotations(values[:, Q]), drives, shared)

    def _joined(self, times: Times, actuators: int) -> tuple[Times, Array, Array]:
        """Put the last knot before new ones: give the times, the knots, and a view of the new."""
        old = 0 if self._last is None else 1
        knots = np.zeros((len(times) + old, 2, MOTION + actuators))
        if self._last is not None:
            knots[0] = self._last
            times = np.concatenate((np.array((self.end,)), times))
        elif self.start is None:
            self.start = int(times[0])
        self.end, self._last = int(times[-1]), knots[-1]
        return times, knots, knots[old:]

    def _settle(self, times: Times, first: Array, second: Array) -> None:
        """Take intervals; find gaps in time, and hold her where she was until a leap."""
        if not len(first):
            return
        spans = times[1:] - times[:-1]
        self._ends, self._lengths = times[1:], spans / NANO
        lengths = spans.tolist()
        self._usual = min(self._usual or lengths[0], *lengths)
        self._gaps = spans > GAP * self._usual if max(lengths) > GAP * self._usual else None
        explained = self._lengths[:, None] / 2 * (first[:, 1] + second[:, 1])
        odd = np.abs(second[:, 0] - first[:, 0] - explained)[:, :MOTION]
        if np.count_nonzero(odd > LEAP):  # seldom; then it is worth a closer look
            first, second = _held(first, second, self._lengths, odd)
        self._first, self._second = first, second


def _held(first: Array, second: Array, lengths: Array, odd: Array) -> tuple[Array, Array]:
    """Give intervals in which she is where she was where she leaps.

    Args:
        first, second: (k, 2, 13 + m) the knots they begin and end with.
        lengths: (k,) [s].
        odd: (k, 13) how far the changes are from what the mean rates explain.
    """
    most = lengths * (np.abs(first[:, 1]).max(axis=1) + np.abs(second[:, 1]).max(axis=1))
    leaps = (odd > LEAP + most[:, None]).any(axis=1)
    first, second = first.copy(), second.copy()
    first[leaps, 1] = 0.0
    second[leaps] = first[leaps]
    return first, second


def _align(q: Array) -> None:
    """Give each quaternion of a row of them, in place, the sign nearer to the one before."""
    turned = np.einsum("ij,ij->i", q[1:], q[:-1]) < 0
    if np.count_nonzero(turned):
        q[1:][np.logical_xor.accumulate(turned)] *= -1


def _weights(s: Array, h: Array) -> Array:
    """Give what the ends' values and rates count for (n, 2, 4), in the value, then in the rate.

    Args:
        s: (n,) shares of the intervals that have passed. h: (n,) lengths of these [s].
    """
    powers = np.ones((len(s), 4))
    powers[:, 1] = s
    np.multiply(s, s, out=powers[:, 2])
    np.multiply(powers[:, 2], s, out=powers[:, 3])
    weights: Array = (powers @ HERMITE.T).reshape(-1, 2, 4)
    weights[:, 0, 1::2] *= h[:, None]
    weights[:, 1, 0::2] /= h[:, None]
    return weights
