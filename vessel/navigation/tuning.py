"""Tuning of the navigation filter, and the process noise that follows from its IMU or gyro."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

import numpy as np

from steerageway.vessel.navigation.estimate import Array
from steerageway.vessel.navigation.instruments import MODELS, Instrument
from steerageway.vessel.navigation.lasting import LastingErrors
from steerageway.vessel.navigation.motion import GaussMarkov, ProcessNoise, Source
from steerageway.world.constants import GRAVITY

IMU_PARTS = ("angular_velocity", "linear_acceleration")


@dataclass(frozen=True)
class Tuning:
    """Assumptions of the filter.

    Attributes:
        gate: measurements with innovations beyond this many standard deviations, root mean square
            over the components, are rejected; 0: none is.
        acceleration: random walk of the velocity without an accelerometer [m/s/sqrt(s)].
        turning: random walk of the attitude without a gyro [rad/sqrt(s)].
        speed: standard deviation of the initial velocity [m/s].
        current, current_time: standard deviation [m/s] and correlation time [s] of the current.
        gravity: [m/s²].
        start: north, east, down [m] and heading [rad], if no sensor measures position or heading.
        start_std: standard deviations of its position [m] and heading [rad].
        keeps_innovations: whether the filter keeps the innovations.
    """

    gate: float = 5.0
    acceleration: float = 0.1
    turning: float = radians(3.0)
    speed: float = 2.0
    current: float = 0.5
    current_time: float = 3600.0
    gravity: float = GRAVITY
    start: tuple[float, float, float, float] | None = None
    start_std: tuple[float, float] = (1.0, radians(5.0))
    keeps_innovations: bool = False


class MotionSensors:
    """The instruments that process_noise the prediction: an IMU, or else a gyro, or neither.

    Attributes:
        imu, gyro: at most one of them.
        origin: (3,) the navigated point: the IMU's position, or CO [m].
        lasting: errors of the measurements that update the estimate.
        velocity_in_body: whether an instrument measures the velocity in its own axes.
    """

    def __init__(self, instruments: Sequence[Instrument]) -> None:
        self.imu = next((one for one in instruments if one.kind == "IMU"), None)
        gyros = () if self.imu else (one for one in instruments if one.kind == "rate_gyro")
        self.gyro = next(iter(gyros), None)
        self.origin: Array = np.zeros(3) if self.imu is None else self.imu.location
        self.velocity_in_body = any(one.kind in ("DVL", "speed_log") for one in instruments)
        self.sources = self._sources()
        self.lasting = LastingErrors.of(
            ((one, part) for one in instruments for kind, part in MODELS if kind == one.kind),
            (source[:2] for source in self.sources if source is not None),
        )

    def _sources(self) -> tuple[Source | None, Source | None]:
        """Return what senses rate and specific force."""
        if self.imu is not None:
            rate, force = ((self.imu, part, self.imu.R_bs) for part in IMU_PARTS)
            return rate, force
        if self.gyro is not None:
            return (self.gyro, "rate", self.gyro.R_bs[:, 2:]), None
        return None, None

    def bias(self, part: str) -> Array:
        """Return the prior covariance (3, 3) of a bias, in BODY.

        Args:
            part: "angular_velocity", of IMU or gyro, or "linear_acceleration", of the IMU.
        """
        if self.imu is not None:
            errors, turn = self.imu.parts[part], self.imu.R_bs
            return turn @ np.diag(errors.bias**2 + errors.drift[:, 0] ** 2) @ turn.T
        if self.gyro is not None and part == "angular_velocity":
            errors, axis = self.gyro.parts["rate"], self.gyro.R_bs[:, 2]
            return np.outer(axis, axis) * (errors.bias**2 + errors.drift[:, 0] ** 2)
        return np.zeros((3, 3))

    def process_noise(self, tuning: Tuning) -> ProcessNoise:
        """Return the process noise with these instruments."""
        rate_noise = np.eye(3) * tuning.turning**2
        force_noise = np.eye(3) * tuning.acceleration**2
        gyro_drift = force_drift = GaussMarkov(np.zeros((3, 3)), np.zeros((3, 3)))
        if self.imu is not None:
            turn = self.imu.R_bs
            rate, force = (self.imu.parts[part] for part in IMU_PARTS)
            rate_noise = turn @ rate.noise @ turn.T / self.imu.rate
            force_noise = turn @ force.noise @ turn.T / self.imu.rate
            gyro_drift, force_drift = (
                GaussMarkov.of(rate.drift, turn),
                GaussMarkov.of(force.drift, turn),
            )
        elif self.gyro is not None:
            axis, rate = self.gyro.R_bs[:, 2], self.gyro.parts["rate"]
            about = np.outer(axis, axis)
            rate_noise += about * (rate.noise / self.gyro.rate - tuning.turning**2)
            one = GaussMarkov.of(rate.drift, np.eye(1))
            gyro_drift = GaussMarkov(about * one.decay, about * one.noise)
        water = GaussMarkov.of(np.array([[tuning.current, tuning.current_time]] * 2), np.eye(2))
        drifts = gyro_drift, force_drift, water
        return ProcessNoise(
            rate_noise, force_noise, *drifts, tuning.gravity, self.lasting, self.sources
        )
