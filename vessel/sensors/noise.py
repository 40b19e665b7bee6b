"""Sensor error model: white noise, bias, drift, scale, limits, resolution, outliers, dropout.

    measured = quantised(bounded((1 + scale) true + bias + drift + white noise))

The drift is a first-order Gauss-Markov process, b(k+1) = exp(-T / tau) b(k) + w(k), started in its
steady state. An outlier is a measurement with its white noise multiplied by ``outlier_scale``.

Source: J. Farrell (2008), Aided Navigation, chapter 4 (Gauss-Markov processes in discrete time).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.sensors.truth import Array

BLOCK = 512  # number of measurements for which errors are drawn at once; no effect on results
ROUNDING = 1e-6  # relative tolerance of a covariance, which files contain with few digits

Seed = Callable[[str], int]
"""Returns the seed of a stream by its name."""


@dataclass(frozen=True)
class Errors:
    """Errors of one part of a sensor, with m components, or of all its parts concatenated.

    Attributes:
        covariance: (m, m) of the white noise.
        bias: (m,) constant.
        drift_rms: (m,) of the drift in its steady state; drift_time: (m,) its time constant [s].
        scale: (m,) error of the scale; 0.01 is 1 %.
        limit: (m,) maximum magnitude of a value.
        resolution: (m,) values are rounded to multiples of it; 0: not rounded.
    """

    covariance: Array
    bias: Array
    drift_rms: Array
    drift_time: Array
    scale: Array
    limit: Array
    resolution: Array

    @classmethod
    def of(cls, parts: Sequence[Errors]) -> Errors:
        """Return the concatenated errors of parts, with independent noises."""
        sizes = [len(part.bias) for part in parts]
        whole = np.zeros((sum(sizes), sum(sizes)))
        first = 0
        for part, size in zip(parts, sizes, strict=True):
            whole[first : first + size, first : first + size] = part.covariance
            first += size
        names = [field.name for field in fields(cls)][1:]
        joined = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
        return cls(whole, *joined)


@dataclass(frozen=True)
class Faults:
    """Faults of whole measurements of a sensor.

    Attributes:
        dropout: fraction that is lost. outlier_rate: fraction that are outliers.
        outlier_scale: factor on the white noise of outliers.
    """

    dropout: float = 0.0
    outlier_rate: float = 0.0
    outlier_scale: float = 10.0


class Changed(NamedTuple):
    """Changes of n measurements with m components by a failure.

    Attributes:
        scale: (m,) factor on the true values. added: (n, m). noise: (m,) factor on the noise.
    """

    scale: Array
    added: Array
    noise: Array


def factor(covariance: Array) -> Array:
    """Return L with L L' = covariance, which may be singular (Cholesky with pivoting).

    Raises:
        InvalidValue: the covariance is not symmetric, or not positive semidefinite.
    """
    largest = float(np.abs(covariance).max())
    if np.abs(covariance - covariance.T).max() > ROUNDING * largest:
        raise InvalidValue("not symmetric")
    least = float(np.linalg.eigvalsh(covariance)[0])
    if least < -ROUNDING * largest:
        raise InvalidValue(f"not positive semidefinite: it has the eigenvalue {least:.6g}")
    own = covariance.diagonal()
    shares = np.where(own > 0, own, np.inf)
    L, rest = np.zeros_like(covariance), covariance.copy()
    for _ in own:
        j = int((rest.diagonal() / shares).argmax())
        # No variance is left beyond rounding: the covariance is singular, other columns are 0.
        if rest[j, j] <= ROUNDING * own[j]:
            break
        L[:, j] = rest[:, j] / sqrt(rest[j, j])
        rest -= np.outer(L[:, j], L[:, j])
    return L


class Noise:
    """Draws a sensor's errors, measurement by measurement.

    Each type of error has a separate random stream, so that enabling one does not change another.
    """

    def __init__(self, errors: Errors, faults: Faults, period: float, seed: Seed) -> None:
        self._errors, self._faults = errors, faults
        self._factor = factor(errors.covariance).T
        self._white, self._drifting, self._lost, self._outlying = (
            np.random.Generator(np.random.PCG64(seed(stream)))
            for stream in ("noise", "drift", "dropout", "outlier")
        )
        self._drifts = bool(errors.drift_rms.any())
        self._memory = np.exp(-period / errors.drift_time)
        self._drift: Array = self._drifting.standard_normal(len(errors.bias)) * errors.drift_rms
        self._scale = 1 + errors.scale if errors.scale.any() else None
        self._bounds = bool(np.isfinite(errors.limit).any())
        self._rounded = errors.resolution > 0 if errors.resolution.any() else None
        self._offsets = self._noise = np.empty((0, len(errors.bias)))
        self._kept = np.empty(0, bool)
        self._next = 0

    def measured(
        self, true: Array, changed: Changed | None = None
    ) -> tuple[Array, NDArray[np.bool_] | None]:
        """Return measured values for true ones (n, m), and which of n are not lost; None: all."""
        if changed is not None:
            return self._across_blocks(true * changed.scale, changed)
        first, end = self._next, self._next + len(true)
        if end <= len(self._kept):
            self._next = end
            kept = self._kept[first:end] if self._faults.dropout else None
            return self._apply(true, self._offsets[first:end]), kept
        return self._across_blocks(true)

    def _across_blocks(
        self, true: Array, changed: Changed | None = None
    ) -> tuple[Array, NDArray[np.bool_]]:
        values, kept, done = [], [], 0
        while len(true):
            if self._next == len(self._kept):
                self._draw()
            count = min(len(true), len(self._kept) - self._next)
            drawn = slice(self._next, self._next + count)
            offsets = self._offsets[drawn]
            if changed is not None:
                more = (changed.noise - 1.0) * self._noise[drawn]
                offsets = offsets + changed.added[done : done + count] + more
            values.append(self._apply(true[:count], offsets))
            kept.append(self._kept[drawn])
            self._next += count
            done += count
            true = true[count:]
        return np.concatenate(values), np.concatenate(kept)

    def _apply(self, true: Array, offsets: Array) -> Array:
        values: Array = (true if self._scale is None else true * self._scale) + offsets
        if self._bounds:
            values = np.clip(values, -self._errors.limit, self._errors.limit)
        if self._rounded is not None:
            steps = self._errors.resolution[self._rounded]
            values[:, self._rounded] = np.rint(values[:, self._rounded] / steps) * steps
        return values

    def _draw(self) -> None:
        """Draw the next block."""
        # Always whole blocks, so that results do not depend on how many measurements are asked
        # for at a time.
        errors, faults = self._errors, self._faults
        size = len(errors.bias)
        noise = self._white.standard_normal((BLOCK, size)) @ self._factor
        if faults.outlier_rate > 0:
            noise[self._outlying.random(BLOCK) < faults.outlier_rate] *= faults.outlier_scale
        offsets = noise + errors.bias
        if self._drifts:
            offsets += self._walk()
        lost = self._lost.random(BLOCK) < faults.dropout
        self._offsets, self._noise, self._kept, self._next = offsets, noise, ~lost, 0

    def _walk(self) -> Array:
        """Return the next block of the drift."""
        memory, rms = self._memory, self._errors.drift_rms
        kicks = self._drifting.standard_normal((BLOCK, len(rms))) * (rms * np.sqrt(1 - memory**2))
        walk: Array = np.zeros_like(kicks)
        for i in np.flatnonzero(rms).tolist():
            step = partial(_step, float(memory[i]))
            steps = list(accumulate(kicks[:, i].tolist(), step, initial=float(self._drift[i])))
            walk[:, i], self._drift[i] = steps[:-1], steps[-1]
        return walk


def _step(memory: float, drift: float, kick: float) -> float:
    return memory * drift + kick
