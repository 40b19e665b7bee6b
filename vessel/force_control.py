"""Controllers of pose and velocity with force output, in up to six degrees of freedom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, exp, inf, pi, radians, sin, tan

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.kinematics import Array, eul_rate_matrix, eul_to_rotm

STILL = 1e-9  # real part of an eigenvalue on the imaginary axis, relative to the largest
INTEGRAL = 0.1  # ki over kp, as a fraction of the bandwidth
DEPTH = 0.1  # relative damping zeta of the notch


@dataclass(frozen=True)
class AxisGains:
    """Gains of one degree of freedom.

    Attributes:
        kp: [N/m, N m/rad]. kd: [N s/m, N m s/rad]. ki: [N/(m s), N m/(rad s)].
        limit: of the force, and of its integral term [N, N m].
    """

    kp: float = 0.0
    kd: float = 0.0
    ki: float = 0.0
    limit: float = inf

    def __post_init__(self) -> None:
        _check_gains(self.limit, kp=self.kp, kd=self.kd, ki=self.ki)


@dataclass(frozen=True)
class VelocityGains:
    """Gains of one loop.

    Attributes:
        kp: [N s/m, N m s/rad]. ki: [N/m, N m/rad]. kd: [kg, kg m²].
        limit: of the force, and of its integral term [N, N m].
    """

    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    limit: float = inf

    def __post_init__(self) -> None:
        _check_gains(self.limit, kp=self.kp, ki=self.ki, kd=self.kd)


def _check_gains(limit: float, **gains: float) -> None:
    if min(gains.values()) < 0.0 or not limit > 0.0:
        given = ", ".join(f"{name} {value:g}" for name, value in {**gains, "limit": limit}.items())
        raise InvalidValue(f"{given}: expected gains of 0 or more, and a limit above zero")


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> Array:
    """Return K (m, n) of u = -K x that minimises the integral of x'Q x + u'R u.

    Args:
        A: (n, n). B: (n, m). Q: (n, n), positive semidefinite. R: (m, m), positive definite.

    Raises:
        InvalidValue: no feedback stabilises it: a mode that does not decay is not reached by the
            inputs, or not seen by Q.

    Source: Laub (1979), A Schur method for solving algebraic Riccati equations, section II.
    """
    F, G, cost, effort = (np.asarray(M, np.float64) for M in (A, B, Q, R))
    n, pushed = len(F), np.linalg.solve(effort, G.T)
    hamiltonian = np.block([[F, -G @ pushed], [-cost, -F.T]])
    values, vectors = np.linalg.eig(hamiltonian)
    stable = values.real < -STILL * max(1.0, float(abs(values).max()))
    upper, lower = vectors[:n, stable], vectors[n:, stable]
    if stable.sum() != n or np.linalg.matrix_rank(upper) < n:
        raise InvalidValue(
            "no feedback of least cost: a mode that does not decay is not reached by the inputs, "
            "or has no weight in Q"
        )
    P = np.real(lower @ np.linalg.inv(upper))
    K: Array = pushed @ ((P + P.T) / 2.0)
    return K


def placed(
    mass: float, damping: float, bandwidth: float, ratio: float = 1.0, limit: float = inf
) -> AxisGains:
    """Return the gains for a mass with linear damping, by pole placement.

    Args:
        mass: with added mass [kg, kg m²]. damping: [N s/m, N m s/rad], 0 or more.
        bandwidth: natural frequency of the closed loop [rad/s]. ratio: its relative damping.

    Source: Fossen (2021), section 15.3.4, pole placement algorithm for PID.
    """
    kp = mass * bandwidth**2
    kd = max(2.0 * ratio * bandwidth * mass - damping, 0.0)
    return AxisGains(kp, kd, INTEGRAL * bandwidth * kp, limit)


def placed_velocity(
    mass: float, damping: float, bandwidth: float, limit: float = inf
) -> VelocityGains:
    """Return the gains of a velocity with both poles of m s² + (d + kp) s + ki at -bandwidth.

    Damping above 2 m bandwidth needs no kp: then ki places the slow pole there, and the other one
    is faster.

    Args: as for ``placed``.
    """
    kp = 2.0 * bandwidth * mass - damping
    if kp >= 0.0:
        return VelocityGains(kp, bandwidth**2 * mass, 0.0, limit)
    return VelocityGains(0.0, bandwidth * (damping - bandwidth * mass), 0.0, limit)


def regulated(
    mass: float, damping: float, bandwidth: float, limit: float = inf, *, velocity: bool = False
) -> AxisGains | VelocityGains:
    """Return the gains of least cost, of a position or a velocity, with integral.

    The weights follow Bryson's rule: the same cost have a force and the error that it makes good in
    the time 1/bandwidth: v of m bandwidth v, position of m bandwidth² x, its integral of m
    bandwidth³. For a velocity without damping that is ki = m bandwidth², kp = sqrt(3) m bandwidth.

    Source: Bryson and Ho (1975), Applied Optimal Control, section 5.2, for the rule.
    """
    order = 2 if velocity else 3
    A = np.diag(np.ones(order - 1), 1)
    A[-1, -1] = -damping / mass
    B = np.zeros((order, 1))
    B[-1] = 1.0 / mass
    Q = np.diag([(mass * bandwidth ** (order - i)) ** 2 for i in range(order)])
    gains = np.maximum(lqr(A, B, Q, np.eye(1))[0], 0.0).tolist()
    if velocity:
        return VelocityGains(gains[1], gains[0], 0.0, limit)
    return AxisGains(gains[1], gains[2], gains[0], limit)


@dataclass(frozen=True)
class Reference:
    """The setpoint.

    Attributes:
        pose: (6,) NED [m, rad].
        velocity: (6,) in BODY [m/s, rad/s].
        by_velocity: indices 0 to 5 of the degrees of freedom controlled by velocity only.
    """

    pose: Array
    velocity: Array
    by_velocity: tuple[int, ...] = ()


class PoseController:
    """PID controller of pose in selected degrees of freedom, some of them by velocity.

    tau = -K_p R' e - K_d (nu - nu_d) - K_i R' (integral of e), with the position error and its
    integral in NED, so that the integral that balances a current remains valid while the vessel
    turns. For a degree of freedom controlled by velocity, the integral of the velocity error
    replaces the position error.

    Attributes:
        gains: by index 0 to 5 of a degree of freedom; the others are not controlled.

    Source: Fossen (2021), section 15.3, equations 15.100 to 15.103.
    """

    def __init__(self, gains: Mapping[int, AxisGains]) -> None:
        self.gains = dict(gains)
        blank = AxisGains()
        rows = [self.gains.get(i, blank) for i in range(6)]
        self._kp, self._kd, self._ki = (
            np.array([getattr(row, key) for row in rows]) for key in ("kp", "kd", "ki")
        )
        self._limit = np.array([row.limit for row in rows])
        self._active = np.array([i in self.gains for i in range(6)], np.float64)
        self._level = not ({3, 4} & set(self.gains))
        self.reset()

    def reset(self) -> None:
        """Reset the integrals."""
        self._sum = np.zeros(6)  # integral of the pose error, position in NED
        self._run = np.zeros(6)  # integral of the velocity error, in BODY

    def step(
        self, eta: Array, nu: Array, wanted: Reference, dt: float, forward: Array | None = None
    ) -> Array:
        """Return tau (6,) [N, N m] for a step of ``dt`` [s].

        Args:
            eta, nu: (6,) pose and velocity. forward: (6,) feedforward force.
        """
        # If roll and pitch are not controlled, surge and sway are taken as horizontal.
        R = eul_to_rotm(np.array([0.0, 0.0, eta[5]]) if self._level else eta[3:])
        error = eta - wanted.pose
        error[3:] = (error[3:] + np.pi) % (2.0 * np.pi) - np.pi
        slip = nu - wanted.velocity
        moving = np.isin(np.arange(6), wanted.by_velocity)
        near = np.where(moving, 0.0, np.concatenate((R.T @ error[:3], error[3:])))
        self._sum += dt * np.concatenate((R @ near[:3], near[3:]))
        self._run = np.where(moving, self._run + dt * slip, 0.0)
        self._hold_back(R)
        steady = self._ki * np.concatenate((R.T @ self._sum[:3], self._sum[3:]))
        tau = -self._kp * (near + self._run) - self._kd * slip - steady
        tau += 0.0 if forward is None else forward
        bounded: Array = self._active * np.minimum(np.maximum(tau, -self._limit), self._limit)
        return bounded

    def _hold_back(self, R: Array) -> None:
        """Limit each integral's force to that of its degree of freedom (anti-windup)."""
        body = np.concatenate((R.T @ self._sum[:3], self._sum[3:]))
        most = np.where(self._ki > 0.0, self._limit / np.where(self._ki > 0.0, self._ki, 1.0), 0.0)
        body = np.minimum(np.maximum(body, -most), most)
        self._sum = np.concatenate((R @ body[:3], body[3:]))
        full = np.where(self._kp > 0.0, self._limit / np.where(self._kp > 0.0, self._kp, 1.0), 0.0)
        self._run = np.minimum(np.maximum(self._run, -full), full)


