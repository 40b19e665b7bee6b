"""Reads the ``contact`` section of an environment: walls, responses, restitution, friction."""

from __future__ import annotations

import numpy as np

from steerageway.world import keys as env
from steerageway.world.contact import Contact, Wall
from steerageway.world.document import Section
from steerageway.world.units import quantity, word

LEAST_CORNERS = 3


def read_contact(file: Section) -> Contact | None:
    """Return an environment's contact settings; None without the key ``contact``.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    if env.CONTACT not in file:
        return None
    section = file.section(env.CONTACT)
    walls = tuple(_wall(one, number) for number, one in enumerate(section.sections(env.WALLS), 1))
    labels = [wall.label for wall in walls]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        section.wrong(env.WALLS, f"duplicate label {twice}", "unique labels", None)
    found = Contact(
        walls=walls,
        at_walls=word(section, env.AT_WALLS),
        at_boats=word(section, env.AT_BOATS),
        at_bottom=word(section, env.AT_BOTTOM),
        restitution=section.number(env.RESTITUTION),
        friction=section.number(env.FRICTION),
        duration=quantity(section, env.DURATION),
    )
    section.finish()
    return found


def _wall(section: Section, number: int) -> Wall:
    """Read a wall: its points are east and north of the datum in the file."""
    label = section.text(env.LABEL, f"wall {number}")
    rows = section.rows(env.POINTS)
    section.finish()
    if len(rows) < LEAST_CORNERS:
        section.fail(env.POINTS, f"{len(rows)} points", "at least three, [east, north]")
    return Wall(label, np.array(rows, np.float64)[:, ::-1].copy())


def summary_of(contact: Contact) -> str:
    """Return a one-line summary."""
    walls = ", ".join(wall.label for wall in contact.walls) or "none"
    return (
        f"contact: walls {walls}: {contact.at_walls}, boats: {contact.at_boats}, bottom: "
        f"{contact.at_bottom}, restitution {contact.restitution:g}, friction "
        f"{contact.friction:g}, touch of {contact.duration:g} s"
    )
