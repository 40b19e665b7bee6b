"""Design of marine PID gains for a linear vessel, by grid search over step responses.

The plant is the vessel's step linearised over one tick of the controller, behind an actuator with a
rate limit; the controller is the PID's law: gains on the error and on the mean of its last nine
differences, with limited output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.pid import RATES_REMEMBERED
from steerageway.world.arrays import Floats

STEP = 1e-5
CLOSE = 0.05  # error of a step that has settled, as a fraction of the step
QUIET = 0.005  # maximum error at the end, as a fraction of the step
OVERSHOOT = 0.05  # maximum overshoot, as a fraction of the step
MARGINS = (1.5, 1 / 1.5)  # factors on the plant's gain for which the loop has to settle, too
LEAST_DT = 0.025
MOST_TICKS = 12_000


class NoGains(Exception):
    """No gains were found; the text says why.

    Attributes:
        advice: what to change, if the reason tells.
    """

    def __init__(self, why: str = "", advice: str = "") -> None:
        self.advice = advice
        super().__init__(why)


class OutOfReach(Exception):
    """The command at its bound does not complete a step.

    Attributes:
        reached: the most of the first state.
    """

    def __init__(self, reached: float) -> None:
        self.reached = reached
        super().__init__(f"the command at its bound reaches {reached:.3g} at most")


class Plant(NamedTuple):
    """A vessel over one tick: ``x -> A x + b u``; the first state is the controlled one.

    ``u`` follows the command with a rate of at most ``slew`` [1/s].
    """

    A: Floats
    b: Floats
    tick: float
    slew: float = inf


class Bounds(NamedTuple):
    """Limits of the desired pitch and of the elevator [rad]."""

    pitch: float
    elevator: float


class StepResponse(NamedTuple):
    """Step response: the gains, settling time to 5 % [s], overshoot as a fraction of the step."""

    gains: tuple[float, ...]
    settling: float
    overshoot: float


class PidLaw:
    """The PID's law, vectorised over gains: on the error, and on the mean of its last rates."""

    def __init__(self, kp: Floats, kd: Floats, bound: float, tick: float) -> None:
        self._kp, self._kd, self._bound, self._tick = kp, kd, bound, tick
        self._rates = np.zeros((RATES_REMEMBERED, kp.size))
        self._last: Floats | None = None
        self._count = 0

    def order(self, error: Floats) -> Floats:
        """Return the outputs (n,) for errors (n,)."""
        if self._last is not None:
            self._rates[self._count % RATES_REMEMBERED] = (error - self._last) / self._tick
            self._count += 1
        self._last = error
        rate = self._rates[: max(1, min(self._count, RATES_REMEMBERED))].mean(axis=0)
        outputs: Floats = np.clip(self._kp * error + self._kd * rate, -self._bound, self._bound)
        return outputs


def sampled(
    vessel: Dynamics, x: Floats, command: Floats, order: Floats, states: list[int], tick: float
) -> Plant:
    """Return the plant of some states; a unit of its input changes the commands by ``order``."""
    surroundings = vessel.surroundings()
    steps = max(1, round(tick / LEAST_DT))

    def after(state: Floats, given: Floats) -> Floats:
        return vessel.step(state, given, surroundings, tick / steps, steps=steps)[states]

    columns = []
    for i in states:
        h = np.zeros_like(x)
        h[i] = STEP * max(1.0, abs(x[i]))
        columns.append((after(x + h, command) - after(x - h, command)) / (2 * h[i]))
    b = (after(x, command + STEP * order) - after(x, command - STEP * order)) / (2 * STEP)
    return Plant(np.array(columns).T, b, tick)


def turns(plant: Plant, gains: Floats, size: float, bound: float, ticks: int) -> Floats:
    """Return the first state (ticks, n) after a desired step of ``size``, for gains (2, n)."""
    kp, kd = gains
    law = PidLaw(kp, kd, bound, plant.tick)
    x = np.zeros((gains.shape[1], plant.b.size))
    u, most = np.zeros(gains.shape[1]), plant.slew * plant.tick
    track = np.empty((ticks, gains.shape[1]))
    for k in range(ticks):
        u = np.clip(-law.order(x[:, 0] - size), u - most, u + most)
        x = _next(plant, x, u)
        track[k] = x[:, 0]
    return track


def dives(plant: Plant, gains: Floats, size: float, bounds: Bounds, ticks: int) -> Floats:
    """Return the depth (ticks, n) after a desired step, for gains (3, n): pitch, its rate, depth.

    The plant's first states are depth and pitch.
    """
    kp, kd, kz = gains
    inner = PidLaw(kp, kd, bounds.elevator, plant.tick)
    x = np.zeros((kp.size, plant.b.size))
    track = np.empty((ticks, kp.size))
    for k in range(ticks):
        pitch = np.clip(kz * (x[:, 0] - size), -bounds.pitch, bounds.pitch)
        u = inner.order(x[:, 1] - pitch)
        x = _next(plant, x, u)
        track[k] = x[:, 0]
    return track


