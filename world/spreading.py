"""Directional spreading functions: distribution of wave energy about the mean direction."""

from __future__ import annotations

from math import gamma, pi, sqrt

import numpy as np

from steerageway.world.arrays import Floats

KINDS = ("none", "cosn", "cos2s")
USUAL = {"none": 0.0, "cosn": 2.0, "cos2s": 10.0}
"""Default exponents: ITTC's cos², and cos-2s for wind sea and swell."""
POINTS = 2001


def density(theta: Floats, kind: str, exponent: float) -> Floats:
    """Return D(theta) [1/rad], whose integral over 2 pi is 1.

    Args:
        theta: (n,) from the mean direction [rad], in [-pi, pi].
        kind: ``cosn``, cos^n within 90 degrees; ``cos2s``, cos^2s of half the angle.
        exponent: n, or s.
    Source: DNV-RP-C205 (2010), section 3.5.8.
    """
    if kind == "cosn":
        n = exponent
        norm = gamma(1.0 + n / 2.0) / (sqrt(pi) * gamma(0.5 + n / 2.0))
        inside = np.abs(theta) <= pi / 2.0
        return np.where(inside, norm * np.where(inside, np.cos(theta), 0.0) ** n, 0.0)
    s = exponent
    norm = 2.0 ** (2.0 * s - 1.0) * gamma(s + 1.0) ** 2 / (pi * gamma(2.0 * s + 1.0))
    return np.asarray(norm * np.cos(theta / 2.0) ** (2.0 * s))


def drawn(shares: Floats, kind: str, exponent: float) -> Floats:
    """Return directions (n,) [rad] from the mean direction: quantiles of D at ``shares`` (n,)."""
    if kind == "none":
        return np.zeros_like(shares)
    theta = np.linspace(-pi, pi, POINTS)
    D = density(theta, kind, exponent)
    cumulated = np.concatenate(([0.0], np.cumsum(0.5 * (D[1:] + D[:-1]))))
    return np.interp(shares, cumulated / cumulated[-1], theta)
