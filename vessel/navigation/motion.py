"""Motion model of the navigation filter: prediction by an IMU, a gyro, or a random walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from steerageway.vessel.kinematics import Smat
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
    turned,
)
from steerageway.vessel.navigation.instruments import Instrument
from steerageway.vessel.navigation.lasting import LastingErrors
from steerageway.world.constants import NANO


class SensedMotion(NamedTuple):
    """Sensed motion at a time, in BODY at the navigated point.

    Attributes:
        time: [ns]. rate: (3,) angular velocity [rad/s].
        force: (3,) specific force [m/s²]; None: no accelerometer.
    """

    time: int
    rate: Array
    force: Array | None

    def towards(self, other: SensedMotion, time: int) -> SensedMotion:
        """Return the linear interpolation at a time towards another."""
        share = (time - self.time) / (other.time - self.time)
        rate = self.rate + share * (other.rate - self.rate)
        if self.force is None or other.force is None:
            return SensedMotion(time, rate, None)
        return SensedMotion(time, rate, self.force + share * (other.force - self.force))


class GaussMarkov(NamedTuple):
    """A stationary first-order Gauss-Markov process of n components.

    Attributes: decay: (n, n) [1/s]. noise: (n, n) power density of the driving noise.
    """

    decay: Array
    noise: Array

    @classmethod
    def of(cls, drift: Array, turn: Array) -> GaussMarkov:
        """Return a process with components that are independent in axes rotated to BODY.

        Args:
            drift: (n, 2) standard deviation and time constant [s]; 0: constant.
            turn: (n, n) from these axes to BODY.
        """
        rms, lasting = drift.T
        fading = 1 / np.where(lasting > 0, lasting, np.inf)
        return cls(turn @ np.diag(fading) @ turn.T, turn @ np.diag(2 * rms**2 * fading) @ turn.T)


Source = tuple[Instrument, str, Array]


@dataclass(frozen=True)
class ProcessNoise:
    """Process noise of the motion.

    Attributes:
        rate_noise: (3, 3) power density of the noise of the rate in BODY [rad²/s].
        force_noise: (3, 3) of the specific force in BODY; without an accelerometer, of the
            acceleration in NED [m²/s³].
        gyro_drift, force_drift, current_drift: of the biases in BODY, and of the current.
        gravity: [m/s²].
        lasting: errors of the other measurements, and of the scales of these two.
        sources: what senses rate and specific force: instrument, part, and (3, n) directions of the
            part's components in BODY; None: nothing.
    """

    rate_noise: Array
    force_noise: Array
    gyro_drift: GaussMarkov
    force_drift: GaussMarkov
    current_drift: GaussMarkov
    gravity: float
    lasting: LastingErrors = field(default_factory=LastingErrors)
    sources: tuple[Source | None, Source | None] = (None, None)

    def by_errors(self, which: int, sensed: Array) -> Array:
        """Return the Jacobian (3, m) of the sensed rate (0) or force (1) by the lasting errors."""
        source = self.sources[which]
        if source is None:
            return np.zeros((3, len(self.lasting.rms)))
        instrument, part, directions = source
        return self.lasting.effect(instrument, part, directions, directions.T @ sensed)


def _turn(
    estimate: Estimate,
    model: ProcessNoise,
    A: Array,
    noise: Array,
    rate: Array,
    rate_errors: Array,
) -> Array:
    """Enter a velocity that turns with the vessel, as without an accelerometer is assumed.

    Args:
        A, noise: the Jacobian and the covariance's rate, whose rows of the velocity are set.
        rate: (3,) angular velocity in BODY [rad/s].
        rate_errors: what the states of the errors contribute to it.
    Returns: (3,) acceleration, NED [m/s²].
    """
    across = Smat(estimate.velocity) @ estimate.R
    A[VELOCITY, VELOCITY] = Smat(estimate.R @ rate)
    A[VELOCITY, ATTITUDE] = across @ Smat(rate)
    A[VELOCITY, GYRO], A[VELOCITY, ERRORS] = across, across @ rate_errors
    noise[VELOCITY, VELOCITY] = model.force_noise + across @ model.rate_noise @ across.T
    noise[VELOCITY, ATTITUDE] = -across @ model.rate_noise
    noise[ATTITUDE, VELOCITY] = noise[VELOCITY, ATTITUDE].T
    return cross(estimate.R @ rate, estimate.velocity)


def _accelerate(
    estimate: Estimate,
    model: ProcessNoise,
    A: Array,
    noise: Array,
    forces: tuple[Array, Array],
    half: Array,
) -> tuple[Array, Array]:
    """Enter the accelerations at both ends: velocity by the trapezoidal rule, position by a cubic.

    Args:
        A, noise: the Jacobian and the covariance's rate, whose rows of the velocity are set.
        forces: (3,) specific forces at both ends, in BODY [m/s²].
        half: (3, 3) rotation of half the step.
    Returns: (3,) accelerations at both ends, NED [m/s²].
    """
    gravity = np.array([0.0, 0.0, model.gravity])
    mean = (forces[0] + forces[1]) / 2
    force_errors = model.by_errors(1, mean)
    wrong = estimate.force_bias + force_errors @ estimate.errors
    middle = estimate.R @ half
    A[VELOCITY, ATTITUDE] = -middle @ Smat(mean - wrong)
    A[VELOCITY, FORCE], A[VELOCITY, ERRORS] = -middle, -middle @ force_errors
    noise[VELOCITY, VELOCITY] = middle @ model.force_noise @ middle.T
    begun = estimate.R @ (forces[0] - wrong) + gravity
    return begun, middle @ half @ (forces[1] - wrong) + gravity


def advance(
    estimate: Estimate, model: ProcessNoise, one: SensedMotion, other: SensedMotion
) -> None:
    """Predict an estimate from one time to another, with sensed motion linear in between.

    A is the continuous-time Jacobian of the error dynamics; the transition matrix is its
    exponential to second order, and process noise is added half before and half after it.
    """
    seconds = (other.time - one.time) / NANO
    rate = (one.rate + other.rate) / 2
    rate_errors = model.by_errors(0, rate)
    rate = rate - estimate.gyro_bias - rate_errors @ estimate.errors
    R = estimate.R
    half = turned(rate * (seconds / 2))
    whole = identity(len(estimate.P))
    A, noise = np.zeros_like(whole), np.zeros_like(whole)
    A[POSITION, VELOCITY] = identity(3)
    A[ATTITUDE, ATTITUDE] = -Smat(rate)
    A[ATTITUDE, GYRO], A[ATTITUDE, ERRORS] = -identity(3), -rate_errors
    noise[ATTITUDE, ATTITUDE] = model.rate_noise
    if one.force is None or other.force is None:
        begun = ended = _turn(estimate, model, A, noise, rate, rate_errors)
    else:
        begun, ended = _accelerate(estimate, model, A, noise, (one.force, other.force), half)
    drifts = ((GYRO, model.gyro_drift), (FORCE, model.force_drift), (CURRENT, model.current_drift))
    for part, drift in drifts:
        A[part, part] = -drift.decay
        noise[part, part] = drift.noise
    estimate.position = (
        estimate.position + seconds * estimate.velocity + seconds**2 * (2 * begun + ended) / 6
    )
    estimate.velocity = estimate.velocity + seconds * (begun + ended) / 2
    estimate.R = R @ half @ half
    estimate.gyro_bias = estimate.gyro_bias + seconds * A[GYRO, GYRO] @ estimate.gyro_bias
    estimate.force_bias = estimate.force_bias + seconds * A[FORCE, FORCE] @ estimate.force_bias
    estimate.current = estimate.current + seconds * A[CURRENT, CURRENT] @ estimate.current
    A *= seconds
    step = whole + A + A @ A / 2
    noise *= seconds / 2
    if len(estimate.P) > SIZE:
        memory, added = model.lasting.over(seconds)
        step[ERRORS, ERRORS] = np.diag(memory)
        # half before and half after the step: together, what the process adds in this time
        noise[ERRORS, ERRORS] = np.diag(added / (1.0 + memory**2))
        estimate.errors = memory * estimate.errors
    P = step @ (estimate.P + noise) @ step.T + noise
    estimate.P = (P + P.T) / 2
    estimate.time = other.time
