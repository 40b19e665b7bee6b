"""Circles of the alerts' ranges around ownship, as ``VIEW_CIRCLE``."""

from __future__ import annotations

from collections.abc import Mapping

from steerageway.apps.contacts.alerts import Alert, circles
from steerageway.declarations import truth
from steerageway.geometry.encounter import Track


class Radii:
    """Draws the circles of all alerts or of one, and erases those that are no longer shown.

    Args:
        shown: whether circles are drawn.
        only: the alert whose circles are drawn; "" for all.
    """

    def __init__(self, only: str, *, shown: bool) -> None:
        self._shown = shown
        self._only = only
        self._drawn: tuple[str, ...] = ()

    def choose(self, word: str, alerts: Mapping[str, Alert]) -> None:
        """Show or hide circles: true, false, toggle, or the name of the alert to draw."""
        if word.lower() == "toggle":
            self._shown = not self._shown
        else:
            self._shown = word in alerts or truth(word) is True
        if word in alerts:
            self._only = word

    def texts(self, alerts: Mapping[str, Alert], vessel: str, own: Track) -> list[str]:
        """Return the circles to draw around ownship, after those to erase."""
        chosen = [
            alert for name, alert in alerts.items() if self._shown and self._only in ("", name)
        ]
        drawn = circles(chosen, vessel, own)
        gone = [label for label in self._drawn if label not in drawn]
        self._drawn = tuple(drawn)
        erased = [f"x=0,y=0,radius=0,active=false,label={label}" for label in gone]
        return [*erased, *drawn.values()]
