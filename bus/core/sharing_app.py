"""``SharingApp``: an app that hands messages on to other communities, or lets theirs in."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.app import App
from steerageway.bus.core.message import Message
from steerageway.bus.core.patterns import any_matches
from steerageway.bus.core.setting import Setting
from steerageway.bus.core.shares import OPENING, Copy, Inlet, Outlet

_new = tuple.__new__  # makes a named tuple in half the time


class SharingApp(App):
    """An app between communities.

    Attributes a subclass may set, in ``configure``:
        outlets: where it may hand messages on to from the start, as what. An exact list lets other
            communities run ahead of it.
        listens: where its community takes in what others hand on.
        alone: whether it neither hands anything on nor lets anything in, and never will: nobody
            waits for it then.
        calm: variables whose mail makes it do nothing for other communities before its next tick:
            hand nothing on, register nothing, open no outlet.
    """

    outlets: Sequence[Outlet] = ()
    listens: Sequence[Inlet] = ()
    alone: bool = False
    calm: Sequence[str] = ()

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._bus_ways: set[tuple[str, str]] = set()

    def acts_by_itself(self) -> bool:
        """Whether its next tick may hand something on, or register something, unasked.

        An app that says no does so only with mail, and what it is calm at is no such mail; an
        outlet it may open all the same. The others then run ahead of it until such mail can come.
        """
        return True

    def share(self, message: Message, address: str, name: str) -> None:
        """Hand a message on to the other communities that listen at an address.

        There it is committed at this app's instant, in its place in the order of posts, and keeps
        its time, source and community. Where nobody listens, a run warning says so, unless it is
        a group that its own community is in.

        Args:
            message: as it was received.
            address: ``host:port`` or a group's name, see ``bus.core.shares``.
            name: the variable's name there.
        """
        _, value, time, source, aux, community, _ = message
        if (address, name) not in self._bus_ways and not self._bus_may_share(address, name):
            return
        row = (address, name, value, time, source, aux, community)
        self._bus_copies.append(_new(Copy, row))

    def open_outlet(self, address: str, *names: str) -> int:
        """Open another outlet, to be used from an instant on that is given, a second from now [ns].

        Args:
            address: ``host:port`` or a group's name.
            names: what variables may be called there, by name or pattern.
        """
        since = self.instant + OPENING
        self.outlets = (*self.outlets, Outlet(address, names, since))
        return since

    def _bus_may_share(self, address: str, name: str) -> bool:
        for outlet in self.outlets:
            covered = any_matches(outlet.names, name)
            if outlet.address == address and outlet.since <= self.instant and covered:
                self._bus_ways.add((address, name))
                return True
        self._bus_refuse(f"{name}: no outlet to {address} is open for it, not handed on")
        return False
