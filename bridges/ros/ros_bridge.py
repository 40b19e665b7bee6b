"""``pRosBridge``: the rosbridge protocol over WebSocket, for ROS web pages and ``roslibpy``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.bridges.ros.app import RosApp
from steerageway.bridges.ros.options import RosOptions
from steerageway.bridges.ros.transport import Transport
from steerageway.bridges.ros.websocket import WebSocket
from steerageway.bus import declare


@dataclass(frozen=True)
class RosBridgeOptions(RosOptions):
    """Parameters of the configuration block."""

    port: int = declare.whole(9090, "port, of this machine only", low=1, high=65535)
    token: str = declare.word(
        "", "what the path of the address must be (default: made by chance, and printed)"
    )
    origin: Sequence[str] = declare.lines(
        str.strip, "web site whose pages may connect, as http://localhost:8000"
    )


class RosBridge(RosApp):
    """Serves web pages of ROS: publishes the vessel's state, takes commands."""

    kind = RosBridgeOptions
    parameters = RosBridgeOptions.parameters()
    _options: RosBridgeOptions

    def connect(self) -> Transport:
        """Listen at the port."""
        own = self._options
        server = WebSocket(own.port, own.token, own.origin)
        if not own.token:
            print(f"{self.name}: {server.address}", file=sys.stderr, flush=True)
        return server
