"""Takes a vessel through wormholes by mail to its simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from steerageway.apps.vessels.wormholes import POSTS, Escort
from steerageway.bus import variables
from steerageway.moos.values import trimmed
from steerageway.vessel.wormhole import Point, Wormhole

CARRY, CARRIED = "USM_TELEPORT", "USM_TELEPORT_COUNT"
PAUSE, RESET, VISIBILITY = "USM_SIM_PAUSED", "USM_RESET_COUNT", "NAV_TRANSP"
TRANSFER_POSTS = (CARRY, PAUSE, VISIBILITY, *POSTS)
TIMEOUT = 5.0  # after which an order counts as unheard [s]
_DIGITS = 9


PUBLICATIONS = (
    variables.text(
        CARRY, "`x=12,y=-10`: where its simulator is to carry it", unit="m", when="each passage"
    ),
    variables.text(
        PAUSE,
        "hold it while it is gone",
        range="`true`, `false`",
        when="each passage with a `delay`",
    ),
    variables.number(
        VISIBILITY,
        "how much of it is seen: 0 nothing, 1 all",
        range="[0, 1]",
        when="tick, with `wormhole`",
    ),
)


class Transfer:
    """A vessel among wormholes that somebody else moves.

    Between the order to carry it and the answer that it was done nothing it tells counts.
    """

    def __init__(
        self, wormholes: tuple[Wormhole, ...], name: str, post: Callable[[str, Any], None]
    ) -> None:
        self._escort = Escort(wormholes, name, post)
        self._post = post
        self._awaits = self._holds = False
        self._asked = 0.0

    def see(self, place: Point, time: float) -> None:
        """Take note of where it was at a time [s]."""
        if not self._awaits:
            self._escort.traveller.find(place, time)

    def carried(self, time: float) -> None:
        """Take note that its simulator has carried it."""
        if self._awaits:
            self._awaits = False
            self._escort.emerge(time)

    def call_off(self) -> None:
        """Take note that it was reset to somewhere else."""
        self._awaits = False
        self._release()
        self._escort.call_off()

    def lead(self, now: float, iteration: int) -> None:
        """Post what is to be done with it at a time [s], and what others see of it."""
        traveller = self._escort.traveller
        passage = traveller.passage
        if passage is not None and not self._awaits:
            if traveller.is_through(now):
                x, y = (trimmed(value, _DIGITS) for value in passage.exit)
                self._awaits, self._asked = True, now
                self._escort.hide()
                self._post(CARRY, f"x={x},y={y}")
                self._release()
            elif traveller.is_gone(now):
                self._escort.hide()
                self._hold()
        self._post(VISIBILITY, 0.0 if self._awaits else traveller.visibility(now))
        self._escort.draw(iteration)

    def is_unheard(self, now: float) -> bool:
        """Whether an order has found no answer for too long at a time [s]."""
        return self._awaits and now - self._asked > TIMEOUT

    def report(self) -> Iterator[str]:
        """Give the lines of an appcast."""
        yield from self._escort.report()

    def _hold(self) -> None:
        if not self._holds:
            self._holds = True
            self._post(PAUSE, "true")

    def _release(self) -> None:
        if self._holds:
            self._holds = False
            self._post(PAUSE, "false")
