"""``SharingApp``: base class of apps that send messages to other communities, or receive theirs."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.app import App
from steerageway.bus.core.message import Message
from steerageway.bus.core.setting import Setting
from steerageway.bus.core.shares import OPENING, Copy, Inlet, Outlet
from steerageway.declarations.patterns import any_matches

_new = tuple.__new__  # creates a named tuple in half the time


class SharingApp(App):
    """An app between communities.

    Attributes a subclass may set, in ``configure``:
        outlets: where it may send messages from the start, and which. An exact list lets other
            communities run ahead of it.
        listens: where its community receives messages of others.
        alone: whether it neither sends nor receives, and never will; then nobody waits for it.
        calm: variables whose mail makes it do nothing for other communities before its next tick:
            no share, no registration, no new outlet.
    """

    outlets: Sequence[Outlet] = ()
    listens: Sequence[Inlet] = ()
    alone: bool = False
    calm: Sequence[str] = ()

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._bus_ways: set[tuple[str, str]] = set()

    def acts_by_itself(self) -> bool:
        """Whether its next tick may share or register something of its own accord, without mail.

        If False, it does so only upon mail of a variable that is not in ``calm``: the others may
        run ahead of it until such mail can come. It may open an outlet in any case.
        """
        return True

    def share(self, message: Message, address: str, name: str) -> None:
        """Send a message to the other communities that listen at an address.

        It is committed there at this app's instant, in its place in the order of posts, and keeps
        its time, source and community. If no community listens there, a run warning is given,
        except for a group whose only member is its own community.

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
        """Open another outlet; return the instant from which it is usable, a second from now [ns].

        Args:
            address: ``host:port`` or a group's name.
            names: the variables' names there, or patterns.
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
