"""Choice of the transport between the coordinator and its groups: stream sockets or ZeroMQ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steerageway.bus.core.plan import RunPlan, Transport
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.group_channel import GroupChannel, GroupListener
from steerageway.bus.transport.stream_listener import StreamListener
from steerageway.bus.transport.zmq_channel import ZmqChannel
from steerageway.bus.transport.zmq_listener import ZmqListener

_SOCKET = "apps"  # name of the socket's file in a run's folder
_SCHEMES = {Transport.STREAM: "unix", Transport.ZMQ: "ipc"}


def address_in(folder: Path, transport: Transport) -> str:
    """Return the address at which a run's own processes connect to the coordinator."""
    return f"{_SCHEMES[transport]}://{folder / _SOCKET}"


def folder_of(address: str) -> Path:
    """Return the run's folder of an address made by ``address_in``."""
    return Path(address.partition("://")[2]).parent


def connect(address: str) -> GroupChannel:
    """Connect a group to the coordinator.

    Args:
        address: "unix://PATH" for a stream socket, "ipc://PATH" or "tcp://HOST:PORT" for ZeroMQ.
    Raises:
        OSError: no process listens there.
    """
    scheme, _, path = address.partition("://")
    return Channel.connect(path) if scheme == "unix" else ZmqChannel(address)


def listen(folder: Path, plan: RunPlan) -> GroupListener[Any]:
    """Open the coordinator's end; with ZeroMQ also a TCP port, if apps are started by hand.

    Raises:
        ServerError: it cannot be opened.
    """
    path = str(folder / _SOCKET)
    if plan.transport == Transport.STREAM:
        return StreamListener(path)
    by_hand = plan.port is not None and any(app.external for app in plan.apps)
    return ZmqListener(path, plan.host, 0 if by_hand else None, plan.keys)
