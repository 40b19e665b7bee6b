"""Declarations of the variables an app posts and subscribes to: type, unit, range, when, meaning.

    class Odometer(App):
        publications = (variables.number("ODOMETRY", "way made", unit="m", range=">= 0"),)
        subscriptions = (variables.heard("ODOMETRY_RESET", what="begin at 0 again"),)

Several are declared as a table, see ``published`` and ``subscribed``.
``--interface`` and the tables of ``VARIABLES.md`` are generated from these declarations. A meaning
is Markdown: text of a file or of the bus is in backquotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from inspect import cleandoc
from typing import Any, NamedTuple

NUMBER, TEXT, BYTES, ANY = "number", "text", "bytes", "any"
_USUAL_RANGES = {NUMBER: ANY, TEXT: TEXT, BYTES: BYTES}


class Publication(NamedTuple):
    """A variable that an app posts.

    Attributes:
        name: the variable's, in the usual configuration; ``*`` stands for any text.
        kind: ``number``, ``text`` or ``bytes``.
        what: its meaning.
        unit: unit and frame; "" for none.
        range: of a number ``any``, ``>= 0``, ``> 0`` or an interval as ``[0, 360)``; of a text the
            values it may have, in backquotes, or ``text``.
        when: how often, or on what event, it is posted.
        posted_if: whether it is posted with the poster's settings; None: with any.
        named: its name with the poster's settings, made of ``name``, or "" if it is not posted;
            None: always ``name``. ``names_with`` evaluates both.
    """

    name: str
    kind: str
    what: str
    unit: str
    range: str
    when: str
    posted_if: Callable[[Any], bool] | None = None
    named: Callable[[str, Any], str] | None = None


class Subscription(NamedTuple):
    """A variable an app subscribes to and others post: a person, a script, a foreign app.

    Attributes:
        names: its possible names.
        kind: ``number``, ``text``, ``bytes``, or ``any`` where the value does not matter.
        what: the effect or meaning of its value.
        unit: unit, frame and range; "" for none.
        given: what configuration makes the app subscribe to it; "" for none.
    """

    names: tuple[str, ...]
    kind: str
    what: str
    unit: str
    given: str


def number(
    name: str,
    what: str,
    *,
    unit: str = "",
    range: str = ANY,
    when: str = "tick",
    posted_if: Callable[[Any], bool] | None = None,
    named: Callable[[str, Any], str] | None = None,
) -> Publication:
    """Declare a posted number; see ``Publication``."""
    return Publication(name, NUMBER, what, unit, range, when, posted_if, named)


def text(
    name: str,
    what: str,
    *,
    unit: str = "",
    range: str = TEXT,
    when: str = "tick",
    posted_if: Callable[[Any], bool] | None = None,
    named: Callable[[str, Any], str] | None = None,
) -> Publication:
    """Declare a posted text; see ``Publication``."""
    return Publication(name, TEXT, what, unit, range, when, posted_if, named)


def binary(name: str, what: str, *, unit: str = "", when: str = "tick") -> Publication:
    """Declare posted bytes; see ``Publication``."""
    return Publication(name, BYTES, what, unit, BYTES, when)


def heard(
    *names: str, what: str, kind: str = TEXT, unit: str = "", given: str = ""
) -> Subscription:
    """Declare a subscribed variable; see ``Subscription``."""
    return Subscription(names, kind, what, unit, given)


def published(
    table: str,
    *,
    posted_if: Callable[[Any], bool] | None = None,
    named: Callable[[str, Any], str] | None = None,
) -> tuple[Publication, ...]:
    """Declare posted variables: lines ``NAME, NAME | kind | unit | range | when | meaning``.

    An indented line continues the one before. An empty range is that of all values of the kind, and
    an empty "when" each tick. Names in one line differ in nothing else.

    Args:
        posted_if, named: of all of them, see ``Publication``.
    Raises:
        ValueError: a line is none of these.
    """
    found = []
    for names, kind, unit, range, when, what in _rows(table, 6):
        if kind not in _USUAL_RANGES:
            raise ValueError(f"{names}: {kind}: expected one of {', '.join(_USUAL_RANGES)}")
        more = what, unit, range or _USUAL_RANGES[kind], when or "tick"
        found += [Publication(name, kind, *more, posted_if, named) for name in names.split(", ")]
    return tuple(found)


def subscribed(table: str) -> tuple[Subscription, ...]:
    """Declare subscribed variables: lines ``NAME, NAME | kind | unit | given | meaning``.

    The names in one line are those of one subscription.

    Raises:
        ValueError: a line is another.
    """
    return tuple(
        Subscription(tuple(names.split(", ")), kind, what, unit, given)
        for names, kind, unit, given, what in _rows(table, 5)
    )


def _rows(table: str, columns: int) -> Iterator[list[str]]:
    for row in cleandoc(table).replace("\n ", " ").split("\n"):
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) != columns:
            raise ValueError(f"{row}: expected {columns} columns")
        yield [" ".join(cell.split()) for cell in cells]


def names(publications: Iterable[Publication]) -> tuple[str, ...]:
    """Return the names of the posted variables."""
    return tuple(one.name for one in publications)


def names_with(settings: Any, publications: Iterable[Publication]) -> list[str]:
    """Return the names of the variables that are posted with these settings of the poster."""
    posted = (one for one in publications if one.posted_if is None or one.posted_if(settings))
    names = (one.named(one.name, settings) if one.named else one.name for one in posted)
    return [name for name in names if name]
