"""Turns of the vessel itself under the marine PID: the last word on gains, and a search by them.

A hull that is unstable on a straight course leaves it for good when linearised. In truth its drag
grows as it turns and ends that, so gains that hold it may be found only by turning it. They
lead far: by Nomoto's model with a negative time constant, T r' = r + K delta, a rudder of
kp error - kd r makes T r' + (K kd - 1) r + K kp error = 0, which comes to rest only where kd is
above 1/K. Source: Fossen (2021), chapter 15, PID control by pole placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, inf
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.dynamics import Dynamics, Floats
from steerageway.vessel.fossen.orders import Orders
from steerageway.vessel.pid import Gains, ScalarPid
from steerageway.vessel.tools.design import LEAST_DT, MOST_TICKS, OVERSHOOT, QUIET, Answer

TURN = 30.0  # the heading step that gains are for [deg]
ROUND = 150.0  # a step that must come to its end too [deg]
BEYOND, NEAR = 30.0, 1.5  # how far a turn may overshoot, and what may be left of it [deg]
PROPORTIONAL = np.geomspace(5.0, 0.1, 10)  # kp, of what asks full rudder for the whole step
LEAD = np.geomspace(0.3, 10.0, 12)  # kd / kp, of the time the step takes by full rudder
PATIENCE = 20.0  # how long the step may take, of that time


class UnderWay(NamedTuple):
    """A vessel settled at a thrust [%]."""

    thrust: float
    x: Floats


class Helm(NamedTuple):
    """The marine PID's yaw loop: its gains, the most rudder it orders [%], its tick [s]."""

    kp: float
    kd: float
    most: float
    tick: float


class Turner:
    """A vessel at a few thrusts, to be turned by helms."""

    def __init__(self, vessel: Dynamics, orders: Orders, cases: Sequence[UnderWay]) -> None:
        self._vessel, self._orders, self._cases = vessel, orders, cases

    def goes_round(self, answer: Answer, most: float, tick: float) -> bool:
        """Return whether it comes to the end of a great turn at the first thrust, and stays there.

        One whose rudder takes long from side to side swings past it, again and again.
        """
        helm = Helm(answer.gains[0], answer.gains[1], most, tick)
        time = 10 * answer.settling * ROUND / TURN
        return bool(self._track(self._cases[0], helm, ROUND, time, BEYOND))

    def best(self, most: float, tick: float, time: float) -> Answer | None:
        """Return the gains that turn it soonest with little overshoot, or None.

        Soonest at the first thrust; at all it must also come to the end of a great turn.

        Args:
            most: rudder [%]. tick: of the PID [s]. time: the step takes by full rudder, about [s].
        """
        best, least = None, inf
        for lead in (LEAD * time).tolist():  # the quick ones first: they soon fail or are good
            for kp in (PROPORTIONAL * most / TURN).tolist():
                helm = Helm(kp, kp * lead, most, tick)
                track = self._track(
                    self._cases[0], helm, TURN, PATIENCE * time, OVERSHOOT * TURN, least
                )
                if track and _rests(track) and self._serves(helm, time):
                    best, least = _answer(helm, track), sum(map(abs, track))
        return best

    def _serves(self, helm: Helm, time: float) -> bool:
        """Return whether a helm turns it at every thrust, a little and round."""
        longer = PATIENCE * time
        return all(
            self._track(case, helm, ROUND, 2 * longer, BEYOND)
            and self._track(case, helm, TURN, longer, BEYOND)
            for case in reversed(self._cases)
        )

    def _track(
        self,
        case: UnderWay,
        helm: Helm,
        size: float,
        time: float,
        beyond: float,
        worth: float = inf,
    ) -> list[float]:
        """Return what is left of a turn [deg], tick by tick; empty if it does not come to its end.

        Nor if it goes farther beyond it, or all that was left adds up to more than ``worth``.
        """
        vessel, orders, (kp, kd, most, tick) = self._vessel, self._orders, helm
        pid, x, start = ScalarPid(Gains(kp=kp, kd=kd), most), case.x, case.x[5]
        steps, calm = max(1, round(tick / LEAST_DT)), vessel.surroundings()
        ticks = min(round(time / tick), MOST_TICKS)
        track: list[float] = []
        for k in range(ticks):
            error = degrees(x[5] - start) - size
            command = orders.commands(rudder=-pid.step(error, k * tick), thrust=case.thrust)
            try:
                x = vessel.step(x, command, calm, tick / steps, steps=steps)
            except (NotFinite, OutsideEnvelope):  # a ship that capsizes in the turn
                return []
            if not orders.thrust.any():
                x[6] = max(x[6], case.x[6])  # what keeps its speed is not its own
            worth -= abs(error)
            late = k >= ticks - ticks // 5
            if error >= beyond or worth < 0 or (late and abs(error) >= NEAR):
                return []
            track.append(error)
        return track


def _rests(track: Sequence[float]) -> bool:
    """Return whether a turn ends in no swing that stays."""
    end = track[-len(track) // 5 :]
    return max(end) - min(end) < 2 * QUIET * TURN


def _answer(helm: Helm, track: Sequence[float]) -> Answer:
    late = max(k for k, error in enumerate(track, 1) if abs(error) > 0.05 * TURN)
    overshoot = max(max(track) / TURN, 0.0)
    return Answer((helm.kp, helm.kd), late * helm.tick, overshoot)
