"""The medium ``acoustic``: packets of sound between modems, and the ranges that these measure.

Beacons at known places answer reports (a long baseline, LBL): of the ranges a vessel has a fix.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from random import Random
from typing import NamedTuple

from steerageway.bus import Options, declare
from steerageway.declarations import all_finite
from steerageway.geometry.marine import angle360, bearing
from steerageway.helm.contact import Contact
from steerageway.moos.values import by_key, trimmed
from steerageway.vessel.long_baseline import fix
from steerageway.world.acoustics import Link, Place, SoundSpeed, slant, travel_time

AIR, ACOUSTIC = "air", "acoustic"
BITS = 8
REPLY_BYTES = 1


class Beacon(NamedTuple):
    """A modem at a known place, which answers reports."""

    name: str
    place: Place

    @property
    def station(self) -> str:
        """Its name among those of vessels, none of which contains a blank."""
        return f"beacon {self.name}"


def parse_beacon(text: str) -> Beacon:
    """Read ``name=north, x=0, y=100, depth=30`` [m].

    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    place = all_finite(fields.get(key, "") for key in ("x", "y", "depth"))
    name = fields.get("name", "")
    if len(fields) != 4 or not name.isidentifier() or place is None:
        raise ValueError("expected name=north, x=0, y=100, depth=30, in metres")
    x, y, depth = place
    return Beacon(name, (x, y, depth))


@dataclass(frozen=True)
class AcousticOptions(Options):
    """Parameters of the medium ``acoustic``."""

    medium: str = declare.choice(
        AIR, {AIR: "", ACOUSTIC: "packets of sound in water"}, "what carries reports and messages"
    )
    sound_speed: SoundSpeed = declare.value(
        "1500", SoundSpeed.read, "speed of sound [m/s], or depth:speed, as 0:1520, 50:1490"
    )
    source_level: float = declare.number(180, "level of a modem [dB re 1 uPa at 1 m]")
    noise_level: float = declare.number(90, "noise in the modem's band [dB re 1 uPa]")
    frequency: float = declare.number(25, "centre of the modem's band", unit="kHz", above=0)
    spreading: float = declare.number(
        20, "spreading loss per decade of range: 20 spherical, 10 cylindrical", unit="dB", above=0
    )
    snr_needed: float = declare.number(10, "ratio to the noise that a modem needs", unit="dB")
    bit_rate: float = declare.number(1000, "bits per second of a packet", unit="bit/s", above=0)
    report_bytes: int = declare.whole(32, "length of a node report as a packet", low=1)
    report_slot: float = declare.number(
        5, "the vessels send reports in turn, each at the begin of a slot", unit="s", above=0
    )
    usbl: tuple[str, ...] = declare.words("", "vessels whose modems measure bearings, too")
    beacons: tuple[Beacon, ...] = declare.lines(
        parse_beacon,
        "name=N,x=X,y=Y,depth=D: a modem that answers each report; three or more give fixes",
        name="beacon",
    )
    turnaround: float = declare.number(
        0.5,
        "the first beacon answers after this time, each other one so much later",
        unit="s",
        low=0,
    )
    modem_sound_speed: float = declare.number(
        1500, "speed of sound that modems assume for ranges", unit="m/s", above=0
    )
    range_sigma: float = declare.number(0, "standard deviation of ranges", unit="m", low=0)
    bearing_sigma: float = declare.number(
        0, "standard deviation of a USBL's bearings and elevations", unit="deg", low=0
    )


@dataclass(frozen=True)
class Arrival:
    """A packet at one receiver.

    Attributes:
        number: of the packet. receiver: its name.
        begin, end: when it arrives [s].
        travel: [s]. audible: whether its signal-to-noise ratio suffices.
    """

    number: int
    receiver: str
    begin: float
    end: float
    travel: float
    audible: bool


IN_AIR = (
    *("comms_range", "critical_range", "stealth", "earange", "stale_time", "min_rpt_interval"),
    *("comms_delay", "view_node_rpt_pulses", "pulse_duration", "msg_color", "msg_repeat_color"),
)
IN_WATER = tuple(one.name for one in AcousticOptions.parameters() if one.name != "medium")
"""Parameters without effect on sound, and on everything else."""
NOISE, HALF_DUPLEX, COLLISION = "noise", "half duplex", "collision"


