"""The navigation filter: processes measurements in order of their times, delayed ones included."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from steerageway.vessel.kinematics import Smat, rotm_to_eul
from steerageway.vessel.navigation.estimate import (
    ATTITUDE,
    CURRENT,
    GYRO,
    POSITION,
    VELOCITY,
    Array,
    Estimate,
    cross,
    identity,
)
from steerageway.vessel.navigation.initialization import FilterInitializer
from steerageway.vessel.navigation.instruments import MODELS, Instrument, Measurement
from steerageway.vessel.navigation.motion import SensedMotion, advance
from steerageway.vessel.navigation.solution import Solution
from steerageway.vessel.navigation.tuning import MotionSensors, Tuning

VAGUE = 0.35  # standard deviation of a first heading, twice which is no small error [rad]
MAX_REJECTED = 20  # consecutive rejected measurements of an instrument before the filter restarts
_by_time = attrgetter("time")


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
