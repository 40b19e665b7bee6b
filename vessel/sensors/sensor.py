"""Base class of sensors of a vessel's motion, ``Sensor``, and their readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.geodesy import Projection
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.kinematics import Smat
from steerageway.vessel.sensors.error_keys import read_errors, read_faults
from steerageway.vessel.sensors.noise import Errors
from steerageway.vessel.sensors.sensor_base import DRAWN_IN_BODY, SensorBase
from steerageway.vessel.sensors.truth import CROSS, Array, Truth
from steerageway.world.constants import NANO
from steerageway.world.document import Section

_new = tuple.__new__  # makes a named tuple twice as fast


class Actuator(NamedTuple):
    """An actuator aboard.

    Attributes:
        name: of its state, ``cs_1``.
        kind: its type in the vessel's files, ``Rudder``.
        factor: from the state's unit to the published one. unit: the latter.
    """

    name: str
    kind: str
    factor: float
    unit: str


@dataclass(frozen=True)
class Aboard:
    """Vessel and environment data that a sensor is constructed with.

    Attributes:
        projection: between local coordinates and latitude and longitude; None: no datum.
        height: of the local plane above the ellipsoid [m].
        actuators: of the vessel; None: its model has none.
        standard_noise: whether the noise of a sensor defaults to its type's ``standard_rms``.
        frame: of BODY in the drawing, in which positions and orientations are given.
    """

    projection: Projection | None = None
    height: float = 0.0
    actuators: Sequence[Actuator] | None = ()
    standard_noise: bool = False
    frame: Frame = DRAWN_IN_BODY


class Reading(NamedTuple):
    """One reading of a sensor, as published.

    Attributes:
        time: of the measurement [ns]. numbers: one for each of the sensor's scalars.
        record: the complete reading as a JSON object.
    """

    time: int
    numbers: Sequence[float]
    record: str


class Sensor(SensorBase):
    """A sensor of the vessel's motion, read from a section of a file.

    Class attributes of a subclass, in addition to those of any sensor:
        parts: measured quantities -> number of components; ``measure`` returns them
            concatenated. Each has its own errors: ``<part>_covariance``, ``<part>_bias``, ...
        scalars: suffixes of the variables with single numbers, after the sensor's name.
        fields: lists of numbers in its record -> sizes; None: the parts.
        standard_rms: part -> default standard deviation of its noise in a ``sensors.yml``.

    Attributes:
        errors, faults: of all parts concatenated, and of whole measurements.
    """

    parts: ClassVar[Mapping[str, int]]
    scalars: Sequence[str]
    fields: Mapping[str, int] | None = None
    standard_rms: ClassVar[Mapping[str, float]] = {}

    def __init__(self, section: Section, aboard: Aboard) -> None:
        """Read a sensor; a subclass reads its own keys in ``read``.

        Raises:
            InvalidValue: with file, line, key, value and the expected value.
        """
        super().__init__(section, aboard.frame)
        self.aboard = aboard
        self.read(section)
        rms = self.standard_rms if aboard.standard_noise else {}
        self.by_part = read_errors(section, self.parts, rms)
        self.errors = Errors.of(list(self.by_part.values()))
        self.faults = read_faults(section, self.errors)
        section.finish()
        # v + w x l is nu times _lever; w x v + w x (w x l) is the products of w and nu times
        # _turning. One matrix product costs less than several of NumPy's calls.
        self._lever = np.vstack((np.eye(3), Smat(self.location)))
        inward = np.einsum("ij,k->jki", np.eye(3), self.location)
        inward -= np.einsum("jk,i->jki", np.eye(3), self.location)
        self._turning = np.concatenate((CROSS, inward), axis=1).reshape(18, 3)

    def read(self, section: Section) -> None:
        """Read the keys of the subclass; ``self.aboard`` is set."""

    def measure(self, truth: Truth) -> Array:
        """Return measurements without errors (n, components of all parts)."""
        raise NotImplementedError

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return which of the measurements ``true`` are possible (n,); None: all."""

    def within(self, values: Array) -> Array:
        """Return values (n, components) with errors, wrapped or clipped to the sensor's range."""
        return values

    def scalars_of(self, values: Array) -> Array:
        """Return the scalars (n, scalars) of values (n, components)."""
        return values

    def contents(self, values: Array, numbers: Array) -> Array:
        """Return the contents of the record's fields, concatenated (n, ...)."""
        return values

    def constants(self) -> dict[str, Any]:
        """Return the constant fields of every record."""
        return {}

    def places(self, truth: Truth) -> Array:
        """Return the sensor's position (n, 3) in NED [m]."""
        places: Array = truth.position + truth.R_nb.dot(self.location)
        return places

    def velocities(self, truth: Truth) -> Array:
        """Return the sensor's velocity over ground (n, 3) in BODY: v + w x l [m/s]."""
        velocities: Array = truth.nu.dot(self._lever)
        return velocities

    def accelerations(self, truth: Truth) -> Array:
        """Return the sensor's acceleration (n, 3) in BODY's axes [m/s²].

        v_dot + w x v + wdot x l + w x (w x l), with the lever arm l.
        """
        nu = truth.nu
        products = (nu[:, 3:, None] * nu[:, None, :]).reshape(-1, 18)
        whole: Array = truth.nu_dot.dot(self._lever) + products.dot(self._turning)
        return whole

    def readings(self, times: Sequence[int], measured: Array) -> list[Reading]:
        """Return the readings of measurements, from their values with all errors."""
        values = self.within(measured)
        numbers = self.scalars_of(values)
        held = self.contents(values, numbers)
        rows = numbers.tolist()
        contents = rows if held is numbers else held.tolist()
        form = self._form
        return [
            _new(Reading, (time, row, form % (time / NANO, *content)))
            for time, row, content in zip(times, rows, contents, strict=True)
        ]

    def description(self) -> dict[str, Any]:
        """Return the sensor's entry in the list of sensors, with its error model."""
        return {
            **super().description(),
            **self.constants(),
            "parts": {part: _described(errors) for part, errors in self.by_part.items()},
        }

    def scalar_names(self) -> list[str]:
        """Return the variables of its scalars."""
        return [f"{self.name}_{scalar}" if scalar else self.name for scalar in self.scalars]

    def record_names(self) -> list[str]:
        """Return the variables of its record: NAME_DATA and, if set, the topic."""
        return [f"{self.name}_DATA", *([self.topic] if self.topic else [])]

    @cached_property
    def _form(self) -> str:
        """Return the format string of a record, for the time and each number."""
        pieces = [f'{{"sensor":"{self.name}","time":%.12g']
        pieces += [f'"{key}":"{value}"' for key, value in self.constants().items()]
        for key, size in (self.parts if self.fields is None else self.fields).items():
            places = ",".join(["%.12g"] * size)
            pieces.append(f'"{key}":[{places}]' if size else f'"{key}":%.12g')
        for part, errors in self.by_part.items():
            values = ",".join(f"{value:.12g}" for value in errors.covariance.ravel().tolist())
            pieces.append(f'"{part}_covariance":[{values}]')
        return ",".join(pieces) + "}"


def _described(errors: Errors) -> dict[str, list[float]]:
    """Return the description of a part's errors; scale and resolution only if it has them."""
    more = {"scale": errors.scale, "resolution": errors.resolution}
    return {
        "covariance": errors.covariance.ravel().tolist(),
        "bias": errors.bias.tolist(),
        "drift_rms": errors.drift_rms.tolist(),
        "drift_time": [t if t < inf else 0.0 for t in errors.drift_time.tolist()],
        **{key: values.tolist() for key, values in more.items() if values.any()},
    }