class Channel:
    """The packets under way in the water, at all receivers.

    A receiver gets a packet if it is audible, if it does not send itself at any time of the
    arrival, and if no other audible packet arrives at any time of it.
    """

    def __init__(self) -> None:
        self._sent = 0
        self._coming: list[Arrival] = []
        self._over: list[Arrival] = []
        self._sending: dict[str, list[tuple[float, float]]] = {}

    def is_sending(self, name: str, now: float) -> bool:
        """Whether a vessel's modem is sending at a time [s]."""
        return any(begin <= now < end for begin, end in self._sending.get(name, ()))

    def send(
        self,
        sender: str,
        now: float,
        duration: float,
        receivers: dict[str, tuple[float, bool]],
    ) -> int:
        """Send a packet; return its number.

        Args:
            sender: its name. now, duration: begin and length of the packet [s].
            receivers: travel time [s], and whether it is audible, at each.
        """
        self._sent += 1
        self._sending.setdefault(sender, []).append((now, now + duration))
        for name, (travel, audible) in receivers.items():
            begin = now + travel
            self._coming.append(Arrival(self._sent, name, begin, begin + duration, travel, audible))
        return self._sent

    def arrived(self, now: float) -> list[tuple[Arrival, str]]:
        """Return the packets that have arrived by a time [s], and why each is lost; "" if not.

        Every packet that could disturb them has been sent by then.
        """
        ended = sorted(
            (one for one in self._coming if one.end <= now), key=lambda one: (one.end, one.number)
        )
        found = [(one, self._why_lost(one)) for one in ended]
        self._coming = [one for one in self._coming if one.end > now]
        since = min((now, *(one.begin for one in self._coming)))  # what is later may be disturbed
        self._over = [one for one in (*self._over, *ended) if one.end > since]
        last = {name: [s for s in spans if s[1] > since] for name, spans in self._sending.items()}
        self._sending = {name: spans for name, spans in last.items() if spans}
        return found

    def is_under_way(self, number: int) -> bool:
        """Whether a packet has still to arrive somewhere."""
        return any(one.number == number for one in self._coming)

    def _why_lost(self, one: Arrival) -> str:
        if not one.audible:
            return NOISE
        sending = self._sending.get(one.receiver, ())
        if any(begin < one.end and one.begin < end for begin, end in sending):
            return HALF_DUPLEX
        others = (
            other
            for other in (*self._coming, *self._over)
            if other.receiver == one.receiver and other.number != one.number and other.audible
        )
        if any(other.begin < one.end and one.begin < other.end for other in others):
            return COLLISION
        return ""


class Packet(NamedTuple):
    """What is under way: who sent it from where, and what each addressee gets.

    Attributes:
        asks: whether beacons answer it.
        answers: of a reply: the vessel that asked, and the travel time of its packet [s].
    """

    sender: str
    place: Place
    payload: Mapping[str, tuple[str, str]]
    asks: bool = False
    answers: tuple[str, float] | None = None


class Delivery(NamedTuple):
    """A packet at one receiver: why it is lost, or what it gets and what its modem measures.

    Attributes:
        payload: variable and text.
        measured: the range, as text; "" for none. fix: the place by beacons, likewise.
    """

    receiver: str
    sender: str
    why: str
    payload: tuple[str, str] | None = None
    measured: str = ""
    fix: str = ""


