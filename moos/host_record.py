"""Host records: one line of text that tells another community a community's host and routes.

    community=abe,hostip=localhost,port_db=9001,port_udp=9201,pshare_iroutes=localhost:9201,time=3.00

Source: MOOS-IvP's HostRecord.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from steerageway.moos.values import by_key


@dataclass(frozen=True, slots=True)
class HostRecord:
    """A community and its host; all text, "" if unknown.

    Attributes:
        community, hostip: the community, and its host.
        port_db: of its broker; port_udp: at which it receives shares.
        pshare_iroutes: all addresses at which it does, separated by ``&``.
        keyword: a word that both sides must know.
        hostip_alts: other addresses of the host.
        timewarp: the mission file's MOOSTimeWarp.
        status: its state as seen by the shore; time: of writing, UTC [s].
        key: identifies the ping that it answers.
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
        """Return it as text in MOOS-IvP's order, without unknown fields."""
        entries = ((field.name, getattr(self, field.name)) for field in fields(self))
        return ",".join(f"{name}={value}" for name, value in entries if value)

    @property
    def routes(self) -> tuple[str, ...]:
        """The addresses at which it receives shares; localhost is replaced by its host."""
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
        """The preferred one of them: with a port, rather than a group."""
        alone = [route for route in self.routes if ":" in route]
        return (alone or list(self.routes) or [""])[0]


def read_host_record(text: str) -> HostRecord | None:
    """Parse a record; None if it has no community or no routes."""
    known = {field.name for field in fields(HostRecord)}
    values = {key: value for key, value in by_key(text).items() if key in known}
    if not values.get("community") or not values.get("pshare_iroutes"):
        return None
    return HostRecord(**values)
