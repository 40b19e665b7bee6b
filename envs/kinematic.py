"""Many thrust-map vessels, which have no forces, stepped at once by one call of compiled code."""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

import numpy as np

from steerageway.vessel.fossen.state import ACTUATORS, PSI, R_, U_, V_, X_, Y_
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.tasks import Scale
from steerageway.world.arrays import Flags, Floats, Whole
from steerageway.world.compiled import compiled

NAME = "kinematic"  # of the vessel in the place of a folder's
LENGTH = 4.0  # of the vessel of the mission alpha [m]
SPEED = ACTUATORS  # index in a state: through the water [m/s]
FULL = 100.0  # [%]


class Parameters(NamedTuple):
    """The numbers of ``KinematicParameters`` that the step needs; ahead, astern: full speeds."""

    ahead: float
    astern: float
    turn_rate: float
    turn_spd_loss: float
    max_acceleration: float
    max_deceleration: float


@compiled
def advance(p: Parameters, x: Floats, actions: Floats, current: Floats, dt: float) -> None:
    """Advance vessels by ``dt``, see ``kinematic_documented.Documented.step``.

    Args:
        p: the vessel. x: (N, 13) states. actions: (N, 2) rudder and thrust from -1 to 1.
        current: (N, 2) to north and east [m/s]. dt: [s].
    """
    for i in range(x.shape[0]):
        rudder, thrust, before = FULL * actions[i, 0], FULL * actions[i, 1], x[i, SPEED]
        wanted = thrust / FULL * (p.ahead if thrust > 0.0 else -p.astern)
        wanted *= 1.0 - abs(rudder) / FULL * p.turn_spd_loss
        low, high = before - p.max_deceleration * dt, before + p.max_acceleration * dt
        speed = min(max(wanted, low), high)
        turn = radians(rudder * p.turn_rate / 100.0 * dt * thrust / 50.0)
        mean, along = (speed + before) / 2.0, x[i, PSI] + turn / 2.0
        north, east = current[i, 0], current[i, 1]
        x[i, X_] += (cos(along) * mean + north) * dt
        x[i, Y_] += (sin(along) * mean + east) * dt
        x[i, PSI] += turn
        c, s = cos(x[i, PSI]), sin(x[i, PSI])
        x[i, U_], x[i, V_] = speed + c * north + s * east, c * east - s * north
        x[i, R_], x[i, SPEED] = turn / dt, speed


class Kinematic(NamedTuple):
    """What environments ask of a vessel: name, state at rest (13,), and outline, which it lacks."""

    name: str = NAME
    initial: Floats = np.zeros(SPEED + 1)
    outline: Floats = np.zeros((0, 2))


class KinematicBatch:
    """N vessels at the surface: uSimMarineV22's ``documented`` with the defaults of its block.

    Attributes:
        x: (N, 13) states, see ``vessel.fossen.state``, with velocities over ground at the end of
            the last step, and its mean rate of turn; the last entry is the speed through the water.
        current: (N, 2) to north and east [m/s].
        scale: the vessel's length and full speed.
        vessel, orders, dt: as those of ``Batch``.
    """

    def __init__(self, count: int, dt: float) -> None:
        self.vessel, self.orders, self.dt = Kinematic(), ["rudder", "thrust"], dt
        known = KinematicParameters()
        ahead, astern = (known.thrust_map.speed(thrust) for thrust in (FULL, -FULL))
        own = (getattr(known, name) for name in Parameters._fields[2:])
        self._parameters = Parameters(ahead, astern, *own)
        self.scale = Scale(LENGTH, ahead)
        self.x = np.tile(self.vessel.initial, (count, 1))
        self.current = np.zeros((count, 2))

    def step(self, actions: Floats) -> Flags:
        """Advance every vessel by ``dt`` and return which failed (N,): none.

        Args:
            actions: (N, 2) from -1 to 1.
        """
        given = np.ascontiguousarray(actions)
        advance(self._parameters, self.x, given, self.current, self.dt)
        return np.zeros(len(self.x), np.bool_)

    def restart(
        self, which: Whole, x: Floats, current: Floats, wind: Floats, random: np.random.Generator
    ) -> None:
        """Put vessels into states (k, 13), in current (k, 2), as ``Batch``; no wind moves them."""
        cos_psi, sin_psi, (north, east) = np.cos(x[:, PSI]), np.sin(x[:, PSI]), current.T
        x[:, SPEED] = x[:, U_]
        x[:, U_] += cos_psi * north + sin_psi * east
        x[:, V_] = cos_psi * east - sin_psi * north
        self.x[which], self.current[which] = x, current

    def close(self) -> None:
        """Do nothing: only missions need to end."""
