"""Geometry of an encounter for the COLREGS: range, CPA, relative bearings, turn rate."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import NamedTuple

from steerageway.geometry.encounter import (
    Motion,
    Track,
    closure,
    relative,
    relative_bearing,
    separation,
)
from steerageway.helm.geometry import either_side

_MEMORY, _LEAST = 5.0, 4.0  # time of the headings that a turn rate is taken from [s]


class Encounter(NamedTuple):
    """Ownship and a contact at a moment.

    Attributes:
        own, other: ownship and the contact.
        range: between them [m]; closing: the rate of closure [m/s].
        cpa: the range at the CPA if both keep course and speed [m].
        alpha: relative bearing of ownship from the contact [deg, 0 to 360).
        beta: relative bearing of the contact from ownship [deg, 0 to 360).
        of_own: ownship in the contact's frame; of_contact: the contact in ownship's.
        turn_rate: of the contact [deg/s], clockwise; None: unknown.
        crossed: whether the contact has crossed ownship's line of bow and stern since before.
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
    turn_rate: float | None = None
    crossed: bool = False


def encounter(
    own: Track,
    other: Track,
    horizon: float,
    turn_rate: float | None = None,
) -> Encounter:
    """Return the encounter of two vessels.

    Args:
        own, other, turn_rate: see ``Encounter``.
        horizon: time within which the closest point of approach is sought [s].
    """
    there = relative(own, other)
    return Encounter(
        own,
        other,
        separation(own, other),
        closure(own, other),
        there.closest(horizon).range,
        relative_bearing(other, own),
        relative_bearing(own, other),
        there.reversed().seen(other.heading),
        there.seen(own.heading),
        turn_rate,
    )


class TurnRate:
    """A contact's turn rate, from its headings in the last ``_MEMORY`` seconds."""

    def __init__(self) -> None:
        self._headings: deque[tuple[float, float]] = deque()  # (time [s], heading [deg])

    def of(self, heading: float, time: float) -> float | None:
        """Take its present heading [deg]; return its rate [deg/s], clockwise; None at first."""
        self._headings.append((time, heading))
        while time - self._headings[0][0] >= _MEMORY:
            self._headings.popleft()
        lasted = time - self._headings[0][0]
        if lasted < _LEAST:
            return None
        turned = (either_side(b[1] - a[1]) for a, b in pairwise(self._headings))
        return sum(turned) / lasted
