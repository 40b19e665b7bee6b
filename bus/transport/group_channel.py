"""The channel between the coordinator and the processes of its groups: one interface, two ends.

A group's process holds a ``GroupChannel``, the coordinator one ``GroupListener`` for all of them.
Two transports implement both: ``stream`` by a Unix stream socket a group, ``zmq`` by ZeroMQ (ROUTER
and DEALER). ``transports`` chooses; whoever uses a channel cannot tell which it is.

What holds for each of them: frames come whole, in the order in which they were sent, none is lost
while both processes live, and those that a process sent before it ended come before the word that
it is gone. A group that sends more than is read waits; the coordinator never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

Frame = tuple[Any, ...]
"""What is sent at once: its kind, and what belongs to it."""

Peer = TypeVar("Peer")
"""Stands for a connected process at the coordinator's end; hashable."""


class GroupChannel(Protocol):
    """A group's end.

    Attributes:
        closed: whether the coordinator is gone.
    """

    closed: bool

    def send(self, *parts: Any) -> None:
        """Send a frame, waiting for room; does nothing once the coordinator is gone."""

    def readable(self) -> bool:
        """Whether there is something to read; costs less than a ``receive`` that finds nothing."""

    def receive(self, *, wait: bool = False) -> list[Frame]:
        """Return the frames that have come; none when the coordinator is gone."""

    def frames(self, wait: Wait = ...) -> Iterator[Frame]:
        """Return frames as they come, until the coordinator is gone; who stops, may go on later.

        Args:
            wait: gives the next ones: blocking until they come, or spinning (``SpinWait``).
        """

    def close(self) -> None:
        """Close this end, once; what was sent still goes out."""


class GroupListener(Protocol[Peer]):
    """The coordinator's end of the channels to all groups.

    Attributes:
        apps_at: where apps that are started by hand connect: an address as ``transports.connect``
            takes it, "tcp://*:PORT" for a port of the host that the broker is at; "" for nowhere.
    """

    apps_at: str

    def receive(
        self, timeout: float, awaited: Peer | None = None
    ) -> Sequence[tuple[Peer, Frame | None]]:
        """Wait for frames; give those that have come, and from whom.

        Args:
            timeout: wall seconds to wait for the first.
            awaited: whose answer is wanted most.
        Returns: None in place of a frame says that its process has left.
        """

    def send(self, peer: Peer, *parts: Any) -> None:
        """Send a frame without waiting: what there is no room for now goes out later."""

    def is_local(self, peer: Peer) -> bool:
        """Whether a peer came through a file of this user, rather than by TCP as anybody may."""

    def close(self) -> None:
        """Close every channel; who reads late may find only the end."""


Wait = Callable[[GroupChannel], list[Frame]]


def blocking(channel: GroupChannel) -> list[Frame]:
    """Return the next frames of a channel, sleeping until they come."""
    return channel.receive(wait=True)