class Modems:
    """The modems of all vessels, and the beacons.

    Args:
        options: of the medium.
        random: the generator of measurement errors.
        loses: returns why a packet is lost that has arrived, or "".
    """

    def __init__(self, options: AcousticOptions, random: Random, loses: Callable[[], str]) -> None:
        self._options, self._random, self._loses = options, random, loses
        self._link = Link(
            options.source_level, options.noise_level, options.frequency, options.spreading
        )
        self._channel = Channel()
        self._packets: dict[int, Packet] = {}
        self._slots: dict[str, int] = {}  # vessel -> slot of its last report
        self._usbl = {name.lower() for name in options.usbl}
        self._beacons = {one.station: one for one in options.beacons}
        self._ranges: dict[str, dict[str, float]] = {}  # vessel -> station -> of its last report

    def forget(self, gone: Container[str]) -> None:
        """Forget slots and ranges of vessels that are gone; their names are in lower case."""
        self._slots = {n: slot for n, slot in self._slots.items() if n.lower() not in gone}
        self._ranges = {n: known for n, known in self._ranges.items() if n.lower() not in gone}

    def may_report(self, sender: Contact, fleet: Sequence[Contact], now: float) -> bool:
        """Whether it is a vessel's turn to report, and it has not in this slot."""
        slot = int(now / self._options.report_slot + 1e-9)
        if fleet[slot % len(fleet)] is not sender or self._slots.get(sender.name) == slot:
            return False
        self._slots[sender.name] = slot
        return True

    def send(
        self,
        sender: Contact,
        others: Sequence[Contact],
        payload: Mapping[str, tuple[str, str]],
        now: float,
        length: int = 0,
    ) -> bool:
        """Send a packet to all others; return False if the modem is sending already.

        Args:
            payload: variable and text by name of the addressee.
            length: [bytes]; 0: that of a report.
        """
        if self._channel.is_sending(sender.name, now):
            return False
        packet = Packet(sender.name, _place(sender), payload, asks=not length)
        if packet.asks:
            self._ranges[sender.name] = {}
        self._emit(sender.name, packet, others, now, length or self._options.report_bytes)
        return True

    def _emit(
        self, station: str, packet: Packet, vessels: Sequence[Contact], begin: float, length: int
    ) -> None:
        """Send a packet of a number of bytes to vessels and beacons."""
        options, here = self._options, packet.place
        places = {one.name: _place(one) for one in vessels}
        places |= {name: one.place for name, one in self._beacons.items() if name != station}
        receivers = {}
        for name, there in places.items():
            audible = self._link.snr(slant(here, there)) >= options.snr_needed
            receivers[name] = travel_time(here, there, options.sound_speed), audible
        duration = length * BITS / options.bit_rate
        self._packets[self._channel.send(station, begin, duration, receivers)] = packet

    def deliveries(self, fleet: Mapping[str, Contact], now: float) -> list[Delivery]:
        """Return what has arrived at vessels since the last call; beacons answer."""
        found = []
        for arrival, lost in self._channel.arrived(now):
            packet = self._packets[arrival.number]
            why, beacon = lost or self._loses(), self._beacons.get(arrival.receiver)
            if beacon is not None:
                if packet.asks and not why:
                    self._reply(beacon, packet, arrival, list(fleet.values()), now)
            elif packet.answers is None or packet.answers[0] == arrival.receiver:
                receiver = fleet.get(arrival.receiver)
                found.append(self._delivery(packet, arrival, why, receiver))
        for number in [n for n in self._packets if not self._channel.is_under_way(n)]:
            del self._packets[number]
        return found

    def _reply(
        self, beacon: Beacon, asked: Packet, arrival: Arrival, fleet: Sequence[Contact], now: float
    ) -> None:
        turn = list(self._beacons).index(beacon.station) + 1
        begin = max(now, arrival.end + turn * self._options.turnaround)
        answers = asked.sender, arrival.travel
        packet = Packet(beacon.name, beacon.place, {}, answers=answers)
        self._emit(beacon.station, packet, fleet, begin, REPLY_BYTES)

    def _delivery(
        self, packet: Packet, arrival: Arrival, why: str, receiver: Contact | None
    ) -> Delivery:
        if why or receiver is None:
            payload = None if why else packet.payload.get(arrival.receiver)
            return Delivery(arrival.receiver, packet.sender, why, payload)
        there, travel = packet.place, arrival.travel
        if packet.answers is not None:
            travel = (packet.answers[1] + travel) / 2.0
        distance = travel * self._options.modem_sound_speed
        if self._options.range_sigma:
            distance = max(0.0, distance + self._random.gauss(0.0, self._options.range_sigma))
        text = (
            f"vname={receiver.name},target={packet.sender},range={trimmed(distance, 4)},"
            f"travel={trimmed(travel, 6)}{self._bearings(receiver, there)}"
        )
        place = "" if packet.answers is None else self._fix(receiver, packet.sender, distance)
        payload = packet.payload.get(arrival.receiver)
        return Delivery(arrival.receiver, packet.sender, "", payload, text, place)

    def _fix(self, vessel: Contact, beacon: str, distance: float) -> str:
        """Return the place by the ranges to the beacons that have answered a report; or ""."""
        ranges = self._ranges.setdefault(vessel.name, {})
        ranges[beacon] = distance
        places = {one.name: one.place for one in self._options.beacons}
        rows = [(places[name], away) for name, away in ranges.items()]
        found = fix(rows, vessel.record.depth or 0.0)
        if found is None:
            return ""
        x, y, residual = (trimmed(number, 3) for number in found)
        return f"vname={vessel.name},x={x},y={y},beacons={len(rows)},residual={residual}"

    def _bearings(self, receiver: Contact, there: Place) -> str:
        """Return what a USBL measures besides: bearing and angle down; "" of other modems."""
        if receiver.name.lower() not in self._usbl:
            return ""
        sigma, here = self._options.bearing_sigma, _place(receiver)
        towards = bearing(there[0] - here[0], there[1] - here[1])
        level = slant((*here[:2], 0.0), (*there[:2], 0.0))
        down = degrees(atan2(there[2] - here[2], level))
        if sigma:
            towards = angle360(towards + self._random.gauss(0.0, sigma))
            down += self._random.gauss(0.0, sigma)
        return f",bearing={trimmed(towards, 3)},down={trimmed(down, 3)}"


def _place(vessel: Contact) -> Place:
    return vessel.track[0], vessel.track[1], vessel.record.depth or 0.0
