"""True motion and surroundings of a vessel at the times of its sensors' measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.marine import components
from steerageway.world.constants import NANO
from steerageway.world.current_field import CurrentField
from steerageway.world.errors import InvalidValue

if TYPE_CHECKING:
    from steerageway.world.weather import Weather

Array = NDArray[np.float64]
Times = NDArray[np.int64]

P, Q, V, W = slice(0, 3), slice(3, 7), slice(7, 10), slice(10, 13)
NU, MOTION = slice(7, 13), 13
"""Columns of position, quaternion, velocity and angular velocity in a row of the motion."""
WATER, AIR, BOTTOM, FLOWS = slice(0, 3), slice(3, 6), 6, 7
"""Columns of the velocities of water and air (NED), the depth, and whether the current field is
active (1 or 0), in a row of the surroundings."""
STEPS = 30  # maximum number of iterations of a beam's range over a grid of depths
CLOSE = 1e-6  # change of a range at which the iteration has converged [m]


class Truth:
    """A vessel's motion at n times, and its surroundings.

    Attributes:
        times: (n,) [ns].
        R_nb: (n, 3, 3) from BODY to NED.
        names: of the actuators, as ``cs_1``.
        gravity: [m/s²].
    """

    __slots__ = ("R_nb", "_around", "_rows", "gravity", "names", "times")

    def __init__(
        self,
        times: Times,
        rows: Array,
        R_nb: Array,
        shared: tuple[Sequence[str], Surroundings, float],
    ) -> None:
        """Store the rows of the motion, and names, surroundings and gravity.

        Args:
            times: (n,) [ns].
            rows: (n, 3, 13 + m) values of the motion, their rates, and linearly interpolated
                values; actuators last.
            R_nb: (n, 3, 3).
            shared: names of the actuators, surroundings, gravity [m/s²].
        """
        self.times, self._rows, self.R_nb = times, rows, R_nb
        self.names, self._around, self.gravity = shared

    def part(self, some: slice) -> Truth:
        """Return the truth at some of the times."""
        shared = self.names, self._around, self.gravity
        return Truth(self.times[some], self._rows[some], self.R_nb[some], shared)

    @property
    def time(self) -> Array:
        """The times (n,) [s]."""
        return self.times / NANO

    @property
    def position(self) -> Array:
        """Position of CO (n, 3) in NED [m]."""
        return self._rows[:, 0, P]

    @property
    def nu(self) -> Array:
        """Velocity of CO over ground and angular velocity (n, 6) in BODY [m/s, rad/s]."""
        return self._rows[:, 0, NU]

    @property
    def nu_dot(self) -> Array:
        """The rates of ``nu``'s components (n, 6) [m/s², rad/s²]."""
        return self._rows[:, 1, NU]

    @property
    def velocity(self) -> Array:
        """Velocity of CO over ground (n, 3) in BODY [m/s]."""
        return self._rows[:, 0, V]

    @property
    def rate(self) -> Array:
        """Angular velocity (n, 3) in BODY [rad/s]."""
        return self._rows[:, 0, W]

    @property
    def acceleration(self) -> Array:
        """Acceleration of CO over ground (n, 3), in BODY's axes: nu1_dot + w x v [m/s²]."""
        return self._rows[:, 1, V] + cross(self.rate, self.velocity)

    @property
    def actuators(self) -> Array:
        """State of the actuators (n, m) [rad, rad/s or their own unit]."""
        return self._rows[:, 2, MOTION:]

    @property
    def water(self) -> Array:
        """The water's velocity over ground at CO (n, 3) in BODY [m/s]."""
        return self.water_at(self.position)

    def water_at(self, places: Array) -> Array:
        """Return the water's velocity over ground (n, 3) in BODY at places (n, 3) in NED [m]."""
        return into_body(self.R_nb, self._around.water(self.times, places))

    @property
    def air(self) -> Array:
        """The air's velocity over ground (n, 3) in BODY [m/s]."""
        return into_body(self.R_nb, self._around.air(self.times))

    @property
    def over_a_grid(self) -> bool:
        """Whether the depth varies with position."""
        return self._around.over_a_grid

    def depths(self, places: Array) -> Array:
        """Return the depth of the water (n,) at places (n, 3) [m]; nan: unknown."""
        return self._around.depths(self.times, places)


