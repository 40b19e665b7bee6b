"""Turns of the nonlinear vessel under the marine PID: verification and search of yaw gains.

The linear model of a course-unstable hull diverges from a straight course. The real hull does not,
as its drag grows with the turn rate, so its gains can only be found on the nonlinear model. They
need a large derivative gain: by Nomoto's model with a negative time constant, T r' = r + K delta, a
rudder of kp error - kd r gives T r' + (K kd - 1) r + K kp error = 0, which is stable only for kd
above 1/K. Source: Fossen (2021), chapter 15, PID control by pole placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, inf
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import PSI, U_
from steerageway.vessel.pid import Gains, ScalarPid
from steerageway.vessel.tools.design import (
    LEAST_DT,
    MOST_TICKS,
    OVERSHOOT,
    QUIET,
    StepResponse,
    settling_ticks,
)
from steerageway.world.arrays import Floats

TURN = 30.0  # heading step for which gains are optimised [deg]
ROUND = 150.0  # large heading step that has to complete, too [deg]
BEYOND, NEAR = 30.0, 1.5  # maximum overshoot and final error of a turn [deg]
PROPORTIONAL = np.geomspace(5.0, 0.1, 10)  # kp over that with full rudder for the whole step
LEAD = np.geomspace(0.3, 10.0, 12)  # kd / kp over the time of the step by full rudder
PATIENCE = 20.0  # maximum duration of the step over that time


class UnderWay(NamedTuple):
    """Steady state x of a vessel at a thrust [%]."""

    thrust: float
    x: Floats

    def advanced(
        self, vessel: Dynamics, orders: ActuatorMap, x: Floats, command: Floats, tick: float
    ) -> Floats:
        """Return a state after a tick [s]; without thrusters, its speed is kept from outside."""
        steps = max(1, round(tick / LEAST_DT))
        x = vessel.step(x, command, vessel.surroundings(), tick / steps, steps=steps)
        if not orders.thrust.any():
            x[U_] = max(x[U_], self.x[U_])
        return x


class YawLoop(NamedTuple):
    """The marine PID's yaw loop: gains, limit of the rudder [%], tick [s]."""

    kp: float
    kd: float
    most: float
    tick: float


class TurnSimulator:
    """Simulates turns of a vessel at several thrusts."""

    def __init__(self, vessel: Dynamics, orders: ActuatorMap, cases: Sequence[UnderWay]) -> None:
        self._vessel, self._orders, self._cases = vessel, orders, cases

    def completes_large_turn(self, answer: StepResponse, most: float, tick: float) -> bool:
        """Return whether it completes a large turn at the first thrust and settles there.

        With a slow rudder it may oscillate around the new heading.
        """
        loop = YawLoop(answer.gains[0], answer.gains[1], most, tick)
        time = 10 * answer.settling * ROUND / TURN
        return bool(self._track(self._cases[0], loop, ROUND, time, BEYOND))

    def best(self, most: float, tick: float, time: float) -> StepResponse | None:
        """Return the gains with the fastest turn and little overshoot, or None.

        Fastest at the first thrust; at all thrusts it has to complete a large turn, too.

        Args:
            most: limit of the rudder [%]. tick: of the PID [s].
            time: typical time of the step by full rudder [s].
        """
        best, least = None, inf
        for lead in (LEAD * time).tolist():  # fast ones first: they fail, or set a bound, early
            for kp in (PROPORTIONAL * most / TURN).tolist():
                loop = YawLoop(kp, kp * lead, most, tick)
                track = self._track(
                    self._cases[0], loop, TURN, PATIENCE * time, OVERSHOOT * TURN, least
                )
                if track and _settles(track) and self._completes_all(loop, time):
                    best, least = _response(loop, track), sum(map(abs, track))
        return best

    def _completes_all(self, loop: YawLoop, time: float) -> bool:
        """Return whether the loop completes the small and the large turn at every thrust."""
        longer = PATIENCE * time
        return all(
            self._track(case, loop, ROUND, 2 * longer, BEYOND)
            and self._track(case, loop, TURN, longer, BEYOND)
            for case in reversed(self._cases)
        )

    def _track(
        self,
        case: UnderWay,
        loop: YawLoop,
        size: float,
        time: float,
        beyond: float,
        worth: float = inf,
    ) -> list[float]:
        """Return the heading errors of a turn [deg], by tick; [] if it does not complete.

        Also [] if it overshoots more than ``beyond``, or the summed error exceeds ``worth``.
        """
        vessel, orders, (kp, kd, most, tick) = self._vessel, self._orders, loop
        pid, x, start = ScalarPid(Gains(kp=kp, kd=kd), most), case.x, case.x[PSI]
        ticks = min(round(time / tick), MOST_TICKS)
        track: list[float] = []
        for k in range(ticks):
            # the error's sign is that of the PID: heading minus desired heading
            error = degrees(x[PSI] - start) - size
            command = orders.commands(rudder=-pid.step(error, k * tick), thrust=case.thrust)
            try:
                x = case.advanced(vessel, orders, x, command, tick)
            except (NotFinite, OutsideEnvelope):  # a ship that capsizes in the turn
                return []
            worth -= abs(error)
            late = k >= ticks - ticks // 5
            if error >= beyond or worth < 0 or (late and abs(error) >= NEAR):
                return []
            track.append(error)
        return track


def _settles(track: Sequence[float]) -> bool:
    """Return whether a turn ends without a persistent oscillation."""
    end = track[-len(track) // 5 :]
    return max(end) - min(end) < 2 * QUIET * TURN


def _response(loop: YawLoop, track: Sequence[float]) -> StepResponse:
    late = int(settling_ticks(np.array(track) + TURN, TURN))
    overshoot = max(max(track) / TURN, 0.0)
    return StepResponse((loop.kp, loop.kd), late * loop.tick, overshoot)
