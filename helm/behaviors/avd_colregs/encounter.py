"""Geometry of an encounter for the COLREGS: range, CPA, relative bearings, turn rate."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.helm.contact import Contact
from steerageway.helm.geometry import either_side
from steerageway.vessel.encounter import (
    Motion,
    Track,
    closest_approach,
    closure,
    relative_bearing,
    seen_from,
    separation,
)


class Encounter(NamedTuple):
    """Ownship and a contact at a moment.

    Attributes:
        own, other: ownship and the contact.
        range: between them [m]; closing: the rate of closure [m/s].
        cpa: the range at the CPA if both keep course and speed [m].
        alpha: relative bearing of ownship from the contact [deg, 0 to 360).
        beta: relative bearing of the contact from ownship [deg, 0 to 360).
        of_own: ownship in the contact's frame; of_contact: the contact in ownship's.
        turn_rate: of the contact [deg/s], clockwise.
    """

    own: Track
    other: Track
    range: float
    closing: float
    cpa: float
    alpha: float
    beta: float
    of_own: Motion
    of_contact: Motion
    turn_rate: float


def encounter(own: Track, other: Track, horizon: float, turn_rate: float) -> Encounter:
    """Return the encounter of two vessels.

    Args:
        horizon: time within which the closest point of approach is sought [s].
    """
    return Encounter(
        own,
        other,
        separation(own, other),
        closure(own, other),
        closest_approach(own, other, horizon).range,
        relative_bearing(other, own),
        relative_bearing(own, other),
        seen_from(other, own),
        seen_from(own, other),
        turn_rate,
    )


class TurnRate:
    """A contact's turn rate, from its last two reports."""

    def __init__(self) -> None:
        self._last: Contact | None = None
        self._rate = 0.0

    def of(self, contact: Contact) -> float:
        """Return its rate [deg/s], clockwise; 0 until it has reported twice."""
        last = self._last
        if last is None or last.name != contact.name:
            self._rate = 0.0
        elif contact.seen > last.seen:
            change = either_side(contact.track.heading - last.track.heading)
            self._rate = change / (contact.seen - last.seen)
        self._last = contact
        return self._rate
