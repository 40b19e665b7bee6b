"""What a vessel touches: a post for each touch, the end of a run by one, other boats by mail."""

from __future__ import annotations

from collections.abc import Callable
from math import radians
from typing import TYPE_CHECKING

from steerageway.bus import CannotGoOn
from steerageway.moos.node_report import NodeRecord, NodeReportError, parse
from steerageway.vessel.contact import BOTTOM, Boat, Surfaces, boat
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenState
from steerageway.vessel.marine import components
from steerageway.world.contact import END, OFF

if TYPE_CHECKING:
    from steerageway.apps.vessels.usim_marine.mail import Scene, TakeText

CONTACT, CONTACTS = "USM_CONTACT", "USM_CONTACTS"
REPORT = "NODE_REPORT"
USUAL_LENGTH = 4.0  # [m], of a boat whose report has none
SLENDER = 3.0  # its length over its breadth, likewise


class Touches:
    """The touches of one vessel."""

    def __init__(self, surfaces: Surfaces, post: Callable[..., None]) -> None:
        self._surfaces, self._post = surfaces, post
        self._now: frozenset[str] = frozenset()  # what it touches
        self._count = 0

    def texts(self) -> dict[str, TakeText]:
        """Give what to do with texts: reports of other boats, if those can be touched."""
        return {} if self._surfaces.contact.at_boats == OFF else {REPORT: self._take}

    def watch(self, state: FossenState) -> None:
        """Post each touch that begins, and end the run where that is asked for.

        Raises:
            CannotGoOn: what is touched ends the run.
        """
        for what, depth, speed in state.touching:
            if what in self._now:
                continue
            self._count += 1
            self._post(CONTACT, f"what={what},depth={depth:.3g},speed={speed:.3g}")
            self._post(CONTACTS, float(self._count))
            if self._ends(what):
                north, east = state.x[:2].tolist()
                raise CannotGoOn(f"it touches {what} at x = {east:.6g}, y = {north:.6g}")
        self._now = frozenset(what for what, _, _ in state.touching)

    def _ends(self, what: str) -> bool:
        contact = self._surfaces.contact
        if what == BOTTOM:
            return contact.at_bottom == END
        return (contact.at_boats if what in self._surfaces.boats else contact.at_walls) == END

    def _take(self, scene: Scene, text: str, source: str) -> None:
        """Note where another boat is, at the instant its report came."""
        try:
            report = parse(text)
        except NodeReportError as error:
            raise InvalidValue(str(error)) from None
        if report.has_local_position:
            self._surfaces.boats[report.name] = _boat(report, scene.heard)


def _boat(report: NodeRecord, now: float) -> Boat:
    """Make a boat of a report: what it has over ground counts before what it has in the water."""
    heading = report.heading or 0.0
    place = (report.y or 0.0, report.x or 0.0, radians(heading))
    speed = report.speed_og if report.speed_og is not None else report.speed or 0.0
    course = next((c for c in (report.cog, report.heading_og) if c is not None), heading)
    east, north = components(course, speed)
    length = report.length or USUAL_LENGTH
    return boat(now, place, (north, east), length, report.beam or length / SLENDER)
