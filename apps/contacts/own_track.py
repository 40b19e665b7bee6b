"""The own vessel's track, of the variables that tell it."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from steerageway.geometry.encounter import Track

NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")
_new = tuple.__new__  # creates a named tuple in half the time
_IN_ORDER = itemgetter(*NAVIGATION)


def own_track(known: Mapping[str, float]) -> Track | None:
    """Return the track by the values of ``NAVIGATION`` that are known; None until all are."""
    return None if len(known) < len(NAVIGATION) else _new(Track, _IN_ORDER(known))
