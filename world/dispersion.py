"""Linear dispersion: w² = g k tanh(k h)."""

from __future__ import annotations

from math import exp, inf, sqrt, tanh

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.constants import GRAVITY

NEWTON_STEPS = 3  # one leaves a relative error in k of 2e-5, two 1.4e-10
DEEP = 350.0  # kh above which tanh(kh), and everything derived from it, is 1 to the last bit


def wave_number(frequency: float, depth: float = inf, gravity: float = GRAVITY) -> float:
    """Return k [rad/m] of a positive angular frequency [rad/s].

    Source: Guo (2002), Coastal Engineering 45, equation 6, as the first guess; Newton's method on
    x tanh(x) = w² h/g.
    """
    deep = frequency * frequency / gravity
    if deep * depth > DEEP:
        return deep
    target = deep * depth
    root = frequency * sqrt(depth / gravity)
    kh: float = root**2 * (1.0 - exp(-(root**2.4908))) ** -0.40148
    for _ in range(NEWTON_STEPS):
        tanh_kh = tanh(kh)
        kh -= (kh * tanh_kh - target) / (tanh_kh + kh * (1.0 - tanh_kh**2))
    return kh / depth


def wave_numbers(frequencies: Floats, depth: float = inf, gravity: float = GRAVITY) -> Floats:
    """Return k (n,) [rad/m] of angular frequencies (n,) [rad/s]."""
    return np.array([wave_number(w, depth, gravity) for w in frequencies.tolist()])
