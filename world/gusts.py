"""Gusts: fluctuation of the wind speed about its mean, as a pure function of time.

A sum of cosines with random phases and the energies of a spectrum: every process with the same
seed has the same gust at the same time. Spectra are one-sided, of f in Hz [m²/s² per Hz].
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sqrt

import numpy as np

from steerageway.world.arrays import Floats

KINDS = ("none", "npd", "harris", "davenport", "gauss_markov")
LOWEST, HIGHEST = 1.0 / 600.0, 0.5  # [Hz]: slower counts as mean wind, faster does not move vessels
COMPONENTS = 60
FINE = 4000


def npd(f: Floats, speed: float, height: float = 10.0) -> Floats:
    """Return the Norwegian Petroleum Directorate's spectrum.

    Source: DNV-RP-C205 (2010), 2.3.4.13.
    """
    n = 0.468
    q = 172.0 * f * (height / 10.0) ** (2.0 / 3.0) * (speed / 10.0) ** -0.75
    scale = 320.0 * (speed / 10.0) ** 2 * (height / 10.0) ** 0.45
    return np.asarray(scale / (1.0 + q**n) ** (5.0 / (3.0 * n)))


def harris(f: Floats, speed: float, height: float = 10.0) -> Floats:
    """Return Harris' spectrum, k = 0.0026, L = 1800 m. Source: DNV-RP-C205 (2010), 2.3.4.11."""
    x = 1800.0 * f / speed
    return np.asarray(4.0 * 0.0026 * 1800.0 * speed / (2.0 + x**2) ** (5.0 / 6.0))


def davenport(f: Floats, speed: float, height: float = 10.0) -> Floats:
    """Return Davenport's spectrum, k = 0.0026, L = 1200 m. Source: DNV-RP-C205 (2010), 2.3.4.9."""
    x = 1200.0 * f / speed
    return np.asarray(4.0 * 0.0026 * 1200.0 * speed * x / (1.0 + x**2) ** (4.0 / 3.0))


def lorentz(f: Floats, constant: float) -> Floats:
    """Return the spectrum of a first-order Gauss-Markov process of variance 1."""
    return np.asarray(4.0 * constant / (1.0 + (2.0 * pi * f * constant) ** 2))


SPECTRA = {"npd": npd, "harris": harris, "davenport": davenport}


@dataclass(frozen=True)
class Fluctuation:
    """A random function of time with mean 0: a sum of cosines.

    Attributes:
        amplitudes, frequencies, phases: (n,) in the function's unit, [rad/s], [rad].
    """

    amplitudes: tuple[float, ...] = ()
    frequencies: tuple[float, ...] = ()
    phases: tuple[float, ...] = ()

    def at(self, t: float) -> float:
        """Return the value at a time [s]."""
        waves = zip(self.amplitudes, self.frequencies, self.phases, strict=True)
        return sum(a * cos(w * t + e) for a, w, e in waves)

    @property
    def deviation(self) -> float:
        """Return the standard deviation."""
        return sqrt(sum(a * a for a in self.amplitudes) / 2.0)


def fluctuation(f: Floats, S: Floats, rng: np.random.Generator, scale: float = 0.0) -> Fluctuation:
    """Draw a fluctuation with a given spectrum.

    Args:
        f, S: (n,) ascending frequencies [Hz] and the spectrum.
        rng: random generator of the phases.
        scale: standard deviation; 0: that of the spectrum.
    """
    energy = np.concatenate(([0.0], np.cumsum(0.5 * (S[1:] + S[:-1]) * np.diff(f))))
    middles = (np.arange(COMPONENTS) + rng.random(COMPONENTS)) / COMPONENTS
    picked = np.interp(middles * energy[-1], energy, f)
    deviation = scale or sqrt(float(energy[-1]))
    amplitude = deviation * sqrt(2.0 / COMPONENTS)
    phases = 2.0 * pi * rng.random(COMPONENTS)
    frequencies = (2.0 * pi * picked).tolist()
    return Fluctuation((amplitude,) * COMPONENTS, tuple(frequencies), tuple(phases.tolist()))


def of_speed(
    kind: str,
    speed: float,
    rng: np.random.Generator,
    *,
    intensity: float = 0.0,
    constant: float = 20.0,
    height: float = 10.0,
) -> Fluctuation:
    """Draw the gusts of a mean wind.

    Args:
        kind: one of ``KINDS``.
        speed: mean wind speed [m/s].
        rng: random generator.
        intensity: standard deviation over mean speed; 0: that of the spectrum, for
            ``gauss_markov`` 0.1.
        constant: time constant of ``gauss_markov`` [s].
        height: height above the sea [m].
    """
    if kind == "none" or speed <= 0.0:
        return Fluctuation()
    f = np.geomspace(LOWEST, HIGHEST, FINE)
    if kind == "gauss_markov":
        return fluctuation(f, lorentz(f, constant), rng, (intensity or 0.1) * speed)
    return fluctuation(f, SPECTRA[kind](f, speed, height), rng, intensity * speed)
