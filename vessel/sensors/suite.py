"""The sensors of a vessel: measurements at their own times, from one interpolated track.

The track is interpolated once for all measurements within its newest part, sorted by sensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.sensors.failures import Failing, Failures, read_failures
from steerageway.vessel.sensors.noise import Noise
from steerageway.vessel.sensors.sensor import Reading, Sensor
from steerageway.vessel.sensors.track import Track
from steerageway.vessel.sensors.truth import Array, Surroundings, Times, Truth
from steerageway.world.constants import NANO


class Instrument:
    """A sensor with its noise and failures, and the readings that are not published yet.

    Attributes:
        sensor: of the instrument.
        last: the time up to which it has measured [ns]; None before the first measurement.
        posted, lost: numbers of published and of lost measurements.
    """

    def __init__(self, sensor: Sensor, seed: Callable[[str], int]) -> None:
        self.sensor = sensor
        numerator, denominator = sensor.period
        period = numerator / denominator / NANO
        self._noise = Noise(sensor.errors, sensor.faults, period, seed)
        self._failing = Failing(seed)
        self._waiting: list[Reading] = []
        self.last: int | None = None
        self.posted = self.lost = 0

    def due(self, start: int, end: int) -> list[int]:
        """Return the times [ns] of measurements up to ``end``, since the last call or ``start``."""
        times = self.sensor.times(start if self.last is None else self.last, end)
        self.last = end
        return times

    def fail(self, text: str, since: int) -> None:
        """Set failures from an instant [ns] on, see ``read_failures``; ``none`` ends them.

        Raises:
            InvalidValue: as ``read_failures``.
        """
        self._failing.fail(read_failures(text, self.sensor.parts, since), since)

    def measure(self, times: Sequence[int], truth: Truth) -> None:
        """Measure at times [ns], given the truth at them."""
        spans = self._failing.spans(times)
        for some, failures in spans:
            part = truth if len(spans) == 1 else truth.part(some)
            self._measure(times[some], part, failures)

    def _measure(self, times: Sequence[int], truth: Truth, failures: Failures | None) -> None:
        sensor = self.sensor
        true = sensor.measure(truth)
        if failures is None:
            values, kept = self._noise.measured(true)
        else:
            values, kept = self._failed(true, times, failures)
        seen = sensor.seen(truth, true)
        if seen is not None:
            kept = seen if kept is None else kept & seen
        lost = 0 if kept is None else len(times) - int(np.count_nonzero(kept))
        if kept is not None and lost:
            self.lost += lost
            values = values[kept]
            times = [time for time, one in zip(times, kept.tolist(), strict=True) if one]
        if times:
            self._failing.note(values)
            self._waiting += sensor.readings(times, values)

    def _failed(
        self, true: Array, times: Sequence[int], failures: Failures
    ) -> tuple[Array, NDArray[np.bool_] | None]:
        """Return measured values with failures, and which are not lost."""
        failing = self._failing
        values, kept = self._noise.measured(true, failing.changed(failures, times))
        values, come = failing.held(failures, values), failing.kept(failures, len(times))
        if come is None or kept is None:
            return values, come if kept is None else kept
        return values, kept & come

    def arrived(self, now: int) -> Sequence[Reading]:
        """Return, and remove, the readings whose latency has passed at an instant [ns]."""
        waiting, limit = self._waiting, now - self.sensor.latency
        count = len(waiting)
        if count and waiting[-1].time > limit:
            count = next(k for k, one in enumerate(waiting) if one.time > limit)
        self._waiting = waiting[count:]
        self.posted += count
        return waiting[:count]


class Suite:
    """The sensors of a vessel.

    Attributes:
        instruments: one for each sensor.
        track, around: the motion and surroundings they measure; filled by the caller.
    """

    def __init__(
        self, sensors: Iterable[Sensor], gravity: float, seed: Callable[[str, str], int]
    ) -> None:
        """Add sensors; ``seed`` returns a seed by the names of sensor and stream."""
        self.instruments = [Instrument(sensor, partial(seed, sensor.name)) for sensor in sensors]
        self.track, self.around = Track(), Surroundings()
        self._gravity = gravity

    def measure(self) -> None:
        """Take all measurements due within the track that have not been taken yet."""
        track = self.track
        if track.start is None or track.end is None or track.end == track.start:
            return
        batches = []
        for instrument in self.instruments:
            times = instrument.due(track.start - 1, track.end)
            if times:
                batches.append((instrument, times))
        if batches:
            whole = np.array([time for _, times in batches for time in times], np.int64)
            self._measure(batches, whole)
        self.around.forget(track.end)

    def _measure(self, batches: list[tuple[Instrument, list[int]]], whole: Times) -> None:
        covered = self.track.covered(whole)
        if covered is not None:
            whole, marks = whole[covered], iter(covered.tolist())
            batches = [(one, [t for t in times if next(marks)]) for one, times in batches]
        truth = self.track.at(whole, self.around, self._gravity)
        if len(batches) == 1 and batches[0][1]:
            batches[0][0].measure(batches[0][1], truth)
            return
        first = 0
        for instrument, times in batches:
            if times:
                instrument.measure(times, truth.part(slice(first, first + len(times))))
                first += len(times)
