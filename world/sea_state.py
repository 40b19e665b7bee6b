"""Sea states: spectrum, height, period, direction; and their realisation as wave components.

``spacing`` specifies the frequencies that represent the spectrum:

- ``equal_energy``: the edges of the bins are quantiles of m0, each frequency the energy mean of
    its bin: few components suffice, all have one amplitude, and the record does not repeat;
- ``random``: bins of equal width, a random frequency in each;
- ``equidistant``: the multiples of one step dw: the record repeats after 2 pi/dw.

Each component has one random direction drawn from the spreading function, and a random phase. All
are scaled so that the sum of their energies is exactly that of Hs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, inf, pi, radians, sqrt, tanh

import numpy as np

from steerageway.world import spectra, spreading
from steerageway.world.arrays import Floats
from steerageway.world.constants import GRAVITY
from steerageway.world.kinematics import ROW

SPECTRA = ("off", "regular", "pm", "jonswap", "tma", "torsethaugen", "table")
SPACINGS = ("equal_energy", "random", "equidistant")
MOST_COMPONENTS = 500
BYTES = 8 * (8 + 256)  # memory of a component: its row, and the points evaluated at once
USUAL_COMPONENTS = 40
USUAL_RANGE = (0.4, 4.0)  # multiples of the peak frequency: more than 99 % of m0
FINE = 20_000  # number of frequencies used for the quantiles
STEEPEST = 0.142  # breaking limit of height/length, in deep water
STEEP = 0.05  # linear wave crests are 4 % too low from here on
STEEP_SEA = 3.6  # Tp/sqrt(Hs) below which JONSWAP was never measured
WMO = (0.1, 0.5, 1.25, 2.5, 4.0, 6.0, 9.0, 14.0)
"""The upper Hs [m] of sea states 1 to 8. Source: World Meteorological Organization, code 3700."""
NEWTON_STEPS = 3  # one leaves a relative error in k of 2e-5, two 1.4e-10
DEEP = 350.0  # kh above which tanh(kh), and everything derived from it, is 1 to the last bit


def wave_number(frequency: float, depth: float = inf, gravity: float = GRAVITY) -> float:
    """Return k [rad/m] of a positive angular frequency [rad/s]: w² = g k tanh(k h).

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


