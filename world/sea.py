"""The sea of a run: wave components and their changes, as a pure function of time.

A change fades the existing components out, and new ones in, over the ramp. The rows contain the
whole history and future of the sea: processes that know the same changes see the same water at
every time, in whatever order they evaluate it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from steerageway.world import kinematics as at
from steerageway.world.arrays import Floats
from steerageway.world.compiling import in_steps
from steerageway.world.constants import DENSITY, GRAVITY
from steerageway.world.random_streams import generator
from steerageway.world.sea_state import SeaState

ALWAYS = -inf


@dataclass(frozen=True, eq=False)
class Sea:
    """Water with waves; elevation is positive up, vectors are NED.

    Attributes:
        rows: (n, ROW) components, see ``kinematics``.
        water: (WATER,) depth [m], gravity [m/s²], density [kg/m³], ramp [s].
        wheeler: whether profiles are stretched to the instantaneous surface.
    """

    rows: Floats
    water: Floats
    wheeler: bool = True

    @classmethod
    def of(
        cls,
        states: Sequence[SeaState],
        seed: int,
        *,
        depth: float = inf,
        density: float = DENSITY,
        gravity: float = GRAVITY,
        ramp: float = 0.0,
        wheeler: bool = True,
    ) -> Sea:
        """Return the sea of several wave systems, faded in from time 0.

        Args:
            states: wave systems; their order distinguishes their random numbers.
            seed: the mission's seed.
            depth, density, gravity: properties of the water [m], [kg/m³], [m/s²].
            ramp: rise time [s]; 0: full waves from the start.
            wheeler: whether to stretch profiles to the surface.
        """
        water = np.array([depth, gravity, density, ramp])
        rows = _drawn(states, seed, 0, depth, gravity)
        rows[:, at.ON] = 0.0 if ramp else ALWAYS
        return cls(rows, water, wheeler)

    def changed(self, states: Sequence[SeaState], seed: int, number: int, now: float) -> Sea:
        """Return the sea in which other waves replace the present ones from ``now`` on.

        Args:
            states: new wave systems.
            seed: the mission's seed.
            number: number of changes so far, including this one: each has its own random numbers.
            now: start of the change [s].
        """
        depth, gravity = self.water[at.DEPTH], self.water[at.GRAVITY]
        old = self.rows.copy()
        # components that are already fading out keep their earlier time
        old[:, at.OFF] = np.minimum(old[:, at.OFF], now)
        new = _drawn(states, seed, number, depth, gravity)
        new[:, at.ON] = now
        return replace(self, rows=np.ascontiguousarray(np.concatenate((old, new))))

    def settled(self, now: float) -> Sea:
        """Return the same sea without components that have faded out by ``now``."""
        gone = self.rows[:, at.OFF] + self.water[at.RAMP] <= now
        return replace(self, rows=self.rows[~gone].copy()) if gone.any() else self

    @property
    def calm(self) -> bool:
        """Whether there are no waves."""
        return not len(self.rows)

    def elevation(self, x: ArrayLike, y: ArrayLike, t: ArrayLike) -> Floats:
        """Return zeta [m] at positions north and east [m] and times [s], of one shape."""
        places = [np.asarray(value, np.float64) for value in np.broadcast_arrays(x, y, t)]
        norths, easts, times = (np.ascontiguousarray(place).reshape(-1) for place in places)
        out = np.empty(times.size)
        at.elevations(self.rows, self.water, norths, easts, times, out)
        return out.reshape(places[0].shape)

    def warm(self) -> None:
        """Load or compile what evaluates waves, before time starts."""
        if not self.calm:
            calls = (lambda: self.elevation(0.0, 0.0, 0.0), lambda: self.stokes_drift(0.0, 0.0))
            in_steps("waves", calls)

    def amplitudes(self, t: float) -> Floats:
        """Return the amplitude of each component (n,) [m] at a time [s]."""
        out = np.empty(len(self.rows))
        at.amplitudes(self.rows, self.water, t, out)
        return out

    def motions(self, points: ArrayLike, t: ArrayLike) -> Floats:
        """Return the water's motion (n, kinematics.MOTION) at NED points (n, 3) [m] and times [s].

        Columns: zeta [m], its slopes to north and east, velocity [m/s] and acceleration [m/s²] in
        NED, dynamic pressure [Pa].
        """
        places = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, np.float64), len(places)))
        out = np.empty((len(places), at.MOTION))
        at.motions(self.rows, self.water, places, times, self.wheeler, out)
        return out

    def stokes_drift(self, depth: float, t: float) -> tuple[float, float]:
        """Return the Stokes drift (north, east) [m/s] at a depth below the mean surface [m]."""
        out = np.empty(2)
        at.stokes_drift(self.rows, self.water, depth, t, out)
        return float(out[0]), float(out[1])


def _drawn(
    states: Sequence[SeaState], seed: int, number: int, depth: float, gravity: float
) -> Floats:
    """Draw the components of each system from its own random stream."""
    parts = [np.zeros((0, at.ROW))]
    for i, state in enumerate(states):
        rng = generator(seed, f"waves {i} of change {number}")
        parts.append(state.components_of(rng, depth, gravity))
    return np.ascontiguousarray(np.concatenate(parts))
