"""The navigation filter: processes measurements in order of their times, delayed ones included."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from steerageway.vessel.kinematics import Smat, eul_to_rotm, quat_to_rotm, rotm_to_eul
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
    cross,
    identity,
    rates_of_angles,
)
from steerageway.vessel.navigation.instruments import MODELS, Instrument, Measurement
from steerageway.vessel.navigation.motion import SensedMotion, advance
from steerageway.vessel.navigation.solution import Solution
from steerageway.vessel.navigation.tuning import MotionSensors, Tuning

VAGUE = 0.35  # standard deviation of a first heading, twice which is no small error [rad]
MAX_REJECTED = 20  # consecutive rejected measurements of an instrument before the filter restarts
_by_time = attrgetter("time")
_LEVEL = 0.05  # standard deviation of roll and pitch without an IMU [rad]
_YAW = ATTITUDE.stop - 1


class Innovation(NamedTuple):
    """Innovation of a measurement.

    A filter is consistent if the normalised innovation squared (NIS), nu' S^-1 nu of an innovation
    nu of m components with its covariance S, is chi-square distributed with m degrees of freedom.

    Attributes:
        name, part: of the instrument, and of its record.
        time: of the measurement [ns].
        value: (m,) measured minus predicted, in the unit of the part; [rad] for an attitude.
        covariance: (m, m) S, of prediction and measurement noise.
        nis: nu' S^-1 nu.
        refused: rejected by the gate, without an update.

    Source: Bar-Shalom, Li and Kirubarajan (2001), Estimation with Applications to Tracking and
    Navigation, section 5.4.
    """

    name: str
    part: str
    time: int
    value: Array
    covariance: Array
    nis: float
    refused: bool


class NavigationFilter:
    """Fuses the measurements of instruments.

    A measurement arrives with its instrument's latency. Measurements that no later arrival can
    precede are processed once, into the settled estimate; newer ones are processed on a copy of it,
    again at each call of ``work``.

    Attributes:
        listens_to: the names of the instruments in use.
        refused: name -> number of measurements rejected by the gate.
        late: number of measurements older than the settled estimate on arrival, and left out.
        restarts: number of restarts after consecutive rejections.
        vague_starts: number of first estimates whose heading is vaguer than ``VAGUE``.
        innovations: of measurements processed into the settled estimate, in order of their times;
            kept only if the tuning says so, until the caller clears the list.
    """

    def __init__(self, instruments: Sequence[Instrument], tuning: Tuning) -> None:
        self._tuning = tuning
        self.innovations: list[Innovation] = []
        self._motion_sensors = MotionSensors(instruments)
        self._process_noise = self._motion_sensors.process_noise(tuning)
        kinds = {kind for kind, _ in MODELS}
        used = [o for o in instruments if o.kind in kinds or o is self._motion_sensors.gyro]
        self._instruments = {one.name: one for one in used}
        self._slowest = max((one.latency for one in used), default=0)
        self._waiting: list[Measurement] = []
        self._seen = self._began = -1
        self._initializer = FilterInitializer(self._motion_sensors, tuning)
        self._settled: tuple[Estimate, SensedMotion] | None = None
        self._newest: tuple[Estimate, SensedMotion] | None = None
        self.listens_to = list(self._instruments)
        self.refused = dict.fromkeys(self._instruments, 0)
        self._consecutive = dict(self.refused)
        self.late = self.restarts = self.vague_starts = 0

    def lacks(self) -> str:
        """Return what is missing for an initial estimate, as text; "" once there is one."""
        return "" if self._settled else self._initializer.lacks()

    def take(self, name: str, record: Mapping[str, Any]) -> None:
        """Queue a record of an instrument for ``work``.

        Raises:
            KeyError, TypeError, ValueError: the record is not as in docs/sensors.md.
        """
        one = Measurement.read(self._instruments[name], record)
        if self._settled is not None and one.time < self._settled[0].time:
            self.late += one.time >= self._began
            return
        insort(self._waiting, one, key=_by_time)
        self._seen = max(self._seen, one.time + one.instrument.latency)

    def work(self) -> None:
        """Process the queued measurements."""
        if self._settled is None:
            self._settled = self._begin()
        if self._settled is None:
            return
        estimate, sensed = self._settled
        # No measurement taken up to this time can still arrive, as the slowest instrument's latency
        # has passed.
        closed = self._seen - self._slowest
        count = sum(one.time <= closed for one in self._waiting)
        for index in range(count):
            sensed = self._predict(estimate, sensed, index)
            for one in self._update(estimate, sensed, self._waiting[index]):
                self.refused[one.name] += one.refused
                self._consecutive[one.name] = self._consecutive[one.name] + 1 if one.refused else 0
                if self._tuning.keeps_innovations:
                    self.innovations.append(one)
        self._settled = (estimate, sensed)
        # Newer measurements update a copy: one with an earlier time may still arrive, and updates
        # have to be in the order of the times.
        estimate = estimate.copy()
        for index in range(count, len(self._waiting)):
            sensed = self._predict(estimate, sensed, index)
            self._update(estimate, sensed, self._waiting[index])
        self._newest = (estimate, sensed)
        del self._waiting[:count]
        if max(self._consecutive.values(), default=0) >= MAX_REJECTED:
            self._restart()

    def _begin(self) -> tuple[Estimate, SensedMotion] | None:
        """Return the initial estimate and motion; None while measurements are missing."""
        while self._waiting and self._initializer.lacks():
            one = self._waiting.pop(0)
            self._initializer.note(one)
        if self._initializer.lacks() or self._seen < 0:
            return None
        first = self._waiting[0].time if self._waiting else self._seen
        estimate = self._initializer.estimate(first)
        self.vague_starts += estimate.P[ATTITUDE, ATTITUDE][2, 2] > VAGUE**2
        imu = self._initializer.latest("IMU")
        sensed = None if imu is None else self._motion_of(imu)
        if sensed is None:
            gravity = np.array([0.0, 0.0, self._tuning.gravity])
            force = None if self._motion_sensors.imu is None else -estimate.R.T @ gravity
            sensed = SensedMotion(estimate.time, np.zeros(3), force)
        self._began = estimate.time
        return estimate, sensed._replace(time=estimate.time)

    def _restart(self) -> None:
        """Restart: the estimate has diverged from the measurements."""
        self.restarts += 1
        self._settled = self._newest = None
        self._initializer = FilterInitializer(self._motion_sensors, self._tuning)
        self._consecutive = dict.fromkeys(self._consecutive, 0)

    def _predict(self, estimate: Estimate, sensed: SensedMotion, index: int) -> SensedMotion:
        """Predict an estimate to a queued measurement's time; return the sensed motion there."""
        time = self._waiting[index].time
        motions = (self._motion_of(one) for one in self._waiting[index:])
        later = next((other for other in motions if other is not None), None)
        now = sensed._replace(time=time)
        if later is not None:
            now = sensed.towards(later, time) if later.time > sensed.time else later
        if time > estimate.time:
            advance(estimate, self._process_noise, sensed, now)
        return now

    def _motion_of(self, one: Measurement) -> SensedMotion | None:
        """Return the motion sensed by an IMU or gyro; None for other instruments."""
        imu, gyro = self._motion_sensors.imu, self._motion_sensors.gyro
        if imu is not None and one.instrument is imu:
            rate = imu.R_bs @ one.fields["angular_velocity"]
            return SensedMotion(one.time, rate, imu.R_bs @ one.fields["linear_acceleration"])
        if gyro is not None and one.instrument is gyro:
            return SensedMotion(one.time, one.fields["rate"].item() * gyro.R_bs[:, 2], None)
        return None

    def _update(
        self, estimate: Estimate, sensed: SensedMotion, one: Measurement
    ) -> list[Innovation]:
        """Update an estimate by a measurement; return the innovation of each part."""
        instrument, innovations, gate = one.instrument, [], self._tuning.gate
        lever = instrument.location - self._motion_sensors.origin
        rate, lasting = sensed.rate - estimate.gyro_bias, self._motion_sensors.lasting
        for (kind, name), model in MODELS.items():
            if kind != instrument.kind:
                continue
            residual = model(estimate, instrument, lever, rate, one.fields[name])
            if residual is None:
                continue
            value, H, noise, turn = residual
            if len(lasting.rms):
                turn = identity(len(value)) if turn is None else turn
                effect = lasting.effect(instrument, name, turn, one.fields[name])
                value, H = value - effect @ estimate.errors, np.hstack((H, effect))
            HP = H @ estimate.P
            # One factorisation of S gives both S^-1 nu, for the gate, and the gain P H' S^-1.
            columns = np.column_stack((value, HP))
            covariance = HP @ H.T + noise
            solved = np.linalg.solve(covariance, columns)
            distance = float(value @ solved[:, 0])
            refused = gate > 0 and distance > gate**2 * len(value)
            if not refused:
                gain = np.asarray(solved[:, 1:].T, np.float64)
                estimate.correct(gain, value, H, noise)
            innovations.append(
                Innovation(instrument.name, name, one.time, value, covariance, distance, refused)
            )
        return innovations

    def solution(self) -> Solution | None:
        """Return the solution for CO at the newest measurement; None before the first estimate."""
        if self._newest is None:
            return None
        estimate, sensed = self._newest
        rate = sensed.rate - estimate.gyro_bias
        R, offset = estimate.R, -self._motion_sensors.origin
        velocity = estimate.velocity + R @ cross(rate, offset)
        J = np.zeros((11, len(estimate.P)))
        J[0:3, POSITION] = J[3:6, VELOCITY] = J[6:9, ATTITUDE] = np.eye(3)
        J[9:11, CURRENT] = np.eye(2)
        J[0:3, ATTITUDE] = -R @ Smat(offset)
        J[3:6, ATTITUDE] = -R @ Smat(cross(rate, offset))
        J[3:6, GYRO] = R @ Smat(offset)
        return Solution(
            time=estimate.time,
            position=estimate.position + R @ offset,
            velocity=velocity,
            attitude=rotm_to_eul(R),
            rate=rate,
            current=estimate.current,
            covariance=J @ estimate.P @ J.T,
        )


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
