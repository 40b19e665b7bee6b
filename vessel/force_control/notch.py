"""Wave filter: a notch filter that removes first-order wave motion from a controller's feedback.

h(s) = (s² + 2 zeta w s + w²) / (s + w)², at the waves' frequency w; discretised by the bilinear
transform, prewarped to be exact at w. One notch, not a cascade of three: in the short waves that
move a small craft the phase lag of three would exceed the controller's phase margin.

Source: Fossen (2021), section 13.2.2.
"""

from __future__ import annotations

from math import pi, tan

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array

DEPTH = 0.1  # relative damping zeta


class Notch:
    """A notch filter for arrays of any shape, sampled at a constant period."""

    def __init__(self, frequency: float, period: float, depth: float = DEPTH) -> None:
        if not 0.0 < frequency * period < pi:
            raise InvalidValue(
                f"notch at {frequency:g} rad/s, sampled every {period:g} s: expected at most "
                f"{pi / period:g} rad/s"
                if period > 0.0
                else "expected a period above zero"
            )
        k = frequency / tan(0.5 * frequency * period)
        w2 = frequency * frequency
        scale = (k + frequency) ** 2
        damped = 2.0 * depth * frequency * k
        self._b = (
            (k * k + damped + w2) / scale,
            2 * (w2 - k * k) / scale,
            (k * k - damped + w2) / scale,
        )
        self._a = 2 * (w2 - k * k) / scale, (k - frequency) ** 2 / scale
        self._past: tuple[Array, Array] | None = None

    def step(self, value: ArrayLike) -> Array:
        """Return the filtered value; it starts in the steady state of the first value."""
        x = np.asarray(value, np.float64)
        b0, b1, b2 = self._b
        a1, a2 = self._a
        if self._past is None:
            self._past = (b2 - a2) * x, (b1 + b2 - a1 - a2) * x
        older, newer = self._past
        y: Array = b0 * x + newer
        self._past = b2 * x - a2 * y, b1 * x - a1 * y + older
        return y


class WaveFilter:
    """A notch at the waves' frequency; with wave period 0, no filter."""

    def __init__(self, wave_period: float, sample: float) -> None:
        if wave_period < 0.0:
            raise InvalidValue(f"wave period {wave_period:g}: expected 0 or more [s]")
        self._notch = Notch(2.0 * pi / wave_period, sample) if wave_period else None

    def step(self, value: ArrayLike) -> Array:
        """Return the filtered value."""
        passed = np.asarray(value, np.float64)
        return passed if self._notch is None else self._notch.step(passed)
