"""Many identical vessels, stepped at once by one call of compiled code."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.lanes import in_lanes
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import (
    CURRENT_E,
    CURRENT_N,
    PHI,
    PSI,
    SURROUNDINGS,
    U_,
    W_,
    WIND_E,
    WIND_N,
)
from steerageway.vessel.fossen.time_step_limit import steps_within
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.world.arrays import Flags, Floats, Whole


class Batch:
    """N vessels of one kind, each with its own state, orders and current.

    Attributes:
        x: (N, 12 + n) states, see ``vessel.fossen.state``.
        surroundings: (N, SURROUNDINGS).
        orders: names of those that the vessel follows, of rudder, thrust and elevator.
        dt: simulated time of a step [s].
        models: its variants, each of which steps a share of the vessels.
        steps: Runge-Kutta steps in it, as many as the vessel's fastest mode requires.
    """

    def __init__(self, vessel: Dynamics, count: int, dt: float) -> None:
        self.vessel = vessel = in_lanes(vessel)
        self.dt = dt
        self.models = [vessel]
        self._map = orders_of(vessel)
        self.orders = list(self._map.full_orders)
        self.steps = steps_within(vessel, dt)
        self._scheme = vessel.scheme("batch")
        self.x = np.tile(vessel.initial, (count, 1))
        self._calm = vessel.surroundings()
        self.surroundings = np.tile(self._calm, (count, 1))
        assert self.surroundings.shape == (count, SURROUNDINGS)

    def commands(self, actions: Floats) -> Floats:
        """Return the commands (N, m) of actions (N, orders) from -1 to 1, of the full orders."""
        return self._map.commands_of(actions)

    def step(self, actions: Floats) -> Flags:
        """Advance every vessel by ``dt`` and return which failed (N,); those keep their states.

        Args:
            actions: (N, orders) from -1 to 1.
        """
        commands = self.commands(actions)
        failed = np.zeros(len(self.x), np.bool_)
        edges = [len(self.x) * k // len(self.models) for k in range(len(self.models) + 1)]
        for model, first, end in zip(self.models, edges, edges[1:], strict=False):
            self._step(model, commands, first, end, failed)
        return failed

    def _step(self, model: Dynamics, commands: Floats, first: int, end: int, failed: Flags) -> None:
        """Advance the vessels from ``first`` to before ``end``, and mark those that failed."""
        while first < end:
            rows = slice(first, end)
            bad = self._scheme(
                model.parameters,
                self.x[rows],
                commands[rows],
                self.surroundings[rows],
                self.dt / self.steps,
                self.steps,
            )
            if bad < 0:
                break
            failed[first + bad] = True
            first += bad + 1

    def restart(
        self, which: Whole, x: Floats, current: Floats, wind: Floats, random: np.random.Generator
    ) -> None:
        """Put vessels into states (k, 12 + n), in current and wind (k, 2), north, east [m/s].

        ``which`` are their indices (k,). Their velocities are given through the water, as those
        of a mission's start.
        """
        self.surroundings[which] = self._calm
        if current.any():
            R = eul_to_rotm(x[:, PHI : PSI + 1].T)
            x[:, U_ : W_ + 1] += np.einsum("ijk,ki->kj", R[:2], current)
            self.surroundings[which, CURRENT_N : CURRENT_E + 1] = current
        if wind.any():
            self.surroundings[which, WIND_N : WIND_E + 1] = wind
        self.x[which] = x

    def close(self) -> None:
        """Do nothing: only missions need to end."""
