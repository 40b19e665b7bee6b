"""Which communities of a run listen at an address.

An address is resolved by its port, since one machine has every port once; where several
communities name the same port, by the host, too.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.plan import AppPlan
from steerageway.bus.core.shares import Inlet

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Directory:
    """Which communities listen at which addresses, among the apps of one run."""

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
        """Whether a community accepts any messages."""
        return community in self._listening

    def admits(self, community: str, name: str) -> bool:
        """Whether a community accepts a variable, from any other."""
        return any(inlet.admits(name) for inlet in self._listening.get(community, ()))

    def listeners(self, address: str, sender: str) -> tuple[str, ...]:
        """Return the other communities that listen at an address."""
        rows = self._resolve(address, sender)
        return tuple(dict.fromkeys(community for community, _ in rows))

    def communities(self, address: str, name: str, sender: str) -> tuple[str, ...] | None:
        """Return the other communities that accept a variable; None when none listens there.

        Args:
            address: where it is sent.
            name: the variable's name there.
            sender: the sending community, which never receives its own messages.
        """
        key = (address, sender)
        rows = self._found.get(key)
        if rows is None:
            # Cached: inlets do not change during a run, and this is looked up for every message.
            rows = self._found[key] = self._resolve(*key)
        if not rows:
            alone_in_a_group = ":" not in address and address in self._inlets
            return () if alone_in_a_group else None
        taking = (community for community, inlet in rows if inlet.admits(name))
        return tuple(dict.fromkeys(taking))

    def _resolve(self, address: str, sender: str) -> tuple[tuple[str, Inlet], ...]:
        rows = [row for row in self._inlets.get(_port(address), ()) if row[0] != sender]
        # Hosts matter only if several communities name one port (see the module).
        exact = [row for row in rows if _host(row[1].address) == _host(address)]
        return tuple(exact or rows)


def _port(address: str) -> str:
    """Return the key of an address: its port, or a group's name."""
    return address.rpartition(":")[2]


def _host(address: str) -> str:
    host = address.rpartition(":")[0]
    return "localhost" if host in _LOOPBACK else host


def check_isolated(apps: Iterable[AppPlan]) -> None:
    """Check that no free run on this machine listens where an app of this lockstep run shares.

    Raises:
        ServerError: one does.
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
    """Whether a process of this machine listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