class Surroundings:
    """Surroundings of a vessel over time, piecewise constant.

    Attributes:
        weather: the environment; None: none. Its wind and ground take precedence.
        field: the part of the current that varies with position and time; None: none.
    """

    def __init__(self) -> None:
        self._times = [0]
        self._rows = [np.zeros(FLOWS + 1)]
        self._sounded: int | None = None  # since when the depth is known [ns]
        self.weather: Weather | None = None
        self.field: CurrentField | None = None

    def note(self, time: int, where: slice | int, value: Sequence[float] | float) -> None:
        """Set a value from a time [ns] on; not before the time of the last change."""
        if where == BOTTOM and self._sounded is None:
            self._sounded = time
        row = self._rows[-1].copy()
        row[where] = value
        self._times.append(max(time, self._times[-1]))
        self._rows.append(row)

    def water(self, times: Times, places: Array) -> Array:
        """Return the water's velocity (n, 3) in NED at times (n,) [ns] and places (n, 3) in NED."""
        rows = self.at(times)
        flow: Array = rows[:, WATER]
        if self.field is None:
            return flow
        for i, (north, east, down) in enumerate(places.tolist()):
            if rows[i, FLOWS] != 0.0:
                to_east, to_north = self.field.at(east, north, max(0.0, down), times[i] / NANO)
                flow[i] += (to_north, to_east, 0.0)
        return flow

    def at(self, times: Times) -> Array:
        """Return the surroundings (n, 8) at times (n,) [ns], in any order."""
        if len(self._rows) == 1:
            return self._rows[0][None].repeat(len(times), axis=0)
        places = np.searchsorted(self._times, times, side="right") - 1
        return np.array(self._rows)[places]

    @property
    def over_a_grid(self) -> bool:
        """Whether the depth varies with position."""
        return self.weather is not None and self.weather.environment.ground is not None

    def air(self, times: Times) -> Array:
        """Return the air's velocity (n, 3) in NED [m/s] at times (n,) [ns]."""
        if self.weather is None or not self.weather.windy:
            air: Array = self.at(times)[:, AIR]
            return air
        winds = [self.weather.wind(time / NANO) for time in times.tolist()]
        blown = [components(wind.direction + 180.0, wind.speed) for wind in winds]
        return np.array([(north, east, 0.0) for east, north in blown]).reshape(-1, 3)

    def depths(self, times: Times, places: Array) -> Array:
        """Return the water depth (n,) [m] at times [ns] and places (n, 3) NED; nan: unknown."""
        if self.weather is None or not self.weather.environment.has_depth:
            known = False if self._sounded is None else times >= self._sounded
            depth: Array = np.where(known, self.at(times)[:, BOTTOM], np.nan)
            return depth
        found = np.full(len(times), np.nan)
        for i, (time, place) in enumerate(zip(times.tolist(), places.tolist(), strict=True)):
            try:
                found[i] = self.weather.environment.depth_at(place[1], place[0], time / NANO)
            except InvalidValue:  # off the grid
                continue
        return found

    def forget(self, before: int) -> None:
        """Remove the changes superseded at a time [ns]; no earlier time may be queried then."""
        while len(self._times) > 1 and self._times[1] <= before:
            del self._times[0], self._rows[0]


CROSS = np.zeros((3, 3, 3))
"""Levi-Civita symbol: weights of the products of components in a cross product."""
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    CROSS[_j, _k, _i], CROSS[_k, _j, _i] = 1, -1

_CROSS = CROSS.reshape(9, 3)


def cross(a: Array, b: Array) -> Array:
    """Return the cross products (n, 3) of rows."""
    product: Array = (a[:, :, None] * b[:, None, :]).reshape(-1, 9).dot(_CROSS)
    return product


def into_body(R_nb: Array, vectors: Array) -> Array:
    """Return vectors (n, 3) of NED in BODY: R_nb' v."""
    turned: Array = np.matmul(vectors[:, None, :], R_nb)[:, 0, :]
    return turned


def ranges(truth: Truth, places: Array, beams: Array) -> Array:
    """Return the range (n,) along each beam to the bottom [m]; nan without an intersection.

    It is 0 for an origin in the ground on which the vessel stands.

    Args:
        truth: at n times, with the depth of the water.
        places: (n, 3) origins of the beams, NED [m].
        beams: (n, 3) their directions, NED, unit vectors.
    """
    down = np.where(beams[:, 2] > 0, beams[:, 2], np.nan)
    found = (truth.depths(places) - places[:, 2]) / down
    if truth.over_a_grid:
        for _ in range(STEPS):
            # Fixed-point iteration: the depth at the point where the beam met the last depth.
            again = (truth.depths(places + found[:, None] * beams) - places[:, 2]) / down
            moved = np.abs(again - found)
            found = again
            if not (moved > CLOSE).any():
                break
    if not (found < 0).any():
        return found
    depth = truth.depths(truth.position)
    stands = (depth <= 0) | (truth.position[:, 2] <= depth + CLOSE)
    return np.where(found >= 0, found, np.where(stands & (found < 0), 0.0, np.nan))
