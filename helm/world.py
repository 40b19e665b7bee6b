"""The helm's information buffer: last value of each variable, ownship state, contacts, mail.

It is ``self.world`` of a behavior. The names listed in ``docs/own_behaviors.md`` are a stable API.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

from steerageway.geometry.encounter import Track
from steerageway.helm.contact import ContactList
from steerageway.helm.geometry import either_side
from steerageway.helm.surroundings import (
    OBSTACLES,
    Mail,
    Obstacles,
    SeenContact,
    SeenObstacle,
    seen_contact,
)
from steerageway.ivp import Domain
from steerageway.moos.seglist import Point
from steerageway.moos.values import Value, number_of

CONTACT_MAX_AGE = 45.0  # a contact is removed after this time without reports [s]
_NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH")


class Ownship(NamedTuple):
    """Ownship's navigation state: position [m], heading [deg], speed [m/s], depth [m]."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    speed: float = 0.0
    depth: float = 0.0

    @property
    def place(self) -> Point:
        """Its position x,y [m]."""
        return self.x, self.y


class World:
    """The information buffer shared by all behaviors.

    Attributes:
        community: the vessel's name.
        domain: the decision variables.
        random: the only source of random numbers.
        folder: the mission's, for names of files.
        values: variable -> last value; includes behaviors' own posts at once.
        received: variable -> time of receipt of that value [s].
        time, utc: simulated time and UTC [s].
        iteration: of the helm, from 1.
        ownship: state in this iteration.
        turn_rate: change of the heading since the previous iteration, clockwise [deg/s].
        turn_radius: of the vessel's turn model [m]; 0: it turns on the spot.
        as_moos: whether behaviors and decisions repeat the faults of MOOS-IvP's.
        group: the vessel's, from its own node reports; "" if unknown.
        ledger: the contacts.
        revision: grows with each change of a watched variable.
        has_news: a followed variable has been received since the last decision.
        busy_until: time until which a decision is delayed by ``burn`` [s].
    """

    def __init__(
        self, community: str, domain: Domain, random: Random, folder: Path = Path()
    ) -> None:
        self.community = community
        self.domain = domain
        self.random = random
        self.folder = folder
        self.values: dict[str, Value] = {}
        self.received: dict[str, float] = {}
        self.time = 0.0
        self.utc = 0.0
        self.iteration = 0
        self.ownship = Ownship()
        self.turn_rate = 0.0
        self.turn_radius = 0.0
        self.as_moos = False
        self.group = ""
        self.ledger = ContactList(community, CONTACT_MAX_AGE)
        self.revision = 0
        self.busy_until = 0.0
        self._located: float | None = None
        self.has_news = False
        self._news: dict[str, list[str]] = {}
        self._mail: dict[str, list[Mail]] = {}
        self._obstacles = Obstacles()
        self._watched: set[str] = set()

    @property
    def contacts(self) -> tuple[SeenContact, ...]:
        """The contacts in their present state; requires a subscription to ``NODE_REPORT``."""
        ship = self.ownship
        own = Track(ship.x, ship.y, ship.heading, ship.speed)
        return tuple(seen_contact(one, own, self.utc) for one in self.ledger)

    @property
    def obstacles(self) -> tuple[SeenObstacle, ...]:
        """The present obstacles; requires a subscription to ``GIVEN_OBSTACLE``."""
        return self._obstacles.seen(self.ownship.place, self.time)

    def mail(self, name: str) -> list[Mail]:
        """Return the mail of a variable since the last iteration, oldest first."""
        return list(self._mail.get(name, ()))

    def keep(self, names: Iterable[str]) -> None:
        """Collect every value of these variables until the next decision, for ``mail``."""
        for name in names:
            self._mail.setdefault(name, [])

    def follow(self, names: Iterable[str]) -> None:
        """Collect every text of these variables until the next decision, for ``news``."""
        for name in names:
            self._news.setdefault(name, [])

    def watch(self, names: Iterable[str]) -> None:
        """Count changes of these variables in ``revision``."""
        self._watched.update(names)

    def take(self, name: str, value: Value) -> None:
        """Store a variable's value, received or posted now."""
        if name in self._watched and self.values.get(name) != value:
            self.revision += 1
        self.values[name] = value
        self.received[name] = self.time
        if name in self._news and isinstance(value, str):
            self._news[name].append(value)
            self.has_news = True
        if name in self._mail:
            self._mail[name].append(Mail(name, value, self.time))
            if name == OBSTACLES:
                self._obstacles.take(str(value), self.time)

    def news(self, name: str) -> list[str]:
        """Return the texts of a followed variable since the last iteration, oldest first."""
        return self._news.get(name, [])

    def end_iteration(self) -> None:
        """Clear the collected texts and mail."""
        if self.has_news:
            self.has_news = False
            for texts in self._news.values():
                texts.clear()
        for mail in self._mail.values():
            mail.clear()

    def burn(self, seconds: float) -> None:
        """Delay the decision of this iteration by a simulated time [s]."""
        self.busy_until = max(self.busy_until, self.time) + seconds

    def number(self, name: str) -> float | None:
        """Return a variable as a number, also if it is the text of one; otherwise None."""
        value = self.values.get(name)
        if isinstance(value, str):
            return number_of(value)
        return value

    def age(self, name: str) -> float | None:
        """Return the time since a variable was received [s]; None if it never was."""
        received = self.received.get(name)
        return None if received is None else self.time - received

    def locate(self) -> None:
        """Update ownship's state from its navigation variables."""
        before, since = self.ownship.heading, self._located
        known = self.values.get
        self.ownship = ship = Ownship(
            *[
                # navigation values are floats, except from unusual sources
                value if (value := known(name)).__class__ is float else self.number(name) or 0.0
                for name in _NAVIGATION
            ]
        )
        self._located = self.time
        if ship.heading == before:
            self.turn_rate = 0.0
        elif since is not None and self.time > since:
            turn = either_side(ship.heading - before)
            self.turn_rate = turn / (self.time - since)
