"""``uFldNodeBroker``: introduces a vessel to the shore and bridges variables to it.

try_shore_host = pshare_route = localhost:9200
bridge         = src = NODE_REPORT_LOCAL, alias = NODE_REPORT
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from steerageway.apps.communication.bridges import (
    ACK,
    COMMAND,
    INFO,
    PING,
    PUBLICATIONS,
    SUMMARY,
    TRY,
    Bridge,
    Bridges,
    read_bridge,
)
from steerageway.apps.shared.routes import check_address
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.declarations import decimal
from steerageway.moos.host_record import HostRecord, read_host_record
from steerageway.moos.values import fixed, pairs, split_first

SHARED = "NODE_PSHARE_VARS"
PLAIN = Bridge("NODE_MESSAGE_LOCAL", "NODE_MESSAGE")
MEDIATED = Bridge("MEDIATED_MESSAGE_LOCAL", "MEDIATED_MESSAGE")
MEDIATOR = "pMediator"
MOST_SHORES = 20
FIRST_PING_PERIOD, PING_PERIOD = 5.0, 20.0  # seconds between pings before and after a reply
REALM = ("REALMCAST", "REALMCAST_CHANNELS", "WATCHCAST")


def read_shore(text: str) -> str:
    """Parse the address at which a shore accepts shares, ``pshare_route = HOST:PORT``.

    Raises:
        ValueError: the text has another form.
    """
    key, route = split_first(text, "=")
    try:
        if key.lower() != "pshare_route":
            raise ValueError
        return check_address(route.replace(" ", ""))
    except ValueError:
        raise ValueError("expected pshare_route = HOST:PORT") from None


@dataclass(frozen=True)
class BrokerOptions(Options):
    """Parameters of the configuration block."""

    try_shore_host: tuple[str, ...] = declare.lines(
        read_shore, "pshare_route=HOST:PORT, the input route of a possible shore", lenient=True
    )
    bridge: tuple[Bridge, ...] = declare.lines(
        read_bridge, "src=X, alias=Y: share X with the shore as Y", lenient=True
    )
    keyword: str = declare.text("", "keyword sent to the shore, which may require it")
    auto_bridge_realmcast: bool = declare.flag(True, "share the realmcasts of pRealm")
    auto_bridge_appcast: bool = declare.flag(True, "share APPCAST")
    auto_bridge_pshare_vars: bool = declare.flag(True, "share NODE_PSHARE_VARS")


@dataclass(slots=True)
class Shore:
    """A shore that is pinged.

    Attributes:
        route: its input route.
        due: time of the next ping [s]; pings, acks: counts.
        community: its name once it has replied; status: of this vessel, in its reply.
    """

    route: str
    due: float = 0.0
    pings: int = 0
    acks: int = 0
    community: str = ""
    status: str = ""


class NodeBroker(App):
    """Introduces a vessel to the shore, and has its variables bridged to it."""

    last_wins = True
    publications = (
        *PUBLICATIONS,
        *variables.published(f"""
            NODE_BROKER_PING_* | text | | | each 5 s, 20 s after a reply | host record for the shore
                of that number; bridged as `NODE_BROKER_PING`
            {SHARED} | text | | names | on each reply of a shore | variables shared with that shore
        """),
    )
    subscriptions = (variables.heard("NODE_BROKER_ACK", what="the shore's reply"),)
    subscribes: ClassVar[Sequence[str]] = (INFO, ACK, TRY, SUMMARY)
    parameters = BrokerOptions.parameters()

    def configure(self) -> None:
        options = BrokerOptions.read(self.config)
        self._keyword = options.keyword
        names: tuple[str, ...] = REALM if options.auto_bridge_realmcast else ()
        names += ("APPCAST",) if options.auto_bridge_appcast else ()
        names += (SHARED,) if options.auto_bridge_pshare_vars else ()
        self._bridges = [*options.bridge, *(Bridge(name) for name in names)]
        self._check_messages()
        self._shares = Bridges()
        self._shores: list[Shore] = []
        self._record: HostRecord | None = None
        for route in options.try_shore_host:
            self._add(route)

    def _check_messages(self) -> None:
        """Keep one of the two bridges of messages: by a mediator that confirms, or direct."""
        ways = [bridge for bridge in self._bridges if bridge in (PLAIN, MEDIATED)]
        if len(set(ways)) == 2:
            self.config_warning(f"bridge: {ways[0].source} is shared, so {ways[1].source} is not")
            self._bridges = [bridge for bridge in self._bridges if bridge != ways[1]]
        mediator = MEDIATOR in self.setting.launch_list
        if ways and (ways[0] == MEDIATED) is not mediator:
            there = "is" if mediator else "is not"
            self.config_warning(f"bridge: {ways[0].source} is shared, but {MEDIATOR} {there} there")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take host information, the shores' replies, and the summary of ``pShare``."""
        for message in mail:
            own, text = message.community == self.community, str(message.value)
            if message.name == INFO and own:
                self._record = read_host_record(text) or self._record
            elif message.name == SUMMARY and own:
                self._shares.take_summary(text)
            elif message.name == ACK and not own:
                self._take_ack(text)
            elif message.name == TRY:
                self._take_invitation(text)

    def iterate(self) -> None:
        """Ping the shores that are due, and request the bridges not confirmed yet."""
        for number, shore in enumerate(self._shores):
            if self._record is not None and self.time >= shore.due:
                shore.pings += 1
                shore.due = self.time + (PING_PERIOD if shore.acks else FIRST_PING_PERIOD)
                record = replace(
                    self._record, keyword=self._keyword, time=fixed(self.utc, 2), key=str(number)
                )
                self.post(f"{PING}_{number}", str(record))
        for command in self._shares.commands(self.time):
            self.post(COMMAND, command)

    def report(self) -> Iterable[str]:
        """Yield the shores, and the bridges not confirmed yet."""
        for shore in self._shores:
            answer = f"{shore.community} ({shore.status})" if shore.acks else "no answer"
            yield f"{shore.route}: {shore.pings} pings, {shore.acks} answers: {answer}"
        yield f"not shared yet: {', '.join(self._shares.missing) or 'nothing'}"

    def _take_invitation(self, text: str) -> None:
        """Add a shore from ``TRY_SHORE_HOST``."""
        try:
            self._add(read_shore(text))
        except ValueError as error:
            self.run_warning(f"{TRY} = {text}: {error}")

    def _add(self, route: str) -> None:
        """Add a shore to ping, unless it is known already."""
        if all(shore.route != route for shore in self._shores):
            if len(self._shores) >= MOST_SHORES:
                raise ValueError(f"expected at most {MOST_SHORES} shores")
            # Each shore has its own ping variable, bridged to that shore only.
            self._shares.request(Bridge(f"{PING}_{len(self._shores)}", PING), route)
            self._shores.append(Shore(route))

    def _take_ack(self, text: str) -> None:
        """Request all bridges to a shore that has replied, unless it rejected the keyword."""
        record, fields = read_host_record(text), dict(pairs(text))
        number = decimal(fields.get("key", ""), len(self._shores))
        if record is None or number is None:
            self.run_warning(f"{ACK} = {text}: expected a host record that answers a ping")
            return
        shore = self._shores[number]
        shore.acks += 1
        shore.community, shore.status = record.community, record.status
        if record.status.startswith("keyword"):
            self.run_warning(f"{record.community} turns us away: {record.status}")
            return
        self.post(SHARED, ",".join(dict.fromkeys(bridge.names_there for bridge in self._bridges)))
        macros = {"$V": self.community.upper(), "$v": self.community}
        for bridge in self._bridges:
            self._shares.request(bridge.expanded(macros), shore.route)