def _next(plant: Plant, x: Floats, u: Floats) -> Floats:
    return np.clip(x @ plant.A.T + u[:, np.newaxis] * plant.b, -1e9, 1e9)


def integrating(plant: Plant) -> Plant:
    """Return a plant whose input is the change of the command, as for the PID's thrust."""
    n = plant.b.size
    A = np.eye(n + 1)
    A[:n, :n], A[:n, n] = plant.A, plant.b
    return Plant(A, np.append(plant.b, 1.0), plant.tick, plant.slew)


def best_turn(
    plants: Sequence[Plant], size: float, bound: float, first_kp: float, time: float
) -> StepResponse:
    """Return the gains (kp, kd) with the fastest step response and little overshoot.

    Fastest for the first plant; the others have to settle, too.

    Args:
        size: of the step. bound: of the command.
        first_kp: centre of the search for kp. time: typical time of the step [s].
    Raises:
        NoGains: none are good enough.
    """
    kp, td = _grid(np.geomspace(0.05, 20, 26) * first_kp, np.geomspace(0.02, 4, 20) * time)
    gains, ticks = np.array([kp, kp * td]), _ticks(time, plants[0])
    return _best(plants, gains, size, lambda plant: turns(plant, gains, size, bound, ticks))


def best_dive(
    plants: Sequence[Plant], size: float, bounds: Bounds, speed: float, time: float
) -> StepResponse:
    """Return the gains (pitch kp, kd, depth kp) with the fastest response in depth.

    Args:
        plants: as for ``best_turn``. size: of the step [m]. speed: of the first plant [m/s].
        time: typical time of the first tenth of the step by full elevator [s].
    Raises:
        NoGains: none are good enough.
    """
    kp, td, tz = _grid(
        np.geomspace(0.2, 20, 12), np.geomspace(0.05, 3, 8) * time, np.geomspace(0.5, 30, 10) * time
    )
    gains, ticks = np.array([kp, kp * td, 1 / (speed * tz)]), _ticks(3 * time, plants[0])
    return _best(plants, gains, size, lambda plant: dives(plant, gains, size, bounds, ticks))


def _grid(*axes: Floats) -> list[Floats]:
    return [axis.ravel() for axis in np.meshgrid(*axes)]


def _ticks(time: float, plant: Plant) -> int:
    return min(max(int(20 * time / plant.tick), 200), MOST_TICKS)


def _best(
    plants: Sequence[Plant], gains: Floats, size: float, run: Callable[[Plant], Floats]
) -> StepResponse:
    """Return the gains of minimum error that also settle the other plants and gain margins.

    Raises:
        NoGains: no gains do so.
    """
    nominal = plants[0]
    track = run(nominal)
    cost, late = abs(track - size).sum(axis=0), settling_ticks(track, size)
    overshoot = np.maximum(track.max(axis=0) / size - 1, 0.0)
    settled = _settled(track, size)
    good = settled & (overshoot <= OVERSHOOT)
    tried = f"of {gains.shape[1]} sets of gains"
    if not settled.any():
        raise NoGains(f"{tried} none settles: it oscillates or runs away")
    if not good.any():
        least = 100 * float(overshoot[settled].min())
        raise NoGains(f"{tried} {settled.sum()} settle, all more than {least:.0f} % beyond")
    margins = (nominal._replace(b=gain * nominal.b) for gain in MARGINS)
    others = [("at the other thrusts", plant) for plant in plants[1:]]
    others += [("if it answers 1.5 times as strongly, or as weakly", plant) for plant in margins]
    for where, other in others:
        left = int(good.sum())
        good &= _settled(run(other), size)
        if not good.any():
            raise NoGains(f"{tried} {left} settle, but none also {where}")
    i = int(np.argmin(np.where(good, cost, np.inf)))
    settling = float(late[i]) * nominal.tick
    return StepResponse(tuple(float(gain) for gain in gains[:, i]), settling, float(overshoot[i]))


def settling_ticks(track: Floats, size: float) -> NDArray[np.int64]:
    """Return the tick after which each run (ticks, n) stays within 5 % of the step."""
    away = abs(track - size) > CLOSE * size
    late: NDArray[np.int64] = np.where(
        away.any(axis=0), len(track) - np.argmax(away[::-1], axis=0), 0
    )
    return late


def _settled(track: Floats, size: float) -> NDArray[np.bool_]:
    """Return which runs have settled at the step, without a persistent oscillation."""
    end = track[-len(track) // 5 :]
    quiet: NDArray[np.bool_] = abs(end - size).max(axis=0) < QUIET * size
    return quiet


def response_time(plant: Plant, size: float, bound: float) -> float:
    """Return the time to reach ``size`` with the command at its bound [s].

    Raises:
        OutOfReach: it is never reached.
    """
    x, u, reached = np.zeros(plant.b.size), 0.0, 0.0
    for k in range(MOST_TICKS):
        u = min(bound, u + plant.slew * plant.tick)
        x = plant.A @ x + plant.b * u
        if x[0] >= size:
            return (k + 1) * plant.tick
        if not np.isfinite(x).all() or x[0] < -100 * size:
            break
        reached = max(reached, float(x[0]))
    raise OutOfReach(reached)
