"""Interfaces of the channel between the coordinator and the processes of its groups.

A group's process holds a ``GroupChannel``, the coordinator one ``GroupListener`` for all of them.
Two transports implement both: ``stream`` with a Unix stream socket for each group, ``zmq`` with
ZeroMQ (ROUTER and DEALER). ``transports`` chooses; their users cannot tell which it is.

Each guarantees: frames arrive whole and in order, none is lost while both processes live, and those
that a process sent before it ended arrive before the notice that it is gone. A group that sends
more than is read waits; the coordinator never does, so that the two cannot wait for each other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

Frame = tuple[Any, ...]
"""What is sent at once: its kind, and its contents."""

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
        """Return the frames that have arrived; none when the coordinator is gone."""

    def frames(self, wait: Wait = ...) -> Iterator[Frame]:
        """Yield frames until the coordinator is gone; a new call continues where the last stopped.

        Args:
            wait: returns the next frames: blocking until they come, or spinning (``SpinWait``).
        """

    def close(self) -> None:
        """Close this end, once; what was sent still goes out."""


class GroupListener(Protocol[Peer]):
    """The coordinator's end of the channels to all groups.

    Attributes:
        apps_at: where apps that are started by hand connect: an address for ``transports.connect``,
            "tcp://*:PORT" for a port of the broker's host; "" if they cannot.
    """

    apps_at: str

    def receive(
        self, timeout: float, awaited: Peer | None = None
    ) -> Sequence[tuple[Peer, Frame | None]]:
        """Wait for frames; return those that have arrived, each with its sender.

        Args:
            timeout: wall seconds to wait for the first.
            awaited: whose answer is needed most.
        Returns: None in place of a frame means that its process has left.
        """

    def send(self, peer: Peer, *parts: Any) -> None:
        """Send a frame without waiting: what there is no room for now is sent later."""

    def is_local(self, peer: Peer) -> bool:
        """Whether a peer connected through a file of this user, not by TCP as anybody may."""

    def close(self) -> None:
        """Close every channel; a process that reads late may find only the end."""


Wait = Callable[[GroupChannel], list[Frame]]


def blocking(channel: GroupChannel) -> list[Frame]:
    """Return the next frames of a channel, sleeping until they come."""
    return channel.receive(wait=True)


def frames_of(channel: GroupChannel, unread: deque[Frame], wait: Wait) -> Iterator[Frame]:
    """Yield a channel's frames until its other end is gone; see ``GroupChannel.frames``.

    ``unread`` belongs to the channel: frames read but not yielded stay there for the next call.
    """
    while unread or not channel.closed:
        if unread:
            yield unread.popleft()
        else:
            unread += wait(channel)