@dataclass(frozen=True)
class SeaState:
    """One wave system.

    Attributes:
        spectrum: one of ``SPECTRA``.
        Hs: significant height; of regular waves their height, twice the amplitude [m].
        Tp: peak period; of regular waves their period [s].
        gamma: JONSWAP peak enhancement factor.
        direction: direction the waves go to [deg].
        spreading: one of ``spreading.KINDS``.
        exponent: exponent of the spreading function.
        components: number of components.
        frequency_range: lowest and highest frequency, as multiples of the peak frequency.
        spacing: one of ``SPACINGS``.
        table: of spectrum ``table``: frequencies [rad/s] and S [m² s/rad], (n, 2).
    """

    spectrum: str = "off"
    Hs: float = 0.0
    Tp: float = 1.0
    gamma: float = 3.3
    direction: float = 0.0
    spreading: str = "none"
    exponent: float = 2.0
    components: int = USUAL_COMPONENTS
    frequency_range: tuple[float, float] = USUAL_RANGE
    spacing: str = "equal_energy"
    table: tuple[tuple[float, float], ...] = ()

    def density(self, w: Floats, depth: float = inf, gravity: float = GRAVITY) -> Floats:
        """Return S (n,) [m² s/rad] at frequencies (n,) [rad/s]; zero for regular waves and calm."""
        if self.spectrum == "pm":
            return spectra.pierson_moskowitz(w, self.Hs, self.Tp)
        if self.spectrum in ("jonswap", "tma"):
            shape = spectra.jonswap(w, self.Hs, self.Tp, self.gamma)
            tma = self.spectrum == "tma"
            return shape * spectra.finite_depth(w, depth, gravity) if tma else shape
        if self.spectrum == "torsethaugen":
            return spectra.torsethaugen(w, self.Hs, self.Tp, gravity)
        if self.spectrum == "table":
            known = np.array(self.table)
            S: Floats = np.interp(w, known[:, 0], known[:, 1], left=0.0, right=0.0)
            return S
        return np.zeros_like(w)

    @property
    def limits(self) -> tuple[float, float]:
        """Return the lowest and highest frequency [rad/s] of components."""
        if self.spectrum == "table":
            return self.table[0][0], self.table[-1][0]
        wp = 2.0 * pi / self.Tp
        return self.frequency_range[0] * wp, self.frequency_range[1] * wp

    def steepness(self, depth: float = inf, gravity: float = GRAVITY) -> float:
        """Return wave height over length, at the peak period."""
        return self.Hs * wave_number(2.0 * pi / self.Tp, depth, gravity) / (2.0 * pi)

    def steepest(self, depth: float = inf, gravity: float = GRAVITY) -> float:
        """Return the breaking limit of steepness: 0.142 tanh(kh). Source: Miche (1944)."""
        k = wave_number(2.0 * pi / self.Tp, depth, gravity)
        return STEEPEST * tanh(min(k * depth, DEEP))

    def repeats_after(self) -> float:
        """Return the period after which the record repeats [s]; inf if it does not.

        Also inf for regular waves, whose period is intended.
        """
        if self.spectrum in ("off", "regular") or self.spacing != "equidistant":
            return inf
        low, high = self.limits
        return 2.0 * pi * self.components / (high - low)

    def components_of(
        self, rng: np.random.Generator, depth: float = inf, gravity: float = GRAVITY
    ) -> Floats:
        """Return the rows (n, ROW) for ``kinematics``, always active; n is 0 for calm water.

        Args:
            rng: random generator; draws for each component, in ascending order, phase, then
                direction, then, if it is random, frequency.
            depth: water depth [m].
            gravity: [m/s²].
        """
        if self.spectrum == "off" or self.Hs == 0.0:
            return np.zeros((0, ROW))
        if self.spectrum == "regular":
            one = np.zeros(1)
            w = np.array([2.0 * pi / self.Tp])
            return self._rows(np.array([0.5 * self.Hs]), w, one, one, depth, gravity)
        drawn = rng.random((self.components, 3))
        w, energy = self._bins(drawn[:, 2], depth, gravity)
        a = np.sqrt(2.0 * energy * (self.Hs / 4.0) ** 2 / energy.sum())
        angles = spreading.drawn(drawn[:, 1], self.spreading, self.exponent)
        return self._rows(a, w, angles, 2.0 * pi * drawn[:, 0], depth, gravity)

    def _bins(self, shares: Floats, depth: float, gravity: float) -> tuple[Floats, Floats]:
        """Return the frequency of each component and its fraction of m0."""
        low, high = self.limits
        if self.spacing != "equal_energy":
            width = (high - low) / self.components
            w = low + width * (np.arange(self.components) + shares)
            if self.spacing == "equidistant":
                w = width * (np.floor(low / width) + 1.0 + np.arange(self.components))
            return w, self.density(w, depth, gravity) * width
        fine = np.linspace(low, high, FINE)
        S = self.density(fine, depth, gravity)
        step = fine[1] - fine[0]
        m0 = np.concatenate(([0.0], np.cumsum(0.5 * (S[1:] + S[:-1]) * step)))
        first = S * fine
        m1 = np.concatenate(([0.0], np.cumsum(0.5 * (first[1:] + first[:-1]) * step)))
        quantiles = np.linspace(0.0, m0[-1], self.components + 1)
        edges = np.interp(quantiles, m0, fine)
        bins = np.diff(np.interp(edges, fine, m1))
        return bins / np.diff(quantiles), np.diff(quantiles)

    def _rows(
        self, a: Floats, w: Floats, angles: Floats, eps: Floats, depth: float, gravity: float
    ) -> Floats:
        k = np.array([wave_number(one, depth, gravity) for one in w.tolist()])
        beta = radians(self.direction) + angles
        always, never = np.full_like(w, -inf), np.full_like(w, inf)
        columns = (a, w, k, k * np.cos(beta), k * np.sin(beta), eps, always, never)
        return np.ascontiguousarray(np.stack(columns, axis=1))


def with_height(state: SeaState, Hs: float) -> SeaState:
    """Return the sea state with another height, and the period that keeps its steepness."""
    if state.Hs == 0.0 or Hs == 0.0:
        return replace(state, Hs=Hs)
    return replace(state, Hs=Hs, Tp=state.Tp * sqrt(Hs / state.Hs))
