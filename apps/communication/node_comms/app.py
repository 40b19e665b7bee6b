"""``uFldNodeComms``: delivers node reports and messages to the vessels within range.

It runs on the shore and receives the reports and messages of every vessel. For each recipient it
posts ``NODE_REPORT_BEN`` or ``NODE_MESSAGE_BEN``, which a bridge forwards to that vessel.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import inf
from operator import itemgetter

from steerageway.apps.communication.node_comms.acoustic import ACOUSTIC, IN_AIR, IN_WATER, Modems
from steerageway.apps.communication.node_comms.medium import GROUP, RANGE, Medium
from steerageway.apps.communication.node_comms.options import (
    CommsOptions,
    parse_factor,
    parse_share_interval,
)
from steerageway.apps.communication.node_comms.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import NANO, App, Config, Message
from steerageway.declarations import truth
from steerageway.geometry.encounter import beside
from steerageway.helm.contact import REPORTS, TIME_TOLERANCE, Contact, ContactList
from steerageway.moos.node_message import (
    ALL,
    AckMessage,
    NodeMessage,
    NodeMessageError,
    parse_ack_message,
    parse_node_message,
)
from steerageway.moos.node_report import NodeReportError, parse, write
from steerageway.moos.values import trimmed
from steerageway.moos.view import CommsPulse

MESSAGES = ("NODE_MESSAGE", "MEDIATED_MESSAGE", "ACK_MESSAGE")
REMOVAL_FACTOR = 20  # contacts are removed after this many stale times without a report
MAX_ACK_IDS = 100  # ids of acknowledged messages kept to detect repetitions
MOST_OF_POSTER = 100  # vessels; each report is compared with all others
MARGIN = 1.0  # beyond the reach of a report, within which the exact range decides [m]
SHOWN = 40  # characters of a text in a warning
Poster = tuple[str, str]  # community and app
REPORT_COLOR, MESSAGE_FILL = "orange", 0.6
INVISIBLE = ("invisible", "off")
LONG, SOON, UNKNOWN = "too long", "too soon", "sender or receiver unknown"
SENDING = "held: the modem is sending"
OF_AIR = ("UNC_COMMS_RANGE", "UNC_STEALTH", "UNC_EARANGE", "UNC_VIEW_NODE_RPT_PULSES")


class NodeComms(App):
    """Delivers node reports and messages between vessels, by range, groups, loss and delay."""

    keeps_quotes = True
    publications = PUBLICATIONS
    subscriptions = SUBSCRIPTIONS
    subscribes = (
        *(*REPORTS, *MESSAGES, "UNC_COMMS_RANGE", "UNC_STEALTH", "UNC_EARANGE", "UNC_DROP_PCT"),
        *("UNC_VIEW_NODE_RPT_PULSES", "UNC_SHARED_NODE_REPORTS"),
    )
    parameters = CommsOptions.parameters()

    def configure(self) -> None:
        self._options = CommsOptions.read(self.config)
        self._check_lines()
        self._medium = Medium(self._options, self.random("loss"))
        acoustic = self._options.acoustic
        self._modems = None
        if acoustic.medium == ACOUSTIC:
            self._modems = Modems(acoustic, self.random("ranges"), self._medium.loses)
        max_age = REMOVAL_FACTOR * self._options.stale_after
        self._ledger = ContactList("", max_age, read_datum(self.setting.globals))
        self._report_pulses = self._options.view_node_rpt_pulses
        self._share_interval = self._options.shared_node_reports
        self._commands = self._make_commands()
        self._posters: dict[str, Poster] = {}  # vessel -> who reported it first
        self._names: Counter[Poster] = Counter()  # number of their vessels
        self._fresh: dict[str, None] = {}
        self._messages: list[NodeMessage | AckMessage] = []
        self._sent: dict[tuple[str, str], float] = {}
        self._shared: dict[str, float] = {}
        self._acked: deque[str] = deque(maxlen=MAX_ACK_IDS)
        self._in_transit: deque[tuple[int, str, str]] = deque()
        self._posted: Counter[str] = Counter()
        self._rows: list[tuple[float, int, Contact]] = []

    def _check_lines(self) -> None:
        """Refuse two beacons of one name; warn of lines without effect, and of ranges."""
        medium = self._options.acoustic.medium
        idle = IN_AIR if medium == ACOUSTIC else IN_WATER
        names = [one.name for one in self._options.acoustic.beacons]
        for entry, name in zip(self.config.all("beacon"), names, strict=True):
            if names.count(name) > 1:
                raise Config.error(entry, "expected a name of its own for each beacon")
        for entry in self.config.all(*idle):
            self.config_warning(f"{entry.key} has no effect with medium = {medium}", entry.where)
        reach, near = self._options.comms_range, self._options.critical_range
        if reach < near and medium != ACOUSTIC:
            far = f"reports reach {trimmed(near)} m all the same, by critical_range"
            self.config_warning(f"comms_range = {trimmed(reach)}: {far}")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take reports, messages and changes of parameters."""
        for message in mail:
            text = str(message.value)
            try:
                if message.name in REPORTS:
                    self._take_report(message)
                elif message.name in MESSAGES:
                    self._messages.append(_parsed(message))
                    self._posted["messages heard"] += 1
                elif self._modems is not None and message.name in OF_AIR:
                    self.run_warning(f"{message.name} has no effect with medium = {ACOUSTIC}")
                else:
                    self._commands[message.name](message)
            except (NodeReportError, NodeMessageError) as error:
                self.run_warning(f"{message.name}: {error}")
            except ValueError as error:
                self.run_warning(f"{message.name} = {text[:SHOWN]}: {error}")

    def _take_report(self, message: Message) -> None:
        poster, known = (message.community, message.source), len(self._ledger)
        if self._names[poster] >= MOST_OF_POSTER:
            name = parse(str(message.value)).name
            if self._ledger.get(name) is None:
                expected = f"expected at most {MOST_OF_POSTER} vessels of one poster"
                raise NodeReportError("NAME", name[:SHOWN], expected)
        contact = self._ledger.take(str(message.value), self.utc)
        self._names[poster] += len(self._ledger) - known
        if contact is not None:
            self._posters.setdefault(contact.name.lower(), poster)
            self._fresh[contact.name.lower()] = None
            self._posted["reports heard"] += 1

    def _forget_expired(self) -> None:
        expired = self._ledger.remove_expired(self.utc)
        gone = dict.fromkeys(contact.name.lower() for contact in expired)
        if not gone:
            return
        self._names -= Counter(self._posters.pop(name) for name in gone)
        for name in gone:
            self._shared.pop(name, None)
            for kind in (NodeMessage, AckMessage):
                self._sent.pop((kind.__name__, name), None)
        self._medium.forget(gone)
        if self._modems is not None:
            self._modems.forget(gone)

    def _make_commands(self) -> dict[str, Callable[[Message], None]]:
        return {
            "UNC_COMMS_RANGE": self._set_range,
            "UNC_DROP_PCT": self._set_loss,
            "UNC_STEALTH": lambda command: _set_factor(self._medium.stealth, "stealth", command),
            "UNC_EARANGE": lambda command: _set_factor(self._medium.earange, "earange", command),
            "UNC_VIEW_NODE_RPT_PULSES": self._set_pulses,
            "UNC_SHARED_NODE_REPORTS": self._set_sharing,
        }

    def _set_range(self, command: Message) -> None:
        if not isinstance(command.value, float):
            raise ValueError("expected a range in metres; below 0: no limit")
        self._medium.range = command.value if command.value >= 0 else inf

    def _set_loss(self, command: Message) -> None:
        if not isinstance(command.value, float) or not 0 <= command.value <= 100:
            raise ValueError("expected a percentage, 0 to 100")
        self._medium.loss = command.value / 100.0

    def _set_pulses(self, command: Message) -> None:
        shown = truth(str(command.value))
        if shown is None:
            raise ValueError("expected true or false")
        self._report_pulses = shown

    def _set_sharing(self, command: Message) -> None:
        self._share_interval = parse_share_interval(str(command.value))

    def iterate(self) -> None:
        """Relay what was received since the last iteration, and post the deliveries now due."""
        self._forget_expired()
        # From west to east: most of a large fleet is out of reach by that alone.
        self._rows = sorted((contact.track.x, n, contact) for n, contact in enumerate(self._ledger))
        for name in self._fresh:
            contact = self._ledger.get(name)
            if contact is not None:
                self._relay_report(contact)
        for message in self._messages:
            why = self._relay_message(message)
            if why:
                self._posted[f"messages {why}"] += 1
        self._fresh.clear()
        self._messages.clear()
        self._deliver()
        if self._modems is not None:
            self._deliver_sound(self._modems)

    def _relay_report(self, sender: Contact) -> None:
        text, utc = write(sender.record.fields()), self.utc
        if self._modems is not None:
            self._sound_report(self._modems, sender, text)
            self._share(sender, text)
            return
        for receiver in self._near(sender):
            why = self._medium.holds_report(sender, receiver, utc)
            self._posted[f"reports held: {why}" if why else "reports passed"] += 1
            if why:
                self._post_loss(sender, receiver, why)
                continue
            self._send(f"NODE_REPORT_{receiver.name.upper()}", text)
            if self._report_pulses:
                self._draw(sender, receiver, "nrep", REPORT_COLOR, 0.35)
        self._share(sender, text)

    def _near(self, sender: Contact) -> Iterator[Contact]:
        """Yield the others as far east or west as a report may reach; count the rest as held."""
        # With a line for each report that is held, none is left out.
        reach = inf if self._options.verbose else self._medium.farthest(sender) + MARGIN
        rows, x = self._rows, sender.track.x
        near = beside(rows, x, reach)
        if len(near) < len(rows):
            self._posted[f"reports held: {RANGE}"] += len(rows) - len(near)
        in_order = sorted(near, key=itemgetter(1))
        return (receiver for _, _, receiver in in_order if receiver is not sender)

    def _share(self, sender: Contact, text: str) -> None:
        since = self.utc - self._shared.get(sender.name.lower(), -inf)
        if self._share_interval < inf and since >= self._share_interval - TIME_TOLERANCE:
            self._shared[sender.name.lower()] = self.utc
            self.post("NODE_REPORT_UNC", text)

    def _post_loss(self, sender: Contact, receiver: Contact, why: str) -> None:
        if self._options.verbose:
            self.event(f"report of {sender.name} not passed to {receiver.name}: {why}")

    def _relay_message(self, message: NodeMessage | AckMessage) -> str:
        """Relay a message; return why not, or "" if it had a recipient, in range or not."""
        sender = self._ledger.get(message.source)
        if sender is None:
            return UNKNOWN
        if 0 < self._options.max_msg_length < _length(message):
            return LONG
        # Messages and acknowledgements have separate intervals.
        kind = (message.__class__.__name__, sender.name.lower())
        since = self.utc - self._sent.get(kind, -inf)
        if since < self._options.min_msg_interval - TIME_TOLERANCE:
            return SOON
        self._sent[kind] = self.utc
        receivers = _receivers_of(message, sender, self._ledger)
        if self._modems is not None:
            return self._sound_message(self._modems, message, sender, receivers)
        reached = []
        for receiver in receivers:
            why = self._medium.holds_message(sender, receiver, self.utc)
            self._posted[f"messages held: {why}" if why else "messages passed"] += 1
            if not why:
                reached.append(receiver)
        self._pass_on(message, sender, reached)
        return "" if receivers else UNKNOWN

    def _sound_report(self, modems: Modems, sender: Contact, text: str) -> None:
        """Send a report as a packet, when it is the vessel's turn."""
        fleet = list(self._ledger)
        if not modems.may_report(sender, fleet, self.time):
            return
        others = [other for other in fleet if other is not sender]
        own = sender.record.group.lower()
        payload = {
            other.name: (f"NODE_REPORT_{other.name.upper()}", text)
            for other in others
            if not self._options.groups or other.record.group.lower() == own
        }
        sent = modems.send(sender, others, payload, self.time)
        self._posted["reports sent" if sent else "reports held: sending"] += 1

    def _sound_message(
        self,
        modems: Modems,
        message: NodeMessage | AckMessage,
        sender: Contact,
        receivers: Sequence[Contact],
    ) -> str:
        """Send a message as a packet; return why not, or ""."""
        if isinstance(message, AckMessage):
            kind = "ACK_MESSAGE"
        else:
            kind = "MEDIATED_MESSAGE" if message.wants_ack else "NODE_MESSAGE"
        text, own = message.text(), sender.record.group.lower()
        payload = {
            other.name: (f"{kind}_{other.name.upper()}", text)
            for other in receivers
            if not self._options.msg_groups or other.record.group.lower() == own
        }
        if not payload:
            return GROUP if receivers else UNKNOWN
        others = [other for other in self._ledger if other is not sender]
        return "" if modems.send(sender, others, payload, self.time, len(text)) else SENDING

    def _deliver_sound(self, modems: Modems) -> None:
        """Post what has arrived, and the ranges that the modems measured."""
        fleet = {contact.name: contact for contact in self._ledger}
        for arrival in modems.deliveries(fleet, self.time):
            why, receiver = arrival.why, arrival.receiver.upper()
            self._posted[f"packets lost: {why}" if why else "packets received"] += 1
            if why:
                if self._options.verbose:
                    self.event(f"{arrival.receiver} lost a packet of {arrival.sender}: {why}")
                continue
            if arrival.payload is not None:
                self.post(*arrival.payload)
            named = {"ACOUSTIC_RANGE": arrival.measured, "ACOUSTIC_FIX": arrival.fix}
            for name, text in named.items():
                if text:
                    self.post(f"{name}_{receiver}", f"{text},time={trimmed(self.utc, 3)}")

    def _pass_on(
        self, message: NodeMessage | AckMessage, sender: Contact, reached: Sequence[Contact]
    ) -> None:
        text = message.text()
        if isinstance(message, AckMessage):
            for receiver in reached:
                self._send(f"ACK_MESSAGE_{receiver.name.upper()}", text)
            return
        kind = "MEDIATED_MESSAGE" if message.wants_ack else "NODE_MESSAGE"
        color = self._color(message)
        for receiver in reached:
            self._send(f"{kind}_{receiver.name.upper()}", text)
            self._draw(sender, receiver, "msg", color, MESSAGE_FILL)
        if message.ack_id and reached:
            self._acked.append(message.ack_id)

    def _color(self, message: NodeMessage) -> str:
        if message.ack_id and message.ack_id in self._acked:
            return self._options.msg_repeat_color
        return message.color or self._options.msg_color

    def _send(self, variable: str, text: str) -> None:
        due = self.instant + round(self._options.comms_delay * NANO)
        self._in_transit.append((due, variable, text))

    def _deliver(self) -> None:
        # The delay is constant, so messages are in the order of their delivery.
        while self._in_transit and self._in_transit[0][0] <= self.instant:
            _, variable, text = self._in_transit.popleft()
            self.post(variable, text)

    def _draw(self, sender: Contact, receiver: Contact, kind: str, color: str, fill: float) -> None:
        duration = self._options.pulse_duration
        if duration <= 0 or color.lower() in INVISIBLE:
            return
        label = f"{sender.name.upper()}2{receiver.name.upper()}"
        if kind == "msg":
            label += color
        pulse = CommsPulse(
            sender.track[:2], receiver.track[:2], label, kind, color, fill, self.utc, duration
        )
        self.post("VIEW_COMMS_PULSE", pulse.text())

    def report(self) -> Iterable[str]:
        """Return the counts, and the age of each vessel's latest report."""
        counts = (f"{what}: {count}" for what, count in self._posted.items())
        ages = (f"{c.name}: heard {self.utc - c.received:.1f} s ago" for c in self._ledger)
        return chain(counts, ages, (f"under way: {len(self._in_transit)}",))


def _parsed(message: Message) -> NodeMessage | AckMessage:
    text = str(message.value)
    if message.name == "ACK_MESSAGE":
        return parse_ack_message(text)
    return parse_node_message(text, app=message.source)


def _set_factor(factors: dict[str, float], key: str, command: Message) -> None:
    vessel, factor = parse_factor(str(command.value), key)
    factors[vessel] = factor


def _receivers_of(
    message: NodeMessage | AckMessage, sender: Contact, contacts: Iterable[Contact]
) -> list[Contact]:
    """Return the recipients of a message among the known contacts.

    A group restricts "all"; in addition to names it adds its members. A sender is no recipient.
    """
    others = [contact for contact in contacts if contact is not sender]
    if isinstance(message, AckMessage):
        return [contact for contact in others if contact.name.lower() == message.to.lower()]
    names, group = message.addressees, message.group.lower()
    if group == ALL or (ALL in names and not group):
        return others
    return [
        contact
        for contact in others
        if contact.name.lower() in names or (group and contact.record.group.lower() == group)
    ]


def _length(message: NodeMessage | AckMessage) -> int:
    """Return the number of characters of a message's text."""
    if isinstance(message, NodeMessage) and isinstance(message.value, str):
        return len(message.value)
    return 0
