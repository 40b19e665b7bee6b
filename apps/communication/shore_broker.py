"""``uFldShoreBroker``: accepts vessels and bridges variables to them.

qbridge = DEPLOY, RETURN                      // DEPLOY_ALL and DEPLOY_ABE go to abe as DEPLOY
bridge  = src = UP_LOITER_$N, alias = UP_LOITER
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
from steerageway.apps.shared.routes import RouteError, check_address
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.declarations import words_of
from steerageway.moos.host_record import HostRecord, read_host_record
from steerageway.moos.values import fixed, split_first

ACK_INTERVAL = 5.0  # seconds between two replies to a vessel
MEMORY = 20.0  # seconds after a ping in which it is replied to
STALE = 45.0  # seconds after a ping until a vessel is stale: two pings after a reply
COUNT_INTERVAL = 30.0  # seconds after which the number of vessels is posted again
TRY_INTERVAL = 10.0  # seconds between invitations
PORT = 9200  # input port of a vessel whose address has none


def read_names(text: str) -> list[str]:
    """Parse names of variables, separated by commas.

    Raises:
        ValueError: there is no name, or one with a blank.
    """
    names = words_of(text)
    if not names or any(" " in name for name in names):
        raise ValueError("expected names of variables, separated by commas")
    return names


def read_vessel(text: str) -> str:
    """Parse a vessel's input route, ``HOST`` or ``HOST:PORT``, with or without ``route =``.

    Raises:
        RouteError: the text has another form.
    """
    key, route = split_first(text.replace(" ", ""), "=")
    address = route if key.lower() == "route" else text.replace(" ", "")
    is_whole = ":" in address or address.startswith("multicast_")
    return check_address(address if is_whole else f"{address}:{PORT}")


@dataclass(frozen=True)
class BrokerOptions(Options):
    """Parameters of the configuration block."""

    bridge: tuple[Bridge, ...] = declare.lines(
        read_bridge,
        "src=X, alias=Y: share X with every vessel as Y; $V, $v, $N: its name in capitals, "
        "its name, its number",
        lenient=True,
    )
    qbridge: tuple[list[str], ...] = declare.lines(
        read_names, "X, Y: share X_ALL and X_$V with every vessel as X", lenient=True
    )
    try_vnode: tuple[str, ...] = declare.lines(read_vessel, "HOST[:9200] of a vessel to invite")
    keyword: str = declare.text("", "keyword that a vessel must send")
    warning_on_stale: bool = declare.flag(
        False, "true: a run warning for each vessel without pings"
    )
    auto_bridge_realmcast: bool = declare.flag(True, "share REALMCAST_REQ")
    auto_bridge_appcast: bool = declare.flag(True, "share APPCAST_REQ")
    auto_bridge_mhash: bool = declare.flag(True, "share MISSION_HASH")


@dataclass(slots=True)
class Node:
    """A vessel that has introduced itself.

    Attributes:
        record: its host record; status: in replies to it.
        pinged, acked: times of its last ping, and of the last reply [s].
        pings: their number; stale: whether the last one is long ago.
    """

    record: HostRecord
    status: str
    pinged: float
    acked: float = -ACK_INTERVAL
    pings: int = 1
    stale: bool = False


class ShoreBroker(App):
    """Accepts vessels that introduce themselves, and has variables bridged to them."""

    last_wins = True
    publications = (
        *PUBLICATIONS,
        *variables.published("""
            NODE_BROKER_ACK_* | text | | | each 5 s after a ping | the shore's host record with
                `status=ok`; bridged as `NODE_BROKER_ACK`
            NODE_BROKER_VACK | text | | name | as `NODE_BROKER_ACK_*` | vessel that was replied to
            UFSB_NODE_COUNT | number | | >= 0 | on change, each 30 s | number of vessels that have
                introduced themselves
            UFSB_QBRIDGE_VARS | text | | names | once | variables shared by `qbridge`
            UFSB_BRIDGE_VARS | text | | names | once | all shared variables, macros not expanded
            TRY_SHORE_HOST | text | | `pshare_route=localhost:9200` | each 10 s, with `try_vnode` |
                an invitation for vessels
        """),
    )
    subscriptions = (
        variables.heard("NODE_BROKER_PING", what="a vessel's host record, from its uFldNodeBroker"),
    )
    subscribes: ClassVar[Sequence[str]] = (PING, INFO, SUMMARY)
    parameters = BrokerOptions.parameters()

    def configure(self) -> None:
        options = BrokerOptions.read(self.config)
        self._keyword, self._warns = options.keyword, options.warning_on_stale
        self._bridges = [Bridge(f"{ACK}_$V", ACK), *options.bridge]
        self._quick_names = [name for names in options.qbridge for name in names]
        self._quick_names += ["REALMCAST_REQ"] if options.auto_bridge_realmcast else []
        self._quick_names += ["APPCAST_REQ"] if options.auto_bridge_appcast else []
        for name in dict.fromkeys(self._quick_names):
            self._bridges += [Bridge(f"{name}_ALL", name), Bridge(f"{name}_$V", name)]
        if options.auto_bridge_mhash:
            self._bridges.append(Bridge("MISSION_HASH"))
        self._invitations = options.try_vnode
        self._warp = self.setting.globals.text("MOOSTimeWarp", default="1")
        self._shares = Bridges()
        self._nodes: dict[str, Node] = {}
        self._record: HostRecord | None = None
        self._count_due = self._try_due = 0.0

    def on_start(self) -> None:
        """Register, post the shared variables, and invite vessels."""
        super().on_start()
        self.post("UFSB_QBRIDGE_VARS", ",".join(sorted(set(self._quick_names))))
        self.post("UFSB_BRIDGE_VARS", ",".join(sorted({b.source for b in self._bridges})))
        for route in self._invitations:
            self._shares.request(Bridge(TRY), route)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take pings, host information, and the summary of ``pShare``."""
        for message in mail:
            own, text = message.community == self.community, str(message.value)
            if message.name == PING and not own:
                self._take_ping(text)
            elif message.name == INFO and own:
                self._record = read_host_record(text) or self._record
            elif message.name == SUMMARY and own:
                self._shares.take_summary(text)

    def iterate(self) -> None:
        """Reply, invite, count, and request the bridges not confirmed yet."""
        for command in self._shares.commands(self.time):
            self.post(COMMAND, command)
        for node in self._nodes.values():
            self._reply(node)
            self._update_staleness(node)
        if self.time >= self._count_due:
            self._count_due = self.time + COUNT_INTERVAL
            self.post("UFSB_NODE_COUNT", len(self._nodes))
        if self._invitations and self._record is not None and self.time >= self._try_due:
            self._try_due = self.time + TRY_INTERVAL
            self.post(TRY, f"pshare_route={self._record.route}")

    def report(self) -> Iterable[str]:
        """Yield the vessels, and the bridges not confirmed yet."""
        for name, node in self._nodes.items():
            text = (
                f"{node.pings} pings, the last {self.time - node.pinged:.1f} s ago, {node.status}"
            )
            yield f"{name} at {node.record.route}: {text}"
        yield f"not shared yet: {', '.join(self._shares.missing) or 'nothing'}"

    def _take_ping(self, text: str) -> None:
        """Take a ping; request the bridges to a vessel that is new or has a new address."""
        record = read_host_record(text)
        if record is None:
            self.run_warning(f"{PING} = {text}: expected a host record")
            return
        status = self._status(record)
        node = self._nodes.get(record.community)
        if node is None:
            self._nodes[record.community] = Node(record, status, self.time)
            self._count_due = self.time
            self.event(f"New node: {record.community}")
        else:
            node.record, node.status, node.pinged = record, status, self.time
            node.pings += 1
        number = list(self._nodes).index(record.community) + 1
        macros = {"$V": record.community.upper(), "$v": record.community, "$N": str(number)}
        # A rejected vessel still gets the reply, which is the first bridge.
        answers = self._bridges[:1] if status.startswith("keyword") else self._bridges
        try:
            for bridge in answers:
                self._shares.request(bridge.expanded(macros), record.route)
        except RouteError as error:
            self.run_warning(f"{PING} = {text}: pshare_iroutes: {error}")

    def _status(self, record: HostRecord) -> str:
        if self._keyword and record.keyword != self._keyword:
            return "keyword_mismatch"
        if record.timewarp != self._warp:
            return f"timewarp ({self._warp}!={record.timewarp})"
        return "ok"

    def _reply(self, node: Node) -> None:
        now = self.time
        silent, pending = now - node.pinged > MEMORY, now - node.acked < ACK_INTERVAL
        if self._record is None or silent or pending:
            return
        node.acked = now
        record = replace(
            self._record, status=node.status, time=fixed(self.utc, 2), key=node.record.key
        )
        self.post(f"{ACK}_{node.record.community.upper()}", str(record))
        self.post("NODE_BROKER_VACK", node.record.community)

    def _update_staleness(self, node: Node) -> None:
        node.stale = self.time - node.pinged > STALE
        warning = f"Node {node.record.community} is stale."
        if node.stale and self._warns and warning not in self.run_warnings:
            self.run_warning(warning)
        elif not node.stale:
            self.retract_run_warning(warning)
