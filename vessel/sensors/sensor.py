"""What all sensors have in common; a new one is a subclass of ``Sensor``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.geodesy import Projection
from steerageway.vessel.kinematics import Smat
from steerageway.vessel.sensors.any_sensor import DRAWN_IN_BODY, AnySensor
from steerageway.vessel.sensors.error_keys import read_errors, read_faults
from steerageway.vessel.sensors.noise import Errors
from steerageway.vessel.sensors.truth import CROSS, Array, Truth
from steerageway.vessel.times import NANO
from steerageway.world.document import Section

_new = tuple.__new__  # makes a named tuple in half the time


class Actuator(NamedTuple):
    """An actuator aboard.

    Attributes:
        name: of its state, ``cs_1``.
        kind: as its files call it, ``Rudder``.
        factor: from the state's unit to the one it is told in. unit: the latter.
    """

    name: str
    kind: str
    factor: float
    unit: str


@dataclass(frozen=True)
class Aboard:
    """What a sensor may have to know of the vessel and the world when it is made.

    Attributes:
        projection: between local coordinates and latitude and longitude; None: no datum.
        height: of the local plane above the ellipsoid [m].
        actuators: of the vessel; None: its model has none.
        standard_noise: whether a sensor has its kind's ``standard_rms`` where nothing is said.
        frame: BODY in the drawing that places and orientations are measured in.
    """

    projection: Projection | None = None
    height: float = 0.0
    actuators: Sequence[Actuator] | None = ()
    standard_noise: bool = False
    frame: Frame = DRAWN_IN_BODY


class Told(NamedTuple):
    """What a sensor tells of one measurement.

    Attributes:
        time: when it was taken [ns]. numbers: one for each of the sensor's scalars.
        record: all of it, as a JSON object.
    """

    time: int
    numbers: Sequence[float]
    record: str


class Sensor(AnySensor):
    """A sensor aboard a vessel, and how it is read from a file.

    Class attributes of a subclass, beside those of any sensor:
        parts: what it measures, and of how many components each; ``measure`` gives them side by
            side, and each has errors of its own: ``<part>_covariance``, ``<part>_bias``, ...
        scalars: the numbers it tells, each under its name with this behind it.
        fields: the lists of numbers in its record; the parts if None.
        standard_rms: part -> standard deviation of the noise of one in a ``sensors.yml``.

    Attributes:
        errors, faults: of all parts side by side, and of whole measurements.
    """

    parts: ClassVar[Mapping[str, int]]
    scalars: Sequence[str]
    fields: Mapping[str, int] | None = None
    standard_rms: ClassVar[Mapping[str, float]] = {}

    def __init__(self, section: Section, aboard: Aboard) -> None:
        """Read one; a subclass reads what is particular to it in ``read``.

        Raises:
            InvalidValue: naming file, line, key, value and what would be right.
        """
        super().__init__(section, aboard.frame)
        self.aboard = aboard
        self.read(section)
        rms = self.standard_rms if aboard.standard_noise else {}
        self.by_part = read_errors(section, self.parts, rms)
        self.errors = Errors.of(list(self.by_part.values()))
        self.faults = read_faults(section, self.errors)
        section.finish()
        # v + w x l as a product of nu and a matrix; w x v + w x (w x l) of w's products with nu
        self._lever = np.vstack((np.eye(3), Smat(self.location)))
        inward = np.einsum("ij,k->jki", np.eye(3), self.location)
        inward -= np.einsum("jk,i->jki", np.eye(3), self.location)
        self._turning = np.concatenate((CROSS, inward), axis=1).reshape(18, 3)

    def read(self, section: Section) -> None:
        """Read what is particular to the kind; ``self.aboard`` is there."""

    def measure(self, truth: Truth) -> Array:
        """Return what a sensor without errors would measure: (n, components of all parts)."""
        raise NotImplementedError

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Say which of the measurements ``true`` are possible at all (n,); None: all."""

    def within(self, told: Array) -> Array:
        """Bring values (n, components), errors included, into the range the sensor tells."""
        return told

    def numbers(self, told: Array) -> Array:
        """Return the scalars (n, scalars) of values (n, components)."""
        return told

    def contents(self, told: Array, numbers: Array) -> Array:
        """Return what the record's fields hold, side by side (n, ...)."""
        return told

    def constants(self) -> dict[str, Any]:
        """Return what else stands in every record."""
        return {}

    def places(self, truth: Truth) -> Array:
        """Return where the sensor is (n, 3) in NED [m]."""
        places: Array = truth.position + truth.R_nb.dot(self.location)
        return places

    def velocities(self, truth: Truth) -> Array:
        """Return the sensor's velocity over ground (n, 3) in BODY: v + w x l [m/s]."""
        velocities: Array = truth.nu.dot(self._lever)
        return velocities

    def accelerations(self, truth: Truth) -> Array:
        """Return the sensor's acceleration (n, 3) in BODY's axes [m/s²].

        v_dot + w x v, and the lever arm's wdot x l + w x (w x l).
        """
        nu = truth.nu
        products = (nu[:, 3:, None] * nu[:, None, :]).reshape(-1, 18)
        whole: Array = truth.nu_dot.dot(self._lever) + products.dot(self._turning)
        return whole

    def tell(self, times: Sequence[int], told: Array) -> list[Told]:
        """Return what is told of measurements, from their values with all errors."""
        values = self.within(told)
        numbers = self.numbers(values)
        held = self.contents(values, numbers)
        rows = numbers.tolist()
        contents = rows if held is numbers else held.tolist()
        form = self._form
        return [
            _new(Told, (time, row, form % (time / NANO, *content)))
            for time, row, content in zip(times, rows, contents, strict=True)
        ]

    def description(self) -> dict[str, Any]:
        """Return what a navigation filter has to know."""
        return {
            **super().description(),
            **self.constants(),
            "parts": {
                part: {
                    "covariance": errors.covariance.ravel().tolist(),
                    "bias": errors.bias.tolist(),
                    "drift_rms": errors.drift_rms.tolist(),
                    "drift_time": [t if t < inf else 0.0 for t in errors.drift_time.tolist()],
                }
                for part, errors in self.by_part.items()
            },
        }

    def scalar_names(self) -> list[str]:
        """Return the variables of its scalars."""
        return [f"{self.name}_{scalar}" if scalar else self.name for scalar in self.scalars]

    def record_names(self) -> list[str]:
        """Return the variables of its record: its own, and its topic if there is one."""
        return [f"{self.name}_DATA", *([self.topic] if self.topic else [])]

    @cached_property
    def _form(self) -> str:
        """Return the text of a record, with a place for the time and for each number."""
        pieces = [f'{{"sensor":"{self.name}","time":%.12g']
        pieces += [f'"{key}":"{value}"' for key, value in self.constants().items()]
        for key, size in (self.parts if self.fields is None else self.fields).items():
            places = ",".join(["%.12g"] * size)
            pieces.append(f'"{key}":[{places}]' if size else f'"{key}":%.12g')
        for part, errors in self.by_part.items():
            values = ",".join(f"{value:.12g}" for value in errors.covariance.ravel().tolist())
            pieces.append(f'"{part}_covariance":[{values}]')
        return ",".join(pieces) + "}"
