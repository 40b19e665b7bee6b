"""Reads ``contact`` of an environment: what can be touched, and how it gives."""

from __future__ import annotations

import numpy as np

from steerageway.world.contact import BOTTOMS, FORCE, OFF, SIDES, STAND, Contact, Wall
from steerageway.world.document import Section
from steerageway.world.units import quantity, word

LEAST_CORNERS = 3
STIFFEST = 1e-3  # [s], the shortest touch


def read_contact(file: Section) -> Contact | None:
    """Give what an environment's ``contact`` says; None where there is no such key.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
    """
    if "contact" not in file:
        return None
    section = file.section("contact")
    walls = tuple(_wall(one, number) for number, one in enumerate(section.sections("walls"), 1))
    labels = [wall.label for wall in walls]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        section.wrong("walls", f"two are called {twice}", "labels of their own", None)
    found = Contact(
        walls=walls,
        at_walls=word(section, "at_walls", SIDES, FORCE),
        at_boats=word(section, "at_boats", SIDES, OFF),
        at_bottom=word(section, "at_bottom", BOTTOMS, STAND),
        restitution=section.number("restitution", 0.3, 0.0, 1.0),
        friction=section.number("friction", 0.3, 0.0),
        duration=quantity(section, "duration", "s", 0.1, low=STIFFEST),
    )
    section.finish()
    return found


def _wall(section: Section, number: int) -> Wall:
    """Read a wall: its points are east and north of the datum in the file."""
    label = section.text("label", f"wall {number}")
    rows = section.rows("points", 2)
    section.finish()
    if len(rows) < LEAST_CORNERS:
        section.fail("points", f"{len(rows)} points", "at least three, [east, north]")
    return Wall(label, np.array(rows, np.float64)[:, ::-1].copy())


def told(contact: Contact) -> str:
    """Say in words what was read."""
    walls = ", ".join(wall.label for wall in contact.walls) or "none"
    return (
        f"contact: walls {walls}: {contact.at_walls}, boats: {contact.at_boats}, bottom: "
        f"{contact.at_bottom}, restitution {contact.restitution:g}, friction "
        f"{contact.friction:g}, touch of {contact.duration:g} s"
    )
