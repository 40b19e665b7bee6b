"""Measurement models of the navigation filter: residuals and Jacobians of each instrument.

An instrument is given by its description (``SENSORS``) and records (``NAME_DATA``), see
docs/sensors.md. Frames: NED, BODY, and the sensor's axes, which ``R_bs`` rotates to BODY.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any, NamedTuple

import numpy as np

from steerageway.declarations import json_of
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Smat, eul_to_rotm, quat_to_rotm, ssa
from steerageway.vessel.navigation.estimate import (
    ATTITUDE,
    CURRENT,
    GYRO,
    POSITION,
    SIZE,
    VELOCITY,
    Array,
    Estimate,
    cross,
    identity,
    rates_of_angles,
    rotation_vector,
)
from steerageway.world.constants import NANO

DEGREES = 180.0 / np.pi
_FINEST = 1e-6  # lower bound of a standard deviation, in the unit of the measurement
_VERTICAL = 0.01  # cosine of pitch below which there is no heading


class Part(NamedTuple):
    """Error model of a part of a measurement.

    Attributes:
        noise: (n, n) covariance of what differs from measurement to measurement: white noise, and
            rounding to a resolution.
        bias: (n,) standard deviation of the constant bias.
        drift: (n, 2) standard deviation and time constant [s] of the drifting bias.
        covariance: (n, n) of noise, bias and drift together, with standard deviations of at least
            a millionth of the unit.
        scale: (n,) standard deviation of the error of the scale; or (0,).
    """

    noise: Array
    bias: Array
    drift: Array
    covariance: Array
    scale: Array = np.zeros(0)

    @property
    def white(self) -> Array:
        """The noise (n, n), with standard deviations of at least a millionth of the unit."""
        if not (self.bias.any() or self.drift[:, 0].any()):
            return self.covariance
        return self.noise + identity(len(self.noise)) * _FINEST**2


@dataclass(frozen=True)
class Instrument:
    """A sensor used by the filter.

    Attributes:
        name: prefix of its records. kind: its ``sensor_type``.
        rate: of measurements [Hz]. latency: from a measurement to its post [ns].
        location: (3,) from CO in BODY [m]. R_bs: (3, 3) from the sensor's axes to BODY.
        parts: name -> its errors.
    """

    name: str
    kind: str
    rate: float
    latency: int
    location: Array
    R_bs: Array
    parts: Mapping[str, Part]


class Measurement(NamedTuple):
    """A record of an instrument.

    Attributes:
        time: of the measurement [ns].
        fields: name -> values (n,).
    """

    time: int
    instrument: Instrument
    fields: Mapping[str, Array]

    @classmethod
    def read(cls, instrument: Instrument, record: Mapping[str, Any]) -> Measurement:
        """Read a record.

        Raises:
            KeyError, TypeError, ValueError: the record is not as in docs/sensors.md.
        """
        fields = {
            field: np.atleast_1d(np.array(value, np.float64))
            for field, value in record.items()
            if isinstance(value, (int, float, list)) and not field.endswith("_covariance")
        }
        for field, size in _NEEDED[instrument.kind].items():
            if fields[field].shape != (size,) or not np.isfinite(fields[field]).all():
                raise ValueError(f"{field}: expected {size} finite numbers")
        if not np.isfinite(time := float(record["time"])):
            raise ValueError("time: expected a finite number")
        return cls(round(time * NANO), instrument, fields)


class Residual(NamedTuple):
    """Residual of a measurement.

    Attributes:
        value: (k,) measured minus predicted. H: (k, 17) Jacobian of the measurement by the error.
        noise: (k, k) covariance of the measurement.
        turn: (k, k) Jacobian by an error of the measured part; None: they are the same.
    """

    value: Array
    H: Array
    noise: Array
    turn: Array | None = None


MeasurementModel = Callable[[Estimate, Instrument, Array, Array, Array], Residual | None]
"""Residual from: estimate, instrument, lever arm (3,) from the navigated point in BODY, angular
velocity in BODY, and measurement; None: not usable at this estimate."""


def read_instruments(text: str) -> list[Instrument]:
    """Read ``SENSORS``.

    Raises:
        InvalidValue: the text is not as in docs/sensors.md.
    """
    try:
        return [_read(one) for one in json_of(text)]
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidValue(
            f"SENSORS: expected what steerageway help sensors describes: {error}"
        ) from None


def _read(described: Mapping[str, Any]) -> Instrument:
    return Instrument(
        name=str(described["sensor"]),
        kind=str(described["type"]),
        rate=float(described["rate"]),
        latency=round(float(described["latency"]) * NANO),
        location=np.array(described["location"], np.float64),
        R_bs=eul_to_rotm(described["orientation"]),
        parts={name: _part(part) for name, part in described["parts"].items()},
    )


def _part(described: Mapping[str, Any]) -> Part:
    bias = np.abs(np.array(described["bias"], np.float64))
    drift = np.stack(
        [np.array(described["drift_rms"], np.float64), np.array(described["drift_time"])], 1
    )
    noise = np.array(described["covariance"], np.float64).reshape(len(bias), len(bias))
    scale, resolution = (
        np.abs(np.array(described.get(key, np.zeros(len(bias))), np.float64))
        for key in ("scale", "resolution")
    )
    # rounding errors, of up to half the resolution, last while the value hardly changes
    noise = noise + np.diag(resolution**2 / 4.0)
    together = noise + np.diag(bias**2 + drift[:, 0] ** 2 + _FINEST**2)
    return Part(noise, bias, drift, together, scale)


def position(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual:
    """Return the residual of an antenna's position, ``p + R l``, in NED (3,) [m]."""
    H = np.zeros((3, SIZE))
    H[:, POSITION] = np.eye(3)
    H[:, ATTITUDE] = -estimate.R @ Smat(lever)
    value = measured - estimate.position - estimate.R @ lever
    return Residual(value, H, instrument.parts["position"].white)


