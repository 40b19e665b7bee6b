"""Rotor dynamics: response of a thruster's rotational speed to its command.

Each model has ``rate``, its differential equation; ``step``, the difference equation documented
by the UUV Simulator (explicit Euler where it is not exact); and ``after``, the solution of the
differential equation for a constant command. Commands of Yoerger's and Bessa's models are torque
and voltage: the steady speed is not equal to the command.

Source: M. M. M. Manhães et al. (2016), "UUV Simulator", OCEANS; D. R. Yoerger, J. G. Cooke,
J.-J. E. Slotine (1990), IEEE J. Oceanic Eng. 15(3); W. M. Bessa, M. S. Dutra, E. Kreuzer (2006),
"Thruster dynamics compensation for the positioning of underwater robotic vehicles".
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import ceil, exp, inf, sqrt
from typing import Protocol

from steerageway.vessel.errors import InvalidValue
from steerageway.world.formula import formula

REACH = 0.02  # fraction of a mode's time constant per step of ``after``


class Rotor(Protocol):
    """Interface of the four models."""

    def rate(self, omega: float, command: float) -> float:
        """Return d omega/dt [rad/s²]; for a rotor without lag infinite, or 0."""

    def step(self, omega: float, command: float, dt: float) -> float:
        """Return the speed [rad/s] after one documented step of ``dt`` [s]."""

    def after(self, omega: float, command: float, dt: float) -> float:
        """Return the speed [rad/s] after ``dt`` [s] with a constant command."""


@dataclass(frozen=True)
class ZeroOrder:
    """A rotor without lag."""

    def rate(self, omega: float, command: float) -> float:
        """Return d omega/dt: infinite until the command is reached."""
        return 0.0 if command == omega else inf if command > omega else -inf

    def step(self, omega: float, command: float, dt: float) -> float:
        """Return the command."""
        return command

    def after(self, omega: float, command: float, dt: float) -> float:
        """Return the command."""
        return command


@dataclass(frozen=True)
class FirstOrder:
    """A first-order lag; a step of any length is exact.

    Attributes:
        time_constant: [s].
    """

    time_constant: float

    def __post_init__(self) -> None:
        _check(self, "time_constant")

    def rate(self, omega: float, command: float) -> float:
        """Return d omega/dt [rad/s²]."""
        return rotor_rate(1.0 / self.time_constant, 1.0 / self.time_constant, 0.0, omega, command)

    def step(self, omega: float, command: float, dt: float) -> float:
        """Return the speed after a step."""
        kept = exp(-dt / self.time_constant)
        return kept * omega + (1.0 - kept) * command

    def after(self, omega: float, command: float, dt: float) -> float:
        """Return the same as ``step``."""
        return self.step(omega, command, dt)


@dataclass(frozen=True)
class Yoerger:
    """A rotor with quadratic drag; its command is a torque, its steady speed sqrt(beta c/alpha).

    Attributes:
        alpha: drag over inertia [1/rad].
        beta: acceleration per unit of the command.
    """

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        _check(self, "alpha", "beta")

    def rate(self, omega: float, command: float) -> float:
        """Return d omega/dt [rad/s²]."""
        return rotor_rate(self.beta, 0.0, self.alpha, omega, command)

    def step(self, omega: float, command: float, dt: float) -> float:
        """Return the speed after an Euler step."""
        return omega + dt * self.rate(omega, command)

    def after(self, omega: float, command: float, dt: float) -> float:
        """Return the speed after a time."""
        most = max(abs(omega), sqrt(abs(self.beta * command) / self.alpha))
        return _solved(self, omega, command, dt, 2.0 * self.alpha * most)


@dataclass(frozen=True)
class Bessa:
    """An electric motor with linear and quadratic drag; its command is a voltage.

    Attributes:
        inertia: moment of inertia of rotor and added water, J_msp [kg m²].
        kv1, kv2: linear and quadratic drag [N m s], [N m s²].
        kt: torque constant [N m/A].
        resistance: motor resistance R_m [ohm].
    """

    inertia: float
    kv1: float
    kv2: float
    kt: float
    resistance: float

    def __post_init__(self) -> None:
        _check(self, "inertia", "kt", "resistance")
        if self.kv1 < 0.0 or self.kv2 < 0.0 or self.kv1 + self.kv2 == 0.0:
            given = f"kv1 = {self.kv1:g}, kv2 = {self.kv2:g}"
            raise InvalidValue(f"{given}: expected drag: 0 or more, one of them above zero")

    def rate(self, omega: float, command: float) -> float:
        """Return d omega/dt [rad/s²]."""
        drive = self.kt / self.resistance / self.inertia
        return rotor_rate(drive, self.kv1 / self.inertia, self.kv2 / self.inertia, omega, command)

    def step(self, omega: float, command: float, dt: float) -> float:
        """Return the speed after an Euler step."""
        return omega + dt * self.rate(omega, command)

    def after(self, omega: float, command: float, dt: float) -> float:
        """Return the speed after a time."""
        torque = abs(command) * self.kt / self.resistance
        ends = torque / self.kv1 if self.kv2 == 0.0 else sqrt(torque / self.kv2)
        fastest = (self.kv1 + 2.0 * self.kv2 * max(abs(omega), ends)) / self.inertia
        return _solved(self, omega, command, dt, fastest)


@formula
def rotor_rate(
    drive: float, drag_linear: float, drag_quadratic: float, omega: float, command: float
) -> float:
    """Return A c - B omega - C omega |omega| [rad/s²], the general form of all rotors with lag."""
    return drive * command - (drag_linear + drag_quadratic * abs(omega)) * omega


def time_constant(gain: float) -> float:
    """Return the time constant [s] of the lag dT/dt = K (T_d - T): 1/K.

    The Unity thesis' lags of thrust and azimuth have such gains, K_T and K_a.

    Args:
        gain: K [1/s].

    Raises:
        InvalidValue: the gain is not above 0.
    """
    if not 0.0 < gain < inf or 1.0 / gain == inf:  # the inverse of a subnormal number
        raise InvalidValue(f"gain {gain:g}: expected a number above 0")
    return 1.0 / gain


def _check(model: FirstOrder | Yoerger | Bessa, *names: str) -> None:
    for one in fields(model):
        value = getattr(model, one.name)
        if one.name in names and not 0.0 < value < inf:
            what = f"{type(model).__name__}: {one.name} = {value:g}"
            raise InvalidValue(f"{what}: expected a number above zero: others are unstable")


def _solved(rotor: Rotor, omega: float, command: float, dt: float, fastest: float) -> float:
    """Return the solution after ``dt`` by Runge-Kutta, with steps short for ``fastest`` [1/s]."""
    steps = max(1, ceil(abs(dt) * fastest / REACH))
    h = dt / steps
    for _ in range(steps):
        a = rotor.rate(omega, command)
        b = rotor.rate(omega + 0.5 * h * a, command)
        c = rotor.rate(omega + 0.5 * h * b, command)
        d = rotor.rate(omega + h * c, command)
        omega += h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return omega