class VelocityController:
    """PID controller of one velocity, for surge speed or yaw rate.

    Source: the Unity thesis' automatic velocity control (its section 4.4.8).
    """

    def __init__(self, gains: VelocityGains) -> None:
        self.gains = gains
        self.reset()

    def reset(self) -> None:
        """Reset the integral and the last velocity."""
        self._integral = 0.0
        self._last: float | None = None

    def step(self, velocity: float, wanted: float, dt: float) -> float:
        """Return the force [N, N m]; the derivative acts on the velocity, not on the error."""
        gains, error = self.gains, wanted - velocity
        rate = 0.0 if self._last is None or dt <= 0.0 else (velocity - self._last) / dt
        self._last = velocity
        if gains.ki > 0.0:
            most = gains.limit / gains.ki
            self._integral = min(max(self._integral + dt * error, -most), most)
        tau = gains.kp * error + gains.ki * self._integral - gains.kd * rate
        return min(max(tau, -gains.limit), gains.limit)


class MotionEstimate:
    """Pose and velocity of a vessel, by differences of its poses and a first-order filter.

    Attributes:
        eta: (6,) the last pose, NED [m, rad].
        nu: (6,) velocity over ground in BODY [m/s, rad/s].
    """

    def __init__(self, time_constant: float = 0.5) -> None:
        if not time_constant >= 0.0:
            raise InvalidValue(f"time constant {time_constant:g}: expected 0 or more [s]")
        self._constant = time_constant
        self.eta: Array = np.zeros(6)
        self.nu: Array = np.zeros(6)
        self._time = -inf

    def tell(self, eta: Array, time: float) -> None:
        """Update with a pose (6,) at a time [s]; a time not after the last one is ignored."""
        dt = time - self._time
        if dt > 0.0:
            if self._time > -inf:
                change = eta - self.eta
                change[3:] = (change[3:] + np.pi) % (2.0 * np.pi) - np.pi
                kept = exp(-dt / self._constant) if self._constant > 0.0 else 0.0
                rates = change / dt
                middle = self.eta + 0.5 * change
                found = np.concatenate(
                    (
                        eul_to_rotm(middle[3:]).T @ rates[:3],
                        np.linalg.solve(eul_rate_matrix(middle[3:]), rates[3:]),
                    )
                )
                self.nu = kept * self.nu + (1.0 - kept) * found
            self.eta, self._time = eta.copy(), time


