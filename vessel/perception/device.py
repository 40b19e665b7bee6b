"""Base class of exteroceptive sensors, ``Device``, with common parameters and pose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.fossen.keys import outward as out
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.perception.measurement import MOST_BYTES, Measurement
from steerageway.vessel.perception.view import View
from steerageway.vessel.sensors.sensor_base import SensorBase
from steerageway.vessel.sensors.truth import Truth
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.units import quantity

TRUTH = "_TRUTH"
OVERHEAD = 4096  # maximum size of a packed measurement without its array [bytes]
RandomStreams = Callable[[str], np.random.Generator]
"""Returns the random generator of a stream by name, the same one at each call."""


class Output(NamedTuple):
    """A measurement, and the variable it is posted in."""

    variable: str
    measurement: Measurement


class Stance(NamedTuple):
    """Pose and motion of a sensor.

    Attributes:
        position, velocity: (3,), (3,) NED [m], [m/s] over ground.
        R: (3, 3) from its axes to NED. rate: (3,) angular velocity in its axes [rad/s].
    """

    position: Floats
    velocity: Floats
    R: Floats
    rate: Floats


class Device(SensorBase):
    """An exteroceptive sensor, read from a section of a file.

    Class attributes of a subclass, in addition to those of any sensor:
        usual_range: default minimum and maximum range [m].

    Attributes:
        near, far: minimum and maximum range [m].
        truth: whether measurements without errors are posted, too.
        dropout: fraction of measurements that are lost.
        thin: every ``thin``-th ray is kept.
    """

    usual_rate: ClassVar[float | None] = 10.0
    usual_range: ClassVar[tuple[float, float]] = (0.1, 100.0)

    def __init__(self, section: Section, frame: Frame) -> None:
        """Read a sensor; a subclass reads its own keys in ``read``.

        Raises:
            InvalidValue: with file, line, key, value and the expected value.
        """
        super().__init__(section, frame)
        self.section = section
        self.near = quantity(section, out.RANGE_MIN, default=self.usual_range[0])
        self.far = quantity(section, out.RANGE_MAX, default=self.usual_range[1])
        if self.far <= self.near:
            section.fail(out.RANGE_MAX, f"{self.far:g} m", f"more than range_min, {self.near:g} m")
        self.truth = section.flag(out.TRUTH)
        self.dropout = section.number(sen.DROPOUT)
        self.thin = int(section.number(out.THIN))
        self.read(section)
        section.finish((sen.USE_COVARIANCE, sen.COVARIANCE))

    def read(self, section: Section) -> None:
        """Read the keys of the subclass."""
        raise NotImplementedError

    def sense(self, view: View, streams: RandomStreams) -> list[Output]:
        """Return its measurements and, with ``truth``, those without errors."""
        raise NotImplementedError

    def variables(self) -> list[str]:
        """Return the variables it posts."""
        raise NotImplementedError

    def constants(self) -> Mapping[str, str]:
        """Return the variables and texts posted once, at the start."""
        return {}

    def pose(self, truth: Truth, k: int) -> Stance:
        """Return the pose and motion of the sensor at the k-th time of a truth."""
        R_nb, rate = truth.R_nb[k], truth.rate[k]
        position = truth.position[k] + R_nb @ self.location
        velocity = R_nb @ (truth.velocity[k] + np.cross(rate, self.location))
        return Stance(position, velocity, R_nb @ self.R_bs, self.R_bs.T @ rate)

    def description(self) -> dict[str, Any]:
        """Return the sensor's entry in the list of sensors (``SCENE_SENSORS``)."""
        return {
            **super().description(),
            "range": [self.near, self.far],
            "variables": self.variables(),
        }

    def check_size(self, size: int, key: str) -> None:
        """Reject a measurement that is larger than a value on the bus may be."""
        if size + OVERHEAD > MOST_BYTES:
            self.section.fail(
                key,
                f"a measurement of {size} bytes",
                f"at most {MOST_BYTES - OVERHEAD}; thin = N keeps every N-th ray",
            )
