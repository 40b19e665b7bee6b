"""A sea state: what spectrum, how high, how long, from where; and its realisation in components.

``spacing`` says which frequencies stand for the spectrum:

- ``equal_energy``: the edges of the bins are quantiles of m0, each frequency its bin's mean by
  energy: few components do, all of one amplitude, and no record repeats;
- ``random``: bins of one width, a random frequency in each;
- ``equidistant``: the multiples of one step dw: the record repeats after 2 pi/dw.

Each component has one random direction drawn from the spreading, and a random phase. All are
scaled so that the sum of their energies is exactly that of Hs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, pi, radians, sqrt, tanh

import numpy as np

from steerageway.world import dispersion, spectra, spreading
from steerageway.world.arrays import Floats
from steerageway.world.kinematics import ROW

SPECTRA = ("off", "regular", "pm", "jonswap", "tma", "torsethaugen", "table")
SPACINGS = ("equal_energy", "random", "equidistant")
MOST_COMPONENTS = 500
BYTES = 8 * (8 + 256)  # that a component takes: its row, and the points worked out at once
USUAL_COMPONENTS = 40
USUAL_RANGE = (0.4, 4.0)  # of the peak's frequency: more than 99 % of m0
FINE = 20_000  # frequencies that quantiles are taken from
STEEPEST = 0.142  # height/length of the highest wave there is, in deep water
STEEP = 0.05  # from here on linear waves are 4 % low at their crests
STEEP_SEA = 3.6  # Tp/sqrt(Hs) below which JONSWAP was never measured
WMO = (0.1, 0.5, 1.25, 2.5, 4.0, 6.0, 9.0, 14.0)
"""The upper Hs [m] of sea states 1 to 8. Source: World Meteorological Organization, code 3700."""


@dataclass(frozen=True)
class SeaState:
    """One system of waves.

    Attributes:
        spectrum: one of ``SPECTRA``.
        Hs: significant height; of regular waves their height, twice the amplitude [m].
        Tp: the peak's period; of regular waves the period [s].
        gamma: JONSWAP's peak enhancement.
        direction: where the waves go to [deg].
        spreading: one of ``spreading.KINDS``.
        exponent: the spreading's.
        components: how many stand for the spectrum.
        frequency_range: the least and the greatest frequency, of the peak's.
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

    def density(self, w: Floats, depth: float = inf, gravity: float = 9.81) -> Floats:
        """Give S (n,) [m² s/rad] at frequencies (n,); regular waves and calm have none."""
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
        """Give the least and the greatest frequency [rad/s] that components may have."""
        if self.spectrum == "table":
            return self.table[0][0], self.table[-1][0]
        wp = 2.0 * pi / self.Tp
        return self.frequency_range[0] * wp, self.frequency_range[1] * wp

    def steepness(self, depth: float = inf, gravity: float = 9.81) -> float:
        """Give height over length, of a wave as long as the peak's."""
        return self.Hs * dispersion.wave_number(2.0 * pi / self.Tp, depth, gravity) / (2.0 * pi)

    def steepest(self, depth: float = inf, gravity: float = 9.81) -> float:
        """Give the steepness beyond which waves break: 0.142 tanh(kh). Source: Miche (1944)."""
        k = dispersion.wave_number(2.0 * pi / self.Tp, depth, gravity)
        return STEEPEST * tanh(min(k * depth, dispersion.DEEP))

    def repeats_after(self) -> float:
        """Give the period after which the record repeats [s]; inf where it does not.

        Regular waves repeat, as they must: of them, too, inf.
        """
        if self.spectrum in ("off", "regular") or self.spacing != "equidistant":
            return inf
        low, high = self.limits
        return 2.0 * pi * self.components / (high - low)

    def components_of(
        self, chance: np.random.Generator, depth: float = inf, gravity: float = 9.81
    ) -> Floats:
        """Give the rows (n, ROW) that ``kinematics`` takes, in force always; n is 0 of a calm.

        Args:
            chance: what phases, directions and frequencies are drawn from: for each component, in
                ascending order, phase, then direction, then, if it is random, frequency.
            depth: of the water [m].
            gravity: [m/s²].
        """
        if self.spectrum == "off" or self.Hs == 0.0:
            return np.zeros((0, ROW))
        if self.spectrum == "regular":
            one = np.zeros(1)
            w = np.array([2.0 * pi / self.Tp])
            return self._rows(np.array([0.5 * self.Hs]), w, one, one, depth, gravity)
        drawn = chance.random((self.components, 3))
        w, energy = self._bins(drawn[:, 2], depth, gravity)
        a = np.sqrt(2.0 * energy * (self.Hs / 4.0) ** 2 / energy.sum())
        angles = spreading.drawn(drawn[:, 1], self.spreading, self.exponent)
        return self._rows(a, w, angles, 2.0 * pi * drawn[:, 0], depth, gravity)

    def _bins(self, shares: Floats, depth: float, gravity: float) -> tuple[Floats, Floats]:
        """Give each component's frequency and its part of m0."""
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
        k = dispersion.wave_numbers(w, depth, gravity)
        beta = radians(self.direction) + angles
        always, never = np.full_like(w, -inf), np.full_like(w, inf)
        columns = (a, w, k, k * np.cos(beta), k * np.sin(beta), eps, always, never)
        return np.ascontiguousarray(np.stack(columns, axis=1))


def with_height(state: SeaState, Hs: float) -> SeaState:
    """Give a sea state as high as said; its period changes so that it is as steep as before."""
    if state.Hs == 0.0 or Hs == 0.0:
        return replace(state, Hs=Hs)
    return replace(state, Hs=Hs, Tp=state.Tp * sqrt(Hs / state.Hs))
