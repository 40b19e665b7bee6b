"""Moves a vessel through wormholes by mail to its simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from steerageway.apps.shared.wormholes import POSTS, PassageReporter
from steerageway.bus import variables
from steerageway.moos.values import trimmed
from steerageway.vessel.wormhole import Point, Wormhole

TELEPORT, TELEPORTED = "USM_TELEPORT", "USM_TELEPORT_COUNT"
PAUSE, RESET, VISIBILITY = "USM_SIM_PAUSED", "USM_RESET_COUNT", "NAV_TRANSP"
TRANSFER_POSTS = (TELEPORT, PAUSE, VISIBILITY, *POSTS)
TIMEOUT = 5.0  # time without confirmation after which a warning is given [s]
_DIGITS = 9

PUBLICATIONS = variables.published(f"""
    {TELEPORT} | text | m | | each passage | `x=12,y=-10`: position to which its simulator moves it
    {PAUSE} | text | | `true`, `false` | each passage with a `delay` | hold the vessel during the
        delay
    {VISIBILITY} | number | | [0, 1] | tick, with `wormhole` | visibility of the vessel; 0:
        invisible, 1: opaque
""")


class Transfer:
    """A vessel among wormholes that is moved by another app.

    Between the request to move it and the confirmation, its reported positions are ignored.
    """

    def __init__(
        self, wormholes: tuple[Wormhole, ...], name: str, post: Callable[[str, Any], None]
    ) -> None:
        self._reporter = PassageReporter(wormholes, name, post)
        self._post = post
        self._awaits = self._holds = False
        self._requested_at = 0.0

    def see(self, place: Point, time: float) -> None:
        """Take its position at a time [s]."""
        if not self._awaits:
            self._reporter.traveller.find(place, time)

    def carried(self, time: float) -> None:
        """Take the simulator's confirmation that it was moved."""
        if self._awaits:
            self._awaits = False
            self._reporter.emerge(time)

    def call_off(self) -> None:
        """End the passage, as the vessel was reset to another position."""
        self._awaits = False
        self._release()
        self._reporter.call_off()

    def lead(self, now: float, iteration: int) -> None:
        """Post the requests to the simulator that are due at a time [s], and the visibility."""
        traveller = self._reporter.traveller
        passage = traveller.passage
        if passage is not None and not self._awaits:
            if traveller.is_through(now):
                x, y = (trimmed(value, _DIGITS) for value in passage.exit)
                self._awaits, self._requested_at = True, now
                self._reporter.hide()
                self._post(TELEPORT, f"x={x},y={y}")
                self._release()
            elif traveller.is_gone(now):
                self._reporter.hide()
                self._hold()
        self._post(VISIBILITY, 0.0 if self._awaits else traveller.visibility(now))
        self._reporter.draw(iteration)

    def is_unconfirmed(self, now: float) -> bool:
        """Whether a request has not been confirmed within the timeout at a time [s]."""
        return self._awaits and now - self._requested_at > TIMEOUT

    def report(self) -> Iterator[str]:
        yield from self._reporter.report()

    def _hold(self) -> None:
        if not self._holds:
            self._holds = True
            self._post(PAUSE, "true")

    def _release(self) -> None:
        if self._holds:
            self._holds = False
            self._post(PAUSE, "false")