def depth(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual | None:
    """Return the residual of a sensor's depth [m]; None above the surface, where it measures 0."""
    H = np.zeros((1, SIZE))
    H[:, POSITION] = (0.0, 0.0, 1.0)
    H[:, ATTITUDE] = -estimate.R[2:] @ Smat(lever)
    expected = estimate.position[2:] + estimate.R[2:] @ lever
    if expected[0] < 0:
        return None
    return Residual(measured - expected, H, instrument.parts["depth"].white)


def velocity(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual:
    """Return the residual of a velocity over ground, ``R_bs' (R' v + w x l)`` (3,) [m/s]."""
    turn = instrument.R_bs.T
    expected, H = _local_velocity(estimate, lever, rate, estimate.velocity)
    value = measured - turn @ expected
    return Residual(value, turn @ H, instrument.parts["linear_velocity"].white)


def speed(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual:
    """Return the residual of a sensor's speed through the water, along its x axis [m/s]."""
    ahead = instrument.R_bs.T[:1]
    water = np.append(estimate.current, 0.0)
    expected, H = _local_velocity(estimate, lever, rate, estimate.velocity - water)
    H[:, CURRENT] = -estimate.R.T[:, :2]
    return Residual(measured - ahead @ expected, ahead @ H, instrument.parts["speed"].white)


def _local_velocity(
    estimate: Estimate, lever: Array, rate: Array, relative: Array
) -> tuple[Array, Array]:
    """Return the velocity of the sensor in BODY (3,), and its Jacobian H (3, 17)."""
    own = estimate.R.T @ relative
    H = np.zeros((3, SIZE))
    H[:, VELOCITY] = estimate.R.T
    H[:, ATTITUDE] = Smat(own)
    H[:, GYRO] = Smat(lever)
    return own + cross(rate, lever), H


def attitude(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual | None:
    """Return the residual of a sensor's attitude, measured as a quaternion w x y z (4,).

    Its noise is that of the Euler angles; the residual is a rotation vector in BODY [rad]. None
    while the sensor's x axis is nearly vertical, where roll and yaw are not distinct.
    """
    R_ns = quat_to_rotm(measured)
    if hypot(R_ns[2, 1], R_ns[2, 2]) < _VERTICAL:
        return None
    value = rotation_vector(estimate.R.T @ R_ns @ instrument.R_bs.T)
    to_body = instrument.R_bs @ rates_of_angles(R_ns)
    H = np.zeros((3, SIZE))
    H[:, ATTITUDE] = np.eye(3)
    noise = to_body @ instrument.parts["orientation"].white @ to_body.T
    return Residual(value, H, noise, to_body)


def heading(
    estimate: Estimate, instrument: Instrument, lever: Array, rate: Array, measured: Array
) -> Residual | None:
    """Return the residual of the heading of a sensor's x axis [deg]; None while nearly vertical."""
    ahead = instrument.R_bs[:, 0]
    north, east, _ = estimate.R @ ahead
    level = north * north + east * east
    if level < _VERTICAL**2:
        return None
    dx, dy, _ = -estimate.R @ Smat(ahead)
    H = np.zeros((1, SIZE))
    H[0, ATTITUDE] = (north * dy - east * dx) / level * DEGREES
    value = ssa(measured - np.arctan2(east, north) * DEGREES, deg=True)
    return Residual(value, H, instrument.parts["heading"].white)


MODELS: Mapping[tuple[str, str], MeasurementModel] = {
    ("GPS", "position"): position,
    ("UWB", "position"): position,
    ("DVL", "linear_velocity"): velocity,
    ("speed_log", "speed"): speed,
    ("depth", "depth"): depth,
    ("compass", "heading"): heading,
    ("IMU", "orientation"): attitude,
}
"""(kind, field of the record) -> measurement model."""

_NEEDED: Mapping[str, Mapping[str, int]] = {
    "GPS": {"position": 3},
    "UWB": {"position": 3},
    "DVL": {"linear_velocity": 3},
    "speed_log": {"speed": 1},
    "depth": {"depth": 1},
    "compass": {"heading": 1},
    "IMU": {"orientation": 4, "angular_velocity": 3, "linear_acceleration": 3},
    "rate_gyro": {"rate": 1},
}
"""kind -> the required fields of its records, and their sizes."""
