"""Position sensors: GPS, UWB, depth, altimeter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.geodesy import FARTHEST
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.sensors.sensor import Reading, Sensor
from steerageway.vessel.sensors.truth import Array, Truth, ranges
from steerageway.world.document import Section

EAST_NORTH_DOWN = np.array((1, 0, 2))


class _Radio(Sensor):
    """Radio positioning of an antenna, lost below a depth."""

    parts: ClassVar = {"position": 3}

    def read(self, section: Section) -> None:
        """Read the depth below which there is no reception."""
        self.lost_below = section.number(sen.LOST_BELOW) if sen.LOST_BELOW in section else np.inf

    def measure(self, truth: Truth) -> Array:
        """Return the position (n, 3) in NED [m]."""
        return self.places(truth)

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return when the antenna is not too deep."""
        return None if self.lost_below == np.inf else true[:, 2] <= self.lost_below


class Gps(_Radio):
    """Latitude, longitude and altitude, with errors in NED metres."""

    kind = "GPS"
    standard_rms: ClassVar = {"position": 3.0}
    geodetic: ClassVar = {"latitude": 0, "longitude": 0, "altitude": 0}

    def read(self, section: Section) -> None:
        """Select the scalars and fields: without a datum no latitude and longitude."""
        super().read(section)
        known = self.aboard.projection is not None
        self.scalars = ("LAT", "LONG", "ALT", "X", "Y") if known else ("ALT", "X", "Y")
        names = self.geodetic if known else {"altitude": 0}
        self.fields = {**names, "position": 3}

    def readings(self, times: Sequence[int], measured: Array) -> list[Reading]:
        """Return the readings; with a datum none farther than ``FARTHEST`` from it."""
        if self.aboard.projection is not None:
            near = np.hypot(measured[:, 0], measured[:, 1]) <= FARTHEST
            times, measured = list(compress(times, near)), measured[near]
        return super().readings(times, measured) if len(times) else []

    def scalars_of(self, values: Array) -> Array:
        """Return latitude and longitude [deg], altitude up, x east and y north [m]."""
        height, plane = self.aboard.height, self.aboard.projection
        places = values.tolist()
        if plane is None:
            return np.array([(height - z, y, x) for x, y, z in places])
        rows = [(*plane.to_latlon(y, x), height - z, y, x) for x, y, z in places]
        return np.array(rows)

    def contents(self, values: Array, numbers: Array) -> Array:
        """Return latitude, longitude and altitude, then the position in NED."""
        return np.concatenate((numbers[:, :-2], values), axis=1)


class Uwb(_Radio):
    """The position of its tag in NED."""

    kind = "UWB"
    scalars = ("X", "Y", "DEPTH")
    standard_rms: ClassVar = {"position": 1.0}

    def scalars_of(self, values: Array) -> Array:
        """Return x east, y north and depth [m]."""
        return values.take(EAST_NORTH_DOWN, axis=1)


class Depth(Sensor):
    """The depth of the sensor below the surface, by pressure [m]."""

    kind = "depth"
    called = "PRESSURE"
    parts: ClassVar = {"depth": 1}
    scalars = ("DEPTH",)

    def measure(self, truth: Truth) -> Array:
        """Return the depth (n, 1); 0 above the surface."""
        return np.maximum(self.places(truth)[:, 2:], 0.0)


class Altimeter(Sensor):
    """The range to the bottom along the sensor's z axis [m]."""

    kind = "altimeter"
    parts: ClassVar = {"range": 1}
    scalars = ("RANGE",)

    def measure(self, truth: Truth) -> Array:
        """Return the range (n, 1); nan where the beam does not reach the bottom."""
        beams: Array = truth.R_nb @ self.R_bs[:, 2]
        return ranges(truth, self.places(truth), beams)[:, None]

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return when the beam reaches the bottom."""
        reached: NDArray[np.bool_] = np.isfinite(true[:, 0])
        return reached
