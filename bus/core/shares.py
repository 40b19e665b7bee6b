"""Shares: what one community hands on to another, and who takes it in where.

An address is ``host:port`` or a group's name (``multicast_8``). Within a run it is resolved by its
port, since one machine has every port once; where several communities name the same port, by the
host, too.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.message import NANO, Value
from steerageway.bus.core.patterns import any_matches

if TYPE_CHECKING:
    from steerageway.bus.core.plan import AppPlan

OPENING = NANO  # how long before an outlet is used it must have been opened, once a mission runs
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Copy(NamedTuple):
    """A message on its way to the communities that listen at an address.

    Attributes:
        address: where they listen.
        name: of the variable there.
        value, time, source, aux, community: of the message, kept.
    """

    address: str
    name: str
    value: Value
    time: float
    source: str
    aux: str
    community: str


class Outlet(NamedTuple):
    """Where an app may hand messages on to.

    Attributes:
        address: ``host:port``, or a group's name.
        names: what variables may be called there, by name or pattern.
        since: from which instant on it is used [ns].
    """

    address: str
    names: tuple[str, ...] = ("*",)
    since: int = 0


class Inlet(NamedTuple):
    """Where a community takes messages in.

    Attributes:
        address: ``host:port``, or a group's name.
        names: the variables that are let in, by name or pattern.
    """

    address: str
    names: tuple[str, ...] = ("*",)

    def admits(self, name: str) -> bool:
        """Whether a variable is let in."""
        return any_matches(self.names, name)


class Directory:
    """Who listens where, among the apps of one run."""

    def __init__(self, apps: Iterable[AppPlan]) -> None:
        self._inlets: dict[str, list[tuple[str, Inlet]]] = {}
        self._found: dict[tuple[str, str], tuple[tuple[str, Inlet], ...]] = {}
        self._listening: dict[str, list[Inlet]] = {}
        for plan in apps:
            for inlet in plan.sharing.listens if plan.sharing else ():
                row = (plan.community, inlet)
                self._inlets.setdefault(_port(inlet.address), []).append(row)
                self._listening.setdefault(plan.community, []).append(inlet)

    def listens(self, community: str) -> bool:
        """Whether a community takes anything in."""
        return community in self._listening

    def admits(self, community: str, name: str) -> bool:
        """Whether a community takes a variable in, from whomever."""
        return any(inlet.admits(name) for inlet in self._listening.get(community, ()))

    def listeners(self, address: str, sender: str) -> tuple[str, ...]:
        """Return the other communities that listen at an address."""
        rows = self._resolve(address, sender)
        return tuple(dict.fromkeys(community for community, _ in rows))

    def communities(self, address: str, name: str, sender: str) -> tuple[str, ...] | None:
        """Return the other communities that take a variable in; None when nobody listens there.

        Args:
            address: where it goes.
            name: of the variable there.
            sender: the community that hands it on; it never hears itself.
        """
        key = (address, sender)
        rows = self._found.get(key)
        if rows is None:
            rows = self._found[key] = self._resolve(*key)
        if not rows:
            alone_in_a_group = ":" not in address and address in self._inlets
            return () if alone_in_a_group else None
        taking = (community for community, inlet in rows if inlet.admits(name))
        return tuple(dict.fromkeys(taking))

    def _resolve(self, address: str, sender: str) -> tuple[tuple[str, Inlet], ...]:
        rows = [row for row in self._inlets.get(_port(address), ()) if row[0] != sender]
        exact = [row for row in rows if _host(row[1].address) == _host(address)]
        return tuple(exact or rows)


def _port(address: str) -> str:
    """Return what an address is looked up by: its port, or a group's name."""
    return address.rpartition(":")[2]


def _host(address: str) -> str:
    host = address.rpartition(":")[0]
    return "localhost" if host in _LOOPBACK else host


def keep_to_itself(apps: Iterable[AppPlan]) -> None:
    """See that a run in lockstep shares with nobody of this machine who follows the wall clock.

    Raises:
        ServerError: somebody outside the run listens where an app shares.
    """
    plans = tuple(apps)
    directory = Directory(plans)
    for plan in plans:
        outlets = plan.sharing.outlets if plan.sharing else ()
        for address in dict.fromkeys(outlet.address for outlet in outlets):
            known = directory.listeners(address, plan.community)
            if not known and _host(address) == "localhost" and _is_taken(int(_port(address))):
                raise ServerError(
                    f"{plan.name} of {plan.community} shares with {address}: a run of its own "
                    "listens there; shares between runs need --free-run on both sides"
                )


def _is_taken(port: int) -> bool:
    """Whether somebody of this machine listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
