"""Who heard and posted what, as the database sums it up in ``DB_RWSUMMARY``.

pNodeReporter=NAV_X:NAV_Y&NODE_REPORT_LOCAL,pHelmIvP=NAV_X:MODE*&DESIRED_SPEED
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from steerageway.moos.values import bite


class Traffic(NamedTuple):
    """What an app registered for, names or patterns, and the variables that it posted."""

    app: str
    subscribed: tuple[str, ...]
    published: tuple[str, ...]


def read_rw_summary(text: str) -> Iterator[Traffic]:
    """Read a summary: each app's traffic, in its order."""
    for row in text.split(","):
        app, lists = bite(row, "=")
        subscribed, published = bite(lists, "&")
        if app:
            yield Traffic(app, _names(subscribed), _names(published))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(":") if name)
