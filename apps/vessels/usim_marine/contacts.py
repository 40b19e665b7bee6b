"""Contacts of a Fossen vessel with bottom, walls and other vessels: posts, and the end of a run."""

from __future__ import annotations

from collections.abc import Callable
from math import radians
from typing import TYPE_CHECKING

from steerageway.bus import CannotGoOn
from steerageway.geometry.marine import components
from steerageway.moos.node_report import NodeRecord, NodeReportError, parse
from steerageway.vessel.contact import BOTTOM, Boat, Surfaces
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenState
from steerageway.vessel.outline import of_size
from steerageway.world.contact import END, OFF

if TYPE_CHECKING:
    from steerageway.apps.vessels.usim_marine.mail import Scene, TakeText

CONTACT, CONTACTS = "USM_CONTACT", "USM_CONTACTS"
REPORT = "NODE_REPORT"
USUAL_LENGTH = 4.0  # [m], length of a vessel without a reported one
SLENDER = 3.0  # its length-to-beam ratio, likewise


class ContactMonitor:
    """The contacts of one vessel."""

    def __init__(self, surfaces: Surfaces, post: Callable[..., None]) -> None:
        self._surfaces, self._post = surfaces, post
        self._now: frozenset[str] = frozenset()  # objects in contact
        self._count = 0

    def text_handlers(self) -> dict[str, TakeText]:
        """Return the handlers of texts: other vessels' node reports, if contact is enabled."""
        return {} if self._surfaces.contact.at_boats == OFF else {REPORT: self._take}

    def watch(self, state: FossenState) -> None:
        """Post each contact that begins, and end the run if required.

        Raises:
            CannotGoOn: the contact ends the run.
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
        """Store another vessel's position, at the instant of its report."""
        try:
            report = parse(text)
        except NodeReportError as error:
            raise InvalidValue(str(error)) from None
        if report.has_local_position:
            self._surfaces.boats[report.name] = _boat(report, scene.heard)


def _boat(report: NodeRecord, now: float) -> Boat:
    """Return a vessel of a report; its motion over ground is preferred to that in the water."""
    heading = report.heading or 0.0
    place = (report.y or 0.0, report.x or 0.0, radians(heading))
    speed = report.speed_og if report.speed_og is not None else report.speed or 0.0
    course = next((c for c in (report.cog, report.heading_og) if c is not None), heading)
    east, north = components(course, speed)
    length = report.length or USUAL_LENGTH
    plan = of_size(length, report.beam or length / SLENDER)
    return Boat(now, *place, north, east, plan, length)
