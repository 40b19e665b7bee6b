"""Initialization of the navigation filter, from the first position and heading measured."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.kinematics import Smat, eul_to_rotm, quat_to_rotm
from steerageway.vessel.navigation.estimate import (
    ATTITUDE,
    CURRENT,
    ERRORS,
    FORCE,
    GYRO,
    POSITION,
    SIZE,
    VELOCITY,
    Array,
    Estimate,
    identity,
    rates_of_angles,
)
from steerageway.vessel.navigation.instruments import MODELS, Measurement
from steerageway.vessel.navigation.tuning import MotionSensors, Tuning

_LEVEL = 0.05  # standard deviation of roll and pitch without an IMU [rad]
_YAW = ATTITUDE.stop - 1


class FilterInitializer:
    """Collects measurements until they determine an initial estimate."""

    def __init__(self, motion_sensors: MotionSensors, tuning: Tuning) -> None:
        self._motion_sensors, self._tuning = motion_sensors, tuning
        self._measured: dict[str, Measurement] = {}

    def note(self, one: Measurement) -> None:
        """Store a measurement."""
        self._measured[one.instrument.kind] = one

    def lacks(self) -> str:
        """Return what is still missing, as text; "" if nothing."""
        if self._tuning.start is not None:
            return ""
        lacking = []
        if self.latest("GPS", "UWB") is None:
            lacking.append("a position (of a GPS or UWB, or start_pos)")
        if self.latest("IMU", "compass") is None:
            lacking.append("a heading (of an IMU or compass, or start_pos)")
        return " and ".join(lacking)

    def latest(self, *kinds: str) -> Measurement | None:
        """Return the latest measurement of the first of these kinds with one; else None."""
        return next((self._measured[kind] for kind in kinds if kind in self._measured), None)

    def estimate(self, time: int) -> Estimate:
        """Return the initial estimate, at the latest measurement's time, else at ``time`` [ns]."""
        tuning, lasting = self._tuning, self._motion_sensors.lasting
        size = SIZE + len(lasting.rms)
        P = np.zeros((size, size))
        P[ERRORS, ERRORS] = lasting.covariance
        P[VELOCITY, VELOCITY] = np.eye(3) * tuning.speed**2
        P[GYRO, GYRO] = self._motion_sensors.bias("angular_velocity")
        P[FORCE, FORCE] = self._motion_sensors.bias("linear_acceleration")
        P[CURRENT, CURRENT] = np.eye(2) * tuning.current**2
        R = self._attitude(P)
        position = self._position(R, P)
        times = [one.time for one in self._measured.values()]
        start = max(times, default=time)
        errors, in_body = np.zeros(len(lasting.rms)), self._motion_sensors.velocity_in_body
        return Estimate(start, position, np.zeros(3), R, P=P, errors=errors, in_body=in_body)

    def _note_lasting(self, P: Array, states: slice, one: Measurement, turn: Array) -> None:
        """Add to P that states taken from a measurement contain its lasting errors.

        Args:
            P: covariance, changed. states: among its rows. one: the measurement.
            turn: (k, n) Jacobian of the states by an error of the measured part.
        """
        (part,) = (name for kind, name in MODELS if kind == one.instrument.kind)
        lasting = self._motion_sensors.lasting
        effect = lasting.effect(one.instrument, part, turn, one.fields[part])
        shared = effect @ lasting.covariance
        P[states, ERRORS], P[ERRORS, states] = -shared, -shared.T
        P[states, states] += shared @ effect.T

    def _attitude(self, P: Array) -> Array:
        """Return the attitude R; set its covariance in P."""
        start, imu, compass = self._tuning.start, self.latest("IMU"), self.latest("compass")
        if imu is not None:
            turn, errors = imu.instrument.R_bs, imu.instrument.parts["orientation"]
            P[ATTITUDE, ATTITUDE] = turn @ errors.white @ turn.T
            R_ns = quat_to_rotm(imu.fields["orientation"])
            angles = turn @ rates_of_angles(R_ns)
            self._note_lasting(P, ATTITUDE, imu, angles)
            return R_ns @ turn.T
        P[ATTITUDE, ATTITUDE] = np.eye(3) * _LEVEL**2
        if compass is not None:
            x, y, _ = compass.instrument.R_bs[:, 0]
            variance = compass.instrument.parts["heading"].white.item()
            P[_YAW, _YAW] = np.radians(np.sqrt(variance)) ** 2
            measured = compass.fields["heading"]
            self._note_lasting(P, slice(_YAW, _YAW + 1), compass, np.radians([[1.0]]))
            yaw = np.radians(measured.item()) - np.arctan2(y, x)
        else:
            assert start is not None
            P[_YAW, _YAW] = self._tuning.start_std[1] ** 2
            yaw = start[3]
        return eul_to_rotm([0.0, 0.0, yaw])

    def _position(self, R: Array, P: Array) -> Array:
        """Return the position of the navigated point; set its covariance in P."""
        radio, start = self.latest("GPS", "UWB"), self._tuning.start
        if radio is not None:
            place = radio.fields["position"]
            lever = radio.instrument.location - self._motion_sensors.origin
            spread = radio.instrument.parts["position"].white
        else:
            assert start is not None
            place, lever = np.array(start[:3]), -self._motion_sensors.origin
            spread = np.eye(3) * self._tuning.start_std[0] ** 2
        # Errors of the attitude shift the point by the lever arm: they are correlated.
        if radio is not None:
            self._note_lasting(P, POSITION, radio, np.eye(3))
        shift = R @ Smat(lever)
        tilted = shift @ P[ATTITUDE, ATTITUDE]
        P[POSITION, POSITION] += (
            spread + tilted @ shift.T + _curvature(R, lever, P[ATTITUDE, ATTITUDE])
        )
        P[POSITION, ERRORS] += shift @ P[ATTITUDE, ERRORS]
        P[ERRORS, POSITION] = P[POSITION, ERRORS].T
        P[POSITION, ATTITUDE], P[ATTITUDE, POSITION] = tilted, tilted.T
        return place - R @ lever


def _curvature(R: Array, lever: Array, P: Array) -> Array:
    """Return the second moment (3, 3) of what ``R l`` has beyond its linear part, in NED [m²].

    An error theta of the attitude moves the lever arm's end by theta x l + theta x (theta x l) / 2.
    A position better known than the second term would make the filter too sure of its heading.

    Args:
        R: (3, 3) from BODY to NED. lever: (3,) in BODY [m]. P: (3, 3) of theta, in BODY [rad²].

    Source: Bar-Shalom, Li and Kirubarajan (2001), section 10.3.2, the second-order filter.
    """
    # component k of the second term is theta' M_k theta / 2
    outer = identity(3)[:, :, None] * lever
    M = (outer + outer.transpose(0, 2, 1)) / 2 - lever[:, None, None] * identity(3)
    MP = M @ P
    mean = np.trace(MP, axis1=1, axis2=2) / 2
    moment = np.einsum("iab,jba->ij", MP, MP) / 2 + np.outer(mean, mean)
    bent: Array = R @ moment @ R.T
    return bent
