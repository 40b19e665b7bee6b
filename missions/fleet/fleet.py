"""An app that posts the progress of a fleet's survey, and the average number of close contacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from steerageway.bus import App, Message, Parameter
from steerageway.geometry.encounter import beside, separation
from steerageway.helm.contact import DECAY, ContactList


class Fleet(App):
    """Posts when all vessels have surveyed, and the average number of others near a vessel."""

    publishes = ("FLEET_SURVEYED", "FLEET_CONTACTS", "MISSION")
    parameters = (
        Parameter("vessels", "1", "number of vessels"),
        Parameter("within", "50", "range of others counted as near [m]"),
    )

    def configure(self) -> None:
        self._vessels = self.config.number("vessels", default=1, low=1)
        self._within = self.config.number("within", default=50.0, above=0.0)
        self._ledger = ContactList("", inf)
        self._surveyed: dict[str, None] = {}
        self._near = self._looks = 0

    def on_start(self) -> None:
        self.register("NODE_REPORT", "SURVEYED")

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if message.name == "NODE_REPORT":
                self._ledger.take_report(message.name, message.value, self.utc, self.run_warning)
            else:
                self._surveyed[message.community] = None

    def iterate(self) -> None:
        places = sorted(contact.now(self.utc, DECAY) for contact in self._ledger)  # by x
        for place in places:
            others = beside(places, place.x, self._within)
            self._near += sum(separation(place, p) <= self._within for p in others) - 1  # itself
        self._looks += len(places)
        self.post("FLEET_SURVEYED", len(self._surveyed))
        self.post("FLEET_CONTACTS", self._crowding)
        if len(self._surveyed) >= self._vessels:
            self.post("MISSION", "complete")

    @property
    def _crowding(self) -> float:
        return self._near / max(self._looks, 1)

    def report(self) -> Iterable[str]:
        yield f"surveyed: {len(self._surveyed)} of {self._vessels:g} vessels"
        yield f"others within {self._within:g} m, on average: {self._crowding:.2f}"
