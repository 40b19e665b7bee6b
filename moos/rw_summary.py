"""``DB_RWSUMMARY``: the database's summary of each app's subscriptions and publications.

pNodeReporter=NAV_X:NAV_Y&NODE_REPORT_LOCAL,pHelmIvP=NAV_X:MODE*&DESIRED_SPEED
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from steerageway.moos.values import split_first


class Traffic(NamedTuple):
    """An app's subscriptions (names or patterns) and published variables."""

    app: str
    subscribed: tuple[str, ...]
    published: tuple[str, ...]


def read_rw_summary(text: str) -> Iterator[Traffic]:
    """Parse a summary; yield each app's traffic, in its order."""
    for row in text.split(","):
        app, lists = split_first(row, "=")
        subscribed, published = split_first(lists, "&")
        if app:
            yield Traffic(app, _names(subscribed), _names(published))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(":") if name)
