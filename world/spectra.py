"""Wave spectra S(w) [m² s/rad] over angular frequency, and periods derived from their moments.

Hs is Hm0 = 4 sqrt(m0); Tp the peak's period; T1 = 2 pi m0/m1; Tz = 2 pi sqrt(m0/m2);
Te = 2 pi m-1/m0.
"""

from __future__ import annotations

from functools import cache
from math import exp, inf, log, pi, sqrt
from math import gamma as gamma_function
from typing import NamedTuple

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.constants import GRAVITY

SIGMA_LOW, SIGMA_HIGH = 0.07, 0.09  # JONSWAP's peak width parameter below the peak, and from it on


class Moments(NamedTuple):
    """Spectral moments, and height and periods derived from them.

    Attributes:
        m_1, m0, m1, m2: integrals of S w^n.
    """

    m_1: float
    m0: float
    m1: float
    m2: float

    @property
    def Hm0(self) -> float:
        """Significant wave height [m]."""
        return 4.0 * sqrt(self.m0)

    @property
    def T1(self) -> float:
        """Mean period [s]."""
        return 2.0 * pi * self.m0 / self.m1

    @property
    def Tz(self) -> float:
        """Mean zero-crossing period [s]."""
        return 2.0 * pi * sqrt(self.m0 / self.m2)

    @property
    def Te(self) -> float:
        """Energy period [s]."""
        return 2.0 * pi * self.m_1 / self.m0


def moments(w: Floats, S: Floats) -> Moments:
    """Integrate by the trapezoidal rule over given frequencies (n,) [rad/s]."""
    return Moments(*(float(np.trapezoid(S * w**n, w)) for n in (-1, 0, 1, 2)))


def pierson_moskowitz(w: Floats, Hs: float, Tp: float) -> Floats:
    """Return the modified Pierson-Moskowitz spectrum for Hs [m] and Tp [s].

    (5/16) Hs² wp⁴ w⁻⁵ exp(-1.25 (wp/w)⁴). Source: Fossen (2021), equation 10.58.
    """
    wp = 2.0 * pi / Tp
    with np.errstate(over="ignore", under="ignore"):
        shape: Floats = w**-5.0 * np.exp(-1.25 * (wp / w) ** 4)
    return 0.3125 * Hs**2 * wp**4 * shape


def peak_enhancement(w: Floats, wp: float, gamma: float) -> Floats:
    """Return JONSWAP's peak enhancement gamma^exp(-(w - wp)²/(2 sigma² wp²)), (n,)."""
    sigma = np.where(w < wp, SIGMA_LOW, SIGMA_HIGH)
    exponent: Floats = np.exp(-0.5 * ((w - wp) / (sigma * wp)) ** 2)
    return np.asarray(gamma**exponent)


@cache
def jonswap_norm(gamma: float) -> float:
    """Return the factor that normalises m0 to Hs²/16 for any gamma, by quadrature.

    With u = (wp/w)⁴ the spectrum for gamma = 1 becomes exp(-1.25 u), which Gauss-Legendre rules
    integrate; the intervals end at the peak, where sigma is discontinuous.
    """
    if gamma == 1.0:
        return 1.0
    x, weights = np.polynomial.legendre.leggauss(400)
    area = 0.0
    for low, high in ((1e-3, 1.0), (1.0, 2.0), (2.0, 40.0)):
        u = 0.5 * (high - low) * x + 0.5 * (high + low)
        part = 1.25 * np.exp(-1.25 * u) * peak_enhancement(u**-0.25, 1.0, gamma)
        area += 0.5 * (high - low) * float(weights @ part)
    return 1.0 / (area + 1.0 - exp(-1.25e-3))


def jonswap(w: Floats, Hs: float, Tp: float, gamma: float = 3.3) -> Floats:
    """Return the JONSWAP spectrum with exactly m0 = Hs²/16.

    Source: Hasselmann et al. (1973); DNV-RP-C205 (2010), section 3.5.5, there with the
    approximate norm 1 - 0.287 ln(gamma).
    """
    shape = pierson_moskowitz(w, Hs, Tp) * peak_enhancement(w, 2.0 * pi / Tp, gamma)
    return jonswap_norm(gamma) * shape


def gamma_of(Hs: float, Tp: float) -> float:
    """Return the default gamma: from 5 in steep seas to 1 in long ones.

    Source: DNV-RP-C205 (2010), section 3.5.5.5.
    """
    k = Tp / sqrt(Hs)
    if k <= 3.6:
        return 5.0
    return exp(5.75 - 1.15 * k) if k <= 5.0 else 1.0


class FetchLimited(NamedTuple):
    """A fetch-limited sea: JONSWAP's alpha, peak frequency [rad/s] and gamma."""

    alpha: float
    wp: float
    gamma: float = 3.3

    @classmethod
    def of(cls, speed: float, fetch: float, gravity: float = GRAVITY) -> FetchLimited:
        """Return the sea of a wind [m/s] at 10 m height over a fetch [m].

        Source: Hasselmann et al. (1973); Fossen (2021), equations 10.65 and 10.66.
        """
        X = gravity * fetch / speed**2
        return cls(0.076 * X**-0.22, 7.0 * pi * gravity / speed * X**-0.33)

    def spectrum(self, w: Floats, gravity: float = GRAVITY) -> Floats:
        """Return S (n,) [m² s/rad]."""
        with np.errstate(over="ignore", under="ignore"):
            shape = w**-5.0 * np.exp(-1.25 * (self.wp / w) ** 4)
        return np.asarray(
            self.alpha * gravity**2 * shape * peak_enhancement(w, self.wp, self.gamma)
        )

    def height(self, gravity: float = GRAVITY) -> float:
        """Return Hs [m], exact."""
        m0 = self.alpha * gravity**2 / (5.0 * self.wp**4 * jonswap_norm(self.gamma))
        return 4.0 * sqrt(m0)


