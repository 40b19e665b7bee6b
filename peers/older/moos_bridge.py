"""``pMOOSBridge``: shares variables with other communities as MOOS did before pShare.

    SHARE = [DEPLOY_VH1,RETURN] -> vehicle1 @ localhost:9001 [DEPLOY]
    UDPSHARE = [NODE_REPORT_LOCAL] -> shoreside @ localhost:9200 [NODE_REPORT]
    UDPListen = 9201

The port of a SHARE is the other community's ServerPort, that of a UDPSHARE its UDPListen. MOOS's
bridge connects to any MOOSDB; here each community that takes part has a bridge.
Source: MOOSBridge.cpp of MOOS's essentials.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import zip_longest

from steerageway.apps.communication.share import Share
from steerageway.apps.shared.routes import Output, RouteError, check_address
from steerageway.bus import Inlet, Options, declare
from steerageway.declarations import words_of

_LINE = re.compile(r"([^\[\]]*)\[([^\]]*)\]\s*->\s*([^\[\]@]+)@([^\[\]]+?)(?:\[([^\]]*)\])?\s*")
_EXPECTED = "[VAR,..] -> COMMUNITY @ HOST:PORT [NAME_THERE,..]"


def read_share(text: str) -> tuple[str, list[Output]]:
    """Parse the value of a ``SHARE`` line.

    Returns:
        The source as it is named, "" for this community, and what is forwarded.
    Raises:
        RouteError: it is none.
    """
    if (found := _LINE.fullmatch(text.strip())) is None:
        raise RouteError(f"expected {_EXPECTED}")
    source, variables, community, address, there = found.groups()
    host, _, port = address.partition(":")
    if host.strip().lower() == "broadcast" or community.strip().lower() == "all":
        host = "localhost"  # where it reaches the one that listens at this port
    where = check_address(f"{host.strip()}:{port.strip()}")
    names = words_of(variables)
    if not names:
        raise RouteError(f"expected {_EXPECTED}")
    pairs = zip_longest(names, words_of(there or "")[: len(names)], fillvalue="")
    return source.strip(), [Output(name, where, target=other) for name, other in pairs]


def _outputs(text: str) -> list[Output]:
    source, outputs = read_share(text)
    if source:
        raise RouteError(f"expected this line, without {source}, in the bridge of that community")
    return outputs


@dataclass(frozen=True)
class BridgeOptions(Options):
    """Parameters of the configuration block."""

    share: tuple[list[Output], ...] = declare.lines(
        _outputs, f"{_EXPECTED}, PORT its ServerPort", name="SHARE", lenient=True
    )
    udp_share: tuple[list[Output], ...] = declare.lines(
        _outputs, f"{_EXPECTED}, PORT its UDPListen", name="UDPSHARE", lenient=True
    )
    udp_listen: int = declare.whole(
        0, "port at which UDPSHARE of others arrive; 0: none", low=0, high=65535, name="UDPListen"
    )
    frequency: float = declare.number(
        20, "most messages of a variable a second; 0: all", unit="Hz", low=0, name="BridgeFrequency"
    )


class MoosBridge(Share):
    """Forwards variables to other communities' bridges."""

    subscriptions = ()
    parameters = BridgeOptions.parameters()

    def configure(self) -> None:
        options = BridgeOptions.read(self.config)
        interval = 1 / options.frequency if options.frequency else 0.0
        port = self.setting.globals.text("ServerPort", default="9000")
        own = [f"localhost:{one}" for one in (port, options.udp_listen) if one]
        outputs = [
            replace(output, interval=interval)
            for line in (*options.share, *options.udp_share)
            for output in line
            if output.address not in own  # as without LOOPBACK
        ]
        self.begin(outputs, map(Inlet, own))
