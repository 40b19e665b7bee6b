"""``Transport``: what carries messages of ROS 2 between a run and other programs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from rosbags.serde import SerdeError

from steerageway.bridges.links import Counts
from steerageway.bridges.ros.messages import STORE

LONGEST = 16 * 1024 * 1024  # bytes of a message that comes in

Take = Callable[[Any], None]
Answer = Callable[[Any], Any]


class Transport(ABC):
    """A way to other programs; none of its calls waits for them.

    Messages that come in, and requests, are given to the callables in threads of the transport.

    Attributes:
        name: as users know it.
        troubles: what went wrong -> how often.
    """

    name: str

    def __init__(self) -> None:
        self.troubles = Counts()

    @abstractmethod
    def publish(self, topic: str, kind: str, content: Any, *, latched: bool = False) -> None:
        """Send a message; a latched one also to those who subscribe later."""

    @abstractmethod
    def subscribe(self, topic: str, kind: str, take: Take) -> None:
        """Take the messages of a topic."""

    @abstractmethod
    def serve(self, name: str, kind: str, answer: Answer) -> None:
        """Answer requests to a service, as ``std_srvs/srv/Trigger``."""

    @abstractmethod
    def close(self) -> None:
        """Close it; closing again does nothing."""

    def decoded(self, topic: str, kind: str, data: bytes) -> Any:
        """Return the message in CDR bytes; None, and a trouble, if they contain none."""
        if len(data) <= LONGEST:
            try:
                return STORE.deserialize_cdr(data, kind)
            except (SerdeError, IndexError, OverflowError, MemoryError):
                pass
        self.troubles[f"{topic}: a message that is no {kind}"] += 1
        return None


def dds_name(kind: str) -> str:
    """Return the name by which DDS and Zenoh know a type: ``std_msgs::msg::dds_::String_``."""
    package, group, name = kind.split("/")
    return f"{package}::{group}::dds_::{name}_"


def encoded(kind: str, content: Any) -> bytes:
    """Return a message as CDR, little-endian, with its header of four bytes."""
    return bytes(STORE.serialize_cdr(content, kind, little_endian=True))