def height_of_wind(speed: float, gravity: float = GRAVITY) -> float:
    """Return Hs [m] of a sea fully developed by a wind [m/s]: 0.21 V²/g.

    Source: Fossen (2021), equation 10.55.
    """
    return 0.21 * speed**2 / gravity


def finite_depth(w: Floats, depth: float, gravity: float = GRAVITY) -> Floats:
    """Return phi(w, h) (n,), the TMA factor on JONSWAP in water of finite depth [m].

    Source: Bouws et al. (1985), with the approximation of Thompson & Vincent (1983).
    """
    if depth == inf:
        return np.ones_like(w)
    wh = w * sqrt(depth / gravity)
    return np.where(wh <= 1.0, 0.5 * wh**2, np.where(wh < 2.0, 1.0 - 0.5 * (2.0 - wh) ** 2, 1.0))


class TwoPeaks(NamedTuple):
    """Torsethaugen's division of a sea into a wind sea and a swell.

    Attributes:
        Hw, Hs: wave heights of wind sea and swell [m].
        Tw, Ts: peak periods [s].
        gamma_w, gamma_s: peak enhancement factors.
        N, M_w, M_s: exponents of the high-frequency tails.
    """

    Hw: float
    Hs: float
    Tw: float
    Ts: float
    gamma_w: float
    gamma_s: float
    N: float
    M_w: float = 4.0
    M_s: float = 4.0

    @classmethod
    def of(cls, Hs: float, Tp: float, gravity: float = GRAVITY) -> TwoPeaks:
        """Divide a sea of a height [m] and a peak period [s] into wind sea and swell.

        Source: Torsethaugen (1996), SINTEF STF22 A96204; gammas are at least 1.
        """
        fully = 6.6 * Hs ** (1.0 / 3.0)  # Tf: peak period of a fully developed sea
        N = 0.5 * sqrt(Hs) + 3.2
        scale = 35.0 * (1.0 + 3.5 * exp(-Hs))
        if Tp <= fully:
            nearness = (fully - Tp) / (fully - 2.0 * sqrt(Hs))
            share = min(0.3 * exp(-((nearness / 0.5) ** 2)) + 0.7, 1.0)
            Hw = share * Hs
            gamma_w = scale * (2.0 * pi / gravity * Hw / Tp**2) ** 0.857
            return cls(Hw, sqrt(1.0 - share**2) * Hs, Tp, fully + 2.0, max(gamma_w, 1.0), 1.0, N)
        nearness = (Tp - fully) / (25.0 - fully)
        share = min(0.4 * exp(-((nearness / 0.3) ** 2)) + 0.6, 1.0)
        Hw = sqrt(1.0 - share**2) * Hs
        gamma_s = scale * (2.0 * pi / gravity * Hs / fully**2) ** 0.857 * (1.0 + 6.0 * nearness)
        M_w = max(4.0 * (1.0 - 0.7 * exp(-Hs / 3.0)), 2.0)
        G0 = _G0(N, M_w)
        equilibrium = 16.0 * 0.08 * (1.0 - exp(-Hs / 3.0)) * 0.4**N / (G0 * Hw**2)
        Tw = max(2.5, equilibrium ** (-1.0 / (N - 1.0)))
        return cls(Hw, share * Hs, Tw, Tp, 1.0, max(gamma_s, 1.0), N, M_w)


def _G0(N: float, M: float) -> float:
    """Return the factor that normalises the integral of G0 f^-N exp(-N/M f^-M) to one."""
    return float(M * (N / M) ** ((N - 1.0) / M) / gamma_function((N - 1.0) / M))


def torsethaugen(w: Floats, Hs: float, Tp: float, gravity: float = GRAVITY) -> Floats:
    """Return Torsethaugen's two-peaked spectrum (n,) for Hs [m] and Tp [s].

    The published norm of the peaks is approximate: Hm0 may exceed Hs by 1.2 %.
    Source: Torsethaugen (1996), SINTEF STF22 A96204.
    """
    parts = TwoPeaks.of(Hs, Tp, gravity)
    wind = _hump(w, parts.Hw, parts.Tw, parts.gamma_w, parts.N, parts.M_w)
    return wind + _hump(w, parts.Hs, parts.Ts, parts.gamma_s, parts.N, parts.M_s)


def _hump(w: Floats, H: float, T: float, gamma: float, N: float, M: float) -> Floats:
    """Return one of the two peaks."""
    f = w * T / (2.0 * pi)
    growth = 1.0
    if gamma > 1.0:
        a = 4.1 * (N - 2.0 * M**0.28 + 5.3) ** (-1.45 * M**0.1 + 0.96)
        b = (2.2 * M**-3.3 + 0.57) * N ** (-0.58 * M**0.37 + 0.53) - 1.04 * M**-1.9 + 0.94
        growth = (1.0 + a * log(gamma) ** b) / gamma
    with np.errstate(over="ignore", under="ignore"):
        base = f**-N * np.exp(-N / M * f**-M)
    shape = _G0(N, M) * growth * base * peak_enhancement(f, 1.0, gamma)
    return np.asarray(H**2 * T / (32.0 * pi) * shape)
