"""Gains of the marine PID for a linear vessel: every pair of a grid is run, the best is taken.

The plant is the vessel's own step linearised over one tick of the controller; the controller is
the PID's law: gains on the error and on the mean of its last nine differences, the output bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vessel.fossen.dynamics import Dynamics, Floats
from vessel.pid import RATES_REMEMBERED

STEP = 1e-5
OVERSHOOT = 0.05  # of the step, the most that is taken
MARGINS = (1.5, 1 / 1.5)  # the gains must serve when the vessel answers so much more or less
LEAST_DT = 0.025


class Plant(NamedTuple):
    """A vessel over one tick: ``x -> A x + b u``; the first state is the one controlled."""

    A: Floats
    b: Floats
    tick: float


class Loop(NamedTuple):
    """Gains of a loop, and how it answered: seconds within 5 % of the step, and the overshoot."""

    kp: float
    kd: float
    settling: float
    overshoot: float


def sampled(
    vessel: Dynamics, x: Floats, command: Floats, order: Floats, states: list[int], tick: float
) -> Plant:
    """Give the plant of some states, from an order that moves the commands by ``order`` a unit."""
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


def runs(plant: Plant, kp: Floats, kd: Floats, size: float, bound: float, ticks: int) -> Floats:
    """Give the controlled state (ticks, n) after a wanted step of ``size``, by pair of gains."""
    x = np.zeros((kp.size, plant.b.size))
    differences = np.zeros((RATES_REMEMBERED, kp.size))
    error = np.full(kp.size, -size)
    track = np.empty((ticks, kp.size))
    for k in range(ticks):
        rate = differences[: max(1, min(k, RATES_REMEMBERED))].mean(axis=0)
        u = np.clip(-(kp * error + kd * rate), -bound, bound)
        x = np.clip(x @ plant.A.T + u[:, np.newaxis] * plant.b, -1e9, 1e9)
        track[k] = x[:, 0]
        differences[k % RATES_REMEMBERED] = (x[:, 0] - size - error) / plant.tick
        error = x[:, 0] - size
    return track


def integrating(plant: Plant) -> Plant:
    """Give a plant whose order is a change of the last one, as the PID's thrust is."""
    n = plant.b.size
    A = np.eye(n + 1)
    A[:n, :n], A[:n, n] = plant.A, plant.b
    return Plant(A, np.append(plant.b, 1.0), plant.tick)


def best(
    plants: Sequence[Plant], size: float, bound: float, first_kp: float, time: float
) -> Loop | None:
    """Give the gains that settle a step soonest with little overshoot, or None.

    Soonest for the first plant; with the others, and where that one answers half as much again or
    two thirds as much, they must settle too.

    Args:
        size: of the step. bound: of the order.
        first_kp: about which gain to look. time: the time it may take, about [s].
    """
    nominal = plants[0]
    ticks = min(max(int(20 * time / nominal.tick), 200), 6000)
    grid_p, grid_t = np.meshgrid(
        np.geomspace(0.05, 20, 26) * first_kp, np.geomspace(0.02, 4, 20) * time
    )
    kp, kd = grid_p.ravel(), (grid_p * grid_t).ravel()

    track = runs(nominal, kp, kd, size, bound, ticks)
    late, cost = _settling(track, size), abs(track - size).sum(axis=0)
    overshoot = np.maximum(track.max(axis=0) / size - 1, 0.0)
    good = (late < ticks) & (overshoot <= OVERSHOOT)
    for other in (*plants[1:], *(nominal._replace(b=gain * nominal.b) for gain in MARGINS)):
        good &= _settling(runs(other, kp, kd, size, bound, ticks), size) < ticks
    if not good.any():
        return None
    i = int(np.argmin(np.where(good, cost, np.inf)))
    settling = float(late[i]) * nominal.tick
    return Loop(float(kp[i]), float(kd[i]), settling, float(overshoot[i]))


def _settling(track: Floats, size: float) -> NDArray[np.int64]:
    """Give the tick after which each run stays within 5 % of the step."""
    away = abs(track - size) > 0.05 * size
    late: NDArray[np.int64] = len(track) - np.argmax(away[::-1], axis=0)
    return late


def response_time(plant: Plant, size: float, bound: float) -> float | None:
    """Give how long the bound itself takes to reach ``size`` [s]; None if it never does."""
    x = np.zeros(plant.b.size)
    for k in range(100_000):
        x = plant.A @ x + plant.b * bound
        if x[0] >= size:
            return (k + 1) * plant.tick
        if not np.isfinite(x).all() or x[0] < -100 * size:
            return None
    return None
