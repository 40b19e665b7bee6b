"""Sensor failures during a run: bias, scale, more noise, drift, stuck values, dropout.

    bias@0.1                             of all components
    angular_velocity_bias@0:0:0.01       of one part, a number for each component
    noise@3,dropout@0.2                  several failures

A failure affects measurements from an instant on. The covariances that the sensor publishes do not
change, since the sensor does not know of its failure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.sensors.noise import Changed, Seed
from steerageway.vessel.sensors.truth import Array
from steerageway.world.constants import NANO
from steerageway.world.numbers import read_finite

BIAS, SCALE, NOISE, RMS, DRIFT, STUCK, DROPOUT = (
    *("bias", "scale", "noise", "rms", "drift"),
    *("stuck", "dropout"),
)
OF_PARTS = (BIAS, SCALE, NOISE, RMS, DRIFT, STUCK)
NOT_NEGATIVE = (NOISE, RMS)
NEUTRAL = {BIAS: 0.0, SCALE: 0.0, NOISE: 1.0, RMS: 0.0, DRIFT: 0.0}
EXPECTED = (
    "expected bias@VALUE, scale@SHARE, noise@TIMES, rms@VALUE, drift@VALUE_A_SECOND, stuck, "
    "stuck@VALUE, dropout, dropout@SHARE (0 to 1), PART_ before them but dropout, several by "
    "commas, or none"
)


@dataclass(frozen=True)
class Failures:
    """Failures of a sensor with m components from an instant on.

    Attributes:
        since: the instant [ns].
        amounts: (m,) by type: added bias, error of the scale, factor on the noise, standard
            deviation of additional noise, drift per second.
        stays: (m,) whether a component is stuck; at: (m,) its value, NaN for the last one.
        dropout: fraction of the measurements that are lost.
    """

    since: int
    amounts: Mapping[str, Array]
    stays: NDArray[np.bool_]
    at: Array
    dropout: float


def read_failures(text: str, parts: Mapping[str, int], since: int) -> Failures | None:
    """Read the failures of a sensor from an instant [ns] on; None for ``none``.

    Args:
        parts: of the sensor: name -> number of components.

    Raises:
        InvalidValue: an unknown failure, or a part that the sensor does not have.
    """
    if text.strip().lower() == "none":
        return None
    size = sum(parts.values())
    found = Failures(
        since,
        {kind: np.full(size, neutral) for kind, neutral in NEUTRAL.items()},
        np.zeros(size, bool),
        np.full(size, np.nan),
        0.0,
    )
    for piece in text.split(","):
        name, at, value = (part.strip().lower() for part in piece.partition("@"))
        where, kind = _meant(name, parts, text)
        if kind == DROPOUT:
            found = replace(found, dropout=_share(at, value, text))
        elif kind == STUCK:
            found.stays[where] = True
            found.at[where] = _components(value, where, kind, text) if at else np.nan
        else:
            found.amounts[kind][where] = _components(value, where, kind, text)
    return found


def _meant(name: str, parts: Mapping[str, int], text: str) -> tuple[slice, str]:
    """Return the components and the type of a failure."""
    if name in (*OF_PARTS, DROPOUT):
        return slice(0, sum(parts.values())), name
    first = 0
    for part, size in parts.items():
        kind = name.removeprefix(f"{part}_")
        if kind != name and kind in OF_PARTS:
            return slice(first, first + size), kind
        first += size
    raise InvalidValue(f"{text}: {EXPECTED}; parts are {', '.join(parts)}")


def _components(value: str, where: slice, kind: str, text: str) -> Array:
    numbers = np.array([read_finite(piece, f"{text}: {kind}") for piece in value.split(":")])
    size = where.stop - where.start
    if len(numbers) not in (1, size) or (kind in NOT_NEGATIVE and (numbers < 0.0).any()):
        raise InvalidValue(f"{text}: {EXPECTED}; {size} components here")
    return np.full(size, numbers[0]) if len(numbers) == 1 else numbers


def _share(at: str, value: str, text: str) -> float:
    share = read_finite(value, f"{text}: {DROPOUT}") if at else 1.0
    if not 0.0 <= share <= 1.0:
        raise InvalidValue(f"{text}: {EXPECTED}")
    return share


class Failing:
    """A sensor's failures over time.

    Lost measurements and additional noise have separate random streams, with draws only for failed
    measurements, so that a failure does not change any other random number.
    """

    def __init__(self, seed: Seed) -> None:
        self._lost, self._more = (
            np.random.Generator(np.random.PCG64(seed(stream)))
            for stream in ("failure.dropout", "failure.noise")
        )
        self._coming: list[tuple[int, Failures | None]] = []
        self._now: Failures | None = None
        self._last: Array | None = None

    def fail(self, failures: Failures | None, since: int) -> None:
        """Schedule failures from an instant [ns] on; they replace the previous ones."""
        self._coming.append((since, failures))

    def spans(self, times: Sequence[int]) -> list[tuple[slice, Failures | None]]:
        """Return slices of times [ns], ascending, with the failures active in each."""
        if not self._coming:
            return [(slice(0, len(times)), self._now)]
        found, first = [], 0
        for since, failures in self._coming:
            end = int(np.searchsorted(times, since, side="left"))
            if end > first:
                found.append((slice(first, end), self._now))
                first = end
            if end < len(times):
                self._now = failures
        if times:
            self._coming = [
                (since, failures) for since, failures in self._coming if since > times[-1]
            ]
        if first < len(times):
            found.append((slice(first, len(times)), self._now))
        return found

    def changed(self, failures: Failures, times: Sequence[int]) -> Changed:
        """Return the changes of measurements at some times by failures."""
        amounts, size = failures.amounts, len(failures.at)
        passed = (np.array(times) - failures.since)[:, None] / NANO
        added = amounts[BIAS] + amounts[DRIFT] * passed
        if amounts[RMS].any():
            added = added + self._more.standard_normal((len(times), size)) * amounts[RMS]
        return Changed(1.0 + amounts[SCALE], added, amounts[NOISE])

    def held(self, failures: Failures, values: Array) -> Array:
        """Return values (n, m), with stuck components replaced."""
        last = values[0] if self._last is None else self._last
        at = np.where(np.isnan(failures.at), last, failures.at)
        return np.where(failures.stays, at, values)

    def kept(self, failures: Failures, count: int) -> NDArray[np.bool_] | None:
        """Return which of ``count`` measurements are not lost; None: all."""
        if failures.dropout == 0.0:
            return None
        return np.asarray(self._lost.random(count) >= failures.dropout)

    def note(self, values: Array) -> None:
        """Store the last published values, for components that get stuck."""
        if len(values):
            self._last = values[-1]