class WaveFilter:
    """A notch that removes first-order wave motion from a controller's feedback, of any shape.

    h(s) = (s² + 2 zeta w s + w²) / (s + w)², at the waves' frequency w; discretised by the bilinear
    transform, prewarped to be exact at w. One notch, not a cascade of three: in the short waves
    that move a small craft the phase lag of three would exceed the controller's phase margin.

    Args:
        wave_period: of the waves [s]; 0: nothing is removed. sample: period of the feedback [s].

    Source: Fossen (2021), section 13.2.2.
    """

    def __init__(self, wave_period: float, sample: float) -> None:
        if wave_period < 0.0:
            raise InvalidValue(f"wave period {wave_period:g}: expected 0 or more [s]")
        self._past: tuple[Array, Array] | None = None
        self._b: tuple[float, float, float] | None = None
        if wave_period == 0.0:
            return
        frequency = 2.0 * pi / wave_period
        if not 0.0 < frequency * sample < pi:
            raise InvalidValue(
                f"notch at {frequency:g} rad/s, sampled every {sample:g} s: expected at most "
                f"{pi / sample:g} rad/s"
                if sample > 0.0
                else "expected a period above zero"
            )
        k = frequency / tan(0.5 * frequency * sample)
        w2 = frequency * frequency
        scale = (k + frequency) ** 2
        damped = 2.0 * DEPTH * frequency * k
        middle = 2 * (w2 - k * k) / scale
        self._b = (k * k + damped + w2) / scale, middle, (k * k - damped + w2) / scale
        self._a = middle, (k - frequency) ** 2 / scale

    def step(self, value: ArrayLike) -> Array:
        """Return the filtered value; it starts in the steady state of the first value."""
        x = np.asarray(value, np.float64)
        if self._b is None:
            return x
        (b0, b1, b2), (a1, a2) = self._b, self._a
        if self._past is None:
            self._past = (b2 - a2) * x, (b1 + b2 - a1 - a2) * x
        older, newer = self._past
        y: Array = b0 * x + newer
        self._past = b2 * x - a2 * y, b1 * x - a1 * y + older
        return y


class WindForce:
    """Wind wrench on a vessel of the coefficient form by its own model, for feedforward."""

    def __init__(self, vessel: Dynamics) -> None:
        hull = at.hull_of(vessel.parameters)
        if not isinstance(hull, at.Parameters) or not vessel.feels_wind():
            raise InvalidValue(
                f"{vessel.name}: nothing that the wind moves (wind: in geometry.yml)"
            )
        self._vessel = vessel
        self._mass = np.linalg.pinv(hull.matrices[at.M_INV])
        self._rest = np.zeros(len(vessel.commands))
        self._x = vessel.initial.copy()

    def wrench(self, yaw: float, nu: Array, speed: float, direction: float) -> Array:
        """Return tau (6,) [N, N m] of a wind: the model's forces with it less those in still air.

        Args:
            yaw: of the vessel [rad]. nu: (6,) its velocity over ground, in BODY.
            speed: of the wind [m/s]. direction: from which it blows [deg].
        """
        x = self._x
        x[5], x[6:12] = yaw, 0.0
        x[6:8] = nu[:2]
        to = radians(direction + 180.0)
        wind = (speed * cos(to), speed * sin(to))
        blown, still = (
            self._vessel.derivative(x, self._rest, self._vessel.surroundings(wind=w))
            for w in (
                wind,
                (
                    float(nu[0] * cos(yaw) - nu[1] * sin(yaw)),
                    float(nu[0] * sin(yaw) + nu[1] * cos(yaw)),
                ),
            )
        )
        wrench: Array = self._mass @ (blown - still)[6:12]
        return wrench
