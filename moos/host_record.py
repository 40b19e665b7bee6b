"""How a community introduces itself to another: who it is and where it listens, as one line.

    community=abe,hostip=localhost,port_db=9001,port_udp=9201,pshare_iroutes=localhost:9201,time=3.00

Source: MOOS-IvP's HostRecord.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from steerageway.moos.values import by_key


@dataclass(frozen=True, slots=True)
class HostRecord:
    """A community and its host, all as text; "" for what is not told.

    Attributes:
        community, hostip: who, and on which host.
        port_db: of its broker; port_udp: where its shares come in.
        pshare_iroutes: all places where they do, with ``&`` between.
        keyword: a word that both sides must know.
        hostip_alts: other addresses of the host.
        timewarp: the mission file's MOOSTimeWarp.
        status: what the shore thinks of it; time: when it was written, UTC [s].
        key: which of several pings it answers.
    """

    community: str
    hostip: str = ""
    port_db: str = ""
    port_udp: str = ""
    pshare_iroutes: str = ""
    keyword: str = ""
    hostip_alts: str = ""
    timewarp: str = ""
    status: str = ""
    time: str = ""
    key: str = ""

    def __str__(self) -> str:
        """Write it in MOOS-IvP's order, without what is not told."""
        entries = ((field.name, getattr(self, field.name)) for field in fields(self))
        return ",".join(f"{name}={value}" for name, value in entries if value)

    @property
    def routes(self) -> tuple[str, ...]:
        """The places where its shares come in; on its host, whatever it calls itself."""
        found = (route.strip() for route in self.pshare_iroutes.split("&"))
        host = self.hostip or "localhost"
        return tuple(
            f"{host}:{route.removeprefix('localhost:')}"
            if route.startswith("localhost:")
            else route
            for route in found
            if route
        )

    @property
    def route(self) -> str:
        """The one of them to be used: a host's port rather than a group's."""
        alone = [route for route in self.routes if ":" in route]
        return (alone or list(self.routes) or [""])[0]


def read_host_record(text: str) -> HostRecord | None:
    """Read a record; None when it does not name a community and where it listens."""
    known = {field.name for field in fields(HostRecord)}
    values = {key: value for key, value in by_key(text).items() if key in known}
    if not values.get("community") or not values.get("pshare_iroutes"):
        return None
    return HostRecord(**values)
