"""What an app says of the variables it posts and hears: type, unit and frame, range, when, meaning.

    class Odometer(App):
        publications = (variables.number("ODOMETRY", "way made", unit="m", range=">= 0"),)
        subscriptions = (variables.heard("ODOMETRY_RESET", what="begin at 0 again"),)
        publishes = variables.names(publications)

``--interface`` and the tables of ``VARIABLES.md`` are made of these declarations. A meaning is
Markdown: what stands in a file or on the bus is in backquotes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

NUMBER, TEXT, BYTES, ANY = "number", "text", "bytes", "any"


class Publication(NamedTuple):
    """A variable that an app posts.

    Attributes:
        name: the variable's, under the configuration that is usual; ``*`` stands for any text.
        kind: ``number``, ``text`` or ``bytes``.
        what: what it means.
        unit: unit and frame; "" for none.
        range: of a number ``any``, ``>= 0``, ``> 0`` or an interval as ``[0, 360)``; of a text the
            values it may have, in backquotes, or ``text``.
        when: how often, or at what, it is posted.
    """

    name: str
    kind: str
    what: str
    unit: str
    range: str
    when: str


class Subscription(NamedTuple):
    """A variable that an app hears and others post: a person, a script, another project's app.

    Attributes:
        names: those it goes by.
        kind: ``number``, ``text``, ``bytes``, or ``any`` where the value does not matter.
        what: what its value does or means.
        unit: unit, frame and range; "" for none.
        given: what the app must be told to hear it; "" for nothing.
    """

    names: tuple[str, ...]
    kind: str
    what: str
    unit: str
    given: str


def number(
    name: str, what: str, *, unit: str = "", range: str = ANY, when: str = "tick"
) -> Publication:
    """Declare a number that is posted; see ``Publication``."""
    return Publication(name, NUMBER, what, unit, range, when)


def text(
    name: str, what: str, *, unit: str = "", range: str = TEXT, when: str = "tick"
) -> Publication:
    """Declare a text that is posted; see ``Publication``."""
    return Publication(name, TEXT, what, unit, range, when)


def binary(name: str, what: str, *, unit: str = "", when: str = "tick") -> Publication:
    """Declare bytes that are posted; see ``Publication``."""
    return Publication(name, BYTES, what, unit, BYTES, when)


def heard(
    *names: str, what: str, kind: str = TEXT, unit: str = "", given: str = ""
) -> Subscription:
    """Declare a variable that is heard; see ``Subscription``."""
    return Subscription(names, kind, what, unit, given)


def names(publications: Iterable[Publication]) -> tuple[str, ...]:
    """Return the names of what is posted."""
    return tuple(one.name for one in publications)
