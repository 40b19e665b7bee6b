"""The sea of a run: its components, and how they change, as a pure function of time.

A change fades the components so far out, and new ones in, over the ramp. What the sea was and will
be is all in its rows: two who know the same changes see the same water at every time, whenever
they ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from steerageway.world import kinematics as at
from steerageway.world.arrays import Floats
from steerageway.world.chance import generator
from steerageway.world.sea_state import SeaState

ALWAYS = -inf


@dataclass(frozen=True, eq=False)
class Sea:
    """Water in waves; elevation is positive up, vectors are NED.

    Attributes:
        rows: (n, ROW) the components, as ``kinematics`` has them.
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
        density: float = 1025.0,
        gravity: float = 9.81,
        ramp: float = 0.0,
        wheeler: bool = True,
    ) -> Sea:
        """Make the sea of some systems of waves, faded in from time 0 on.

        Args:
            states: the systems; their order tells their random numbers apart.
            seed: the mission's.
            depth, density, gravity: of the water.
            ramp: how long a sea takes to rise [s]; 0: it is there from the start.
            wheeler: stretch profiles to the surface.
        """
        water = np.array([depth, gravity, density, ramp])
        rows = _drawn(states, seed, 0, depth, gravity)
        rows[:, at.ON] = 0.0 if ramp else ALWAYS
        return cls(rows, water, wheeler)

    def changed(self, states: Sequence[SeaState], seed: int, number: int, now: float) -> Sea:
        """Give the sea in which, from ``now`` on, other waves take the place of these.

        Args:
            states: the systems that come.
            seed: the mission's.
            number: how many changes there have been, this one included: each is drawn anew.
            now: when it begins [s].
        """
        depth, gravity = self.water[at.DEPTH], self.water[at.GRAVITY]
        old = self.rows.copy()
        old[:, at.OFF] = np.minimum(old[:, at.OFF], now)
        new = _drawn(states, seed, number, depth, gravity)
        new[:, at.ON] = now
        return replace(self, rows=np.ascontiguousarray(np.concatenate((old, new))))

    def settled(self, now: float) -> Sea:
        """Give the sea without components that have faded out by ``now``; it is the same water."""
        gone = self.rows[:, at.OFF] + self.water[at.RAMP] <= now
        return replace(self, rows=self.rows[~gone].copy()) if gone.any() else self

    @property
    def calm(self) -> bool:
        """Say whether there are no waves."""
        return not len(self.rows)

    def elevation(self, x: ArrayLike, y: ArrayLike, t: ArrayLike) -> Floats:
        """Give zeta [m] at places north and east [m] and times [s], of one shape."""
        places = [np.asarray(value, np.float64) for value in np.broadcast_arrays(x, y, t)]
        norths, easts, times = (np.ascontiguousarray(place).reshape(-1) for place in places)
        out = np.empty(times.size)
        at.elevations(self.rows, self.water, norths, easts, times, out)
        return out.reshape(places[0].shape)

    def amplitudes(self, t: float) -> Floats:
        """Give the amplitude of each component (n,) [m] at a time [s]."""
        out = np.empty(len(self.rows))
        at.amplitudes(self.rows, self.water, t, out)
        return out

    def motions(self, points: ArrayLike, t: ArrayLike) -> Floats:
        """Give the water's motion (n, kinematics.MOTION) at NED points (n, 3) and times.

        Columns: zeta [m], its slopes to north and east, velocity [m/s] and acceleration [m/s²] in
        NED, dynamic pressure [Pa].
        """
        places = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, np.float64), len(places)))
        out = np.empty((len(places), at.MOTION))
        at.motions(self.rows, self.water, places, times, self.wheeler, out)
        return out

    def stokes_drift(self, depth: float, t: float) -> tuple[float, float]:
        """Give the Stokes drift (north, east) [m/s] at a depth below the mean surface [m]."""
        out = np.empty(2)
        at.stokes_drift(self.rows, self.water, depth, t, out)
        return float(out[0]), float(out[1])


def _drawn(
    states: Sequence[SeaState], seed: int, number: int, depth: float, gravity: float
) -> Floats:
    """Draw the components of each system from a stream of its own."""
    parts = [np.zeros((0, at.ROW))]
    for i, state in enumerate(states):
        chance = generator(seed, f"waves {i} of change {number}")
        parts.append(state.components_of(chance, depth, gravity))
    return np.ascontiguousarray(np.concatenate(parts))
