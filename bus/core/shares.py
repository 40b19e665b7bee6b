"""What is shared between communities: outlets, inlets and copies of messages.

An address is ``host:port`` or a group's name (``multicast_8``).
"""

from __future__ import annotations

from typing import NamedTuple

from steerageway.bus.core.message import NANO
from steerageway.declarations.patterns import any_matches
from steerageway.declarations.posted import Value

OPENING = NANO  # least time between opening an outlet and its first use, once a mission runs


class Copy(NamedTuple):
    """A message on its way to the communities that listen at an address.

    Attributes:
        address: where these listen.
        name: the variable's name there.
        value, time, source, aux, community: the message's own.
    """

    address: str
    name: str
    value: Value
    time: float
    source: str
    aux: str
    community: str


class Outlet(NamedTuple):
    """Where an app may send messages to other communities.

    Attributes:
        address: ``host:port``, or a group's name.
        names: the variables' names there, or patterns.
        since: instant from which it may be used [ns].
    """

    address: str
    names: tuple[str, ...] = ("*",)
    since: int = 0


class Inlet(NamedTuple):
    """Where a community receives messages of others.

    Attributes:
        address: ``host:port``, or a group's name.
        names: the variables that are accepted, names or patterns.
    """

    address: str
    names: tuple[str, ...] = ("*",)

    def admits(self, name: str) -> bool:
        """Whether a variable is accepted."""
        return any_matches(self.names, name)
