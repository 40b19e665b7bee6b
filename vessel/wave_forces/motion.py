"""Wave motion added to a vessel that moves in the horizontal plane, by RAOs or closed form.

A model of three degrees of freedom has no heave, roll and pitch. The wave motion is the
response to each component, by motion RAOs or in closed form, at the vessel's position, heading and
speed: a pure function of state, sea and time. It is added to published and measured values, not to
the state itself, which is that in calm water.

Source: Fossen (2021), section 10.2.3, with the sign of the frequency of encounter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.wave_forces import closed_form
from steerageway.vessel.wave_forces.closed_form import Ship
from steerageway.vessel.wave_forces.table import Complex, ForceRao
from steerageway.world import kinematics as sea_rows
from steerageway.world.arrays import Floats
from steerageway.world.sea import Sea


@dataclass(frozen=True, eq=False)
class WaveMotion:
    """Wave motion of a vessel.

    Attributes:
        draught: [m].
        ship: ship data of the closed form; None: RAOs.
        rao: (n, h, 6) motion RAOs of CO in BODY; None: closed form.
        sea: present sea; None: none.
    """

    draught: float
    ship: Ship | None = None
    rao: ForceRao | None = None
    sea: Sea | None = None

    def at(self, eta: Floats, nu: Floats, t: float) -> Floats:
        """Return displacement, velocity and acceleration (3, 6) of CO, in BODY.

        Args:
            eta: (6,) pose without waves. nu: (6,) velocity over ground without waves.
            t: time [s].
        """
        sea = self.sea
        if sea is None or sea.calm:
            return np.zeros((3, 6))
        rows = sea.rows
        north, east = rows[:, sea_rows.NORTH], rows[:, sea_rows.EAST]
        beta = np.arctan2(east, north) - eta[5]
        cpsi, spsi = np.cos(eta[5]), np.sin(eta[5])
        w = rows[:, sea_rows.FREQUENCY]
        along = north * (cpsi * nu[0] - spsi * nu[1]) + east * (spsi * nu[0] + cpsi * nu[1])
        encounter = w - along
        X = self._responses(w, beta, float(nu[0]))
        phase = w * t - north * eta[0] - east * eta[1] + rows[:, sea_rows.PHASE]
        found = (sea.amplitudes(t) * np.exp(1j * phase))[:, None] * X
        rates = (1j * encounter)[:, None]
        return np.array([part.sum(0).real for part in (found, rates * found, rates**2 * found)])

    def _responses(self, w: Floats, beta: Floats, speed: float) -> Complex:
        """Return the responses (n, 6): RAOs at the wave frequency, as force RAOs."""
        if self.ship is not None:
            return closed_form.motions(self.ship, w, beta, speed)[0]
        assert self.rao is not None
        return self.rao.at(w, beta)

    def added(self, trail: Floats, times: Floats) -> Floats:
        """Return states and their rates (n, 2, 12 + m) with wave motions added at times (n,)."""
        shown = trail.copy()
        for row, t in zip(shown, times.tolist(), strict=True):
            x, rate = row
            moved, velocity, acceleration = self.at(x[:6], x[6:12], t)
            cpsi, spsi = np.cos(x[5]), np.sin(x[5])
            for values, motion in ((x, moved), (rate, velocity)):
                values[0] += cpsi * motion[0] - spsi * motion[1]
                values[1] += spsi * motion[0] + cpsi * motion[1]
                values[2:6] += motion[2:]
            x[6:12] += velocity
            rate[6:12] += acceleration
        return shown

    def in_sea(self, sea: Sea) -> WaveMotion:
        """Return the wave motion in a sea.

        Raises:
            InvalidValue: the water is not deeper than the vessel's draught.
        """
        depth = float(sea.water[sea_rows.DEPTH])
        if depth <= self.draught:
            raise InvalidValue(
                f"water of {depth:g} m for a draught of {self.draught:.3g} m: expected deeper water"
            )
        return replace(self, sea=sea)
