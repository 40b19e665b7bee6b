"""``pNmea``: speaks NMEA 0183 and AIS with chart plotters and autopilots, by UDP, TCP or serial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.limited import Limited
from steerageway.bridges.intake import Intake
from steerageway.bridges.intervals import Due
from steerageway.bridges.links import Arrivals, Counts, Link, Serial, TcpServer, Told, UdpIn, UdpOut
from steerageway.bridges.nmea import received
from steerageway.bridges.nmea.ais import Receiver, Transponder, derived_mmsi
from steerageway.bridges.nmea.options import OFF, NmeaOptions
from steerageway.bridges.nmea.sentences import SENTENCES, line
from steerageway.bridges.own_state import Own
from steerageway.bus import App, CannotGoOn, Message, variables
from steerageway.moos.node_report import NodeRecord, parse, write

PUBLICATIONS = (
    *received.PUBLICATIONS,
    variables.text(
        "NODE_REPORT",
        "node report of a vessel that AIS sentences of other programs tell of",
        unit="m, deg, m/s",
        when="on receipt",
    ),
)
SUBSCRIPTIONS = (heard.NODE_REPORT,)
REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
BITS = 10  # of a byte on a serial line


class Nmea(App):
    """Sends a vessel's state as NMEA 0183 and AIS sentences, and takes those of other programs."""

    publications = PUBLICATIONS
    subscriptions = SUBSCRIPTIONS
    subscribes = (*REPORTS, "the variables of source")
    parameters = NmeaOptions.parameters()
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        """Read the parameters."""
        self._options = options = NmeaOptions.read(self.config)
        self._datum = read_datum(self.setting.globals)
        self._mmsi = dict(options.mmsi)
        self.publishes = (*self.publishes, *options.orders.values())
        self._intake = Intake(self)
        self._links: list[Link] = []
        self._told = Told()
        self._sent = Counts()
        self._taken = Counts()
        self._rejected = Counts()
        self._stations = Receiver()
        self._begin()
        if not (options.udp_out or options.udp_in or options.tcp or options.serial):
            self.config_warning("it has no effect without udp_out, udp_in, tcp or serial")
        if self._datum is None:
            self.config_warning("without LatOrigin and LongOrigin there are no positions")

    def _begin(self) -> None:
        """Forget what was known of the vessels."""
        self._own = Own()
        self._is_due = Due()
        self._credit = 0.0
        self._credited = 0.0
        ais = self._options.ais
        self._transponder = None if ais == OFF else Transponder(ais.upper())
        self._self = NodeRecord(name=self.community)
        self._others = Limited[NodeRecord]()

    def on_start(self) -> None:
        """Open the links, and register."""
        options = self._options
        try:
            for address in options.udp_out:
                self._links.append(UdpOut(address))
            for address in options.tcp:
                self._links.append(TcpServer(address))
            for path in options.serial:
                self._links.append(Serial(self.setting.folder / path, options.baud))
            for address in () if self._intake.replayed else options.udp_in:
                self._links.append(UdpIn(address))
        except (OSError, OverflowError) as error:
            self.on_stop()
            raise CannotGoOn(f"{self.name}: a link cannot be opened: {error}") from error
        self._arrivals = [Arrivals(link.receive) for link in self._links]
        self._intake.begin()
        self._credited = self.time
        self.register(*options.sources.values(), *REPORTS)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Note the state of this vessel and of others."""
        sources = self._options.sources.items()
        for message in mail:
            if message.name in REPORTS:
                self._note_report(message)
            elif isinstance(message.value, float):
                utc = self.setting.epoch + message.time
                for quantity in (q for q, variable in sources if variable == message.name):
                    self._own.take(quantity, message.value, utc)

    def _note_report(self, message: Message) -> None:
        try:
            record = parse(str(message.value))
            if record.name.lower() == self.community.lower():
                self._self = record
            elif record.vsource != "ais" or message.source != self.name:
                self._others[record.name.lower()] = record
        except ValueError as error:
            self.run_warning(f"{message.name}: {error}")

    def iterate(self) -> None:
        """Send what is due, and take what has come."""
        self._own.utc = self.utc
        passed, self._credited = self.time - self._credited, self.time
        if self._options.baud is not None:
            most = self._options.baud / BITS
            self._credit = min(most, self._credit + most * passed)
        data = b"".join(sentence for sentence in self._due() if self._fits(sentence))
        for link, arrivals in zip(self._links, self._arrivals, strict=True):
            if data:
                link.send(data)
            for text in arrivals.turn():
                self._take(text)
        self._intake.warn()
        self._tell_troubles()

    def _due(self) -> Iterator[bytes]:
        for kind, rate in self._options.sentences.items():
            if self._is_due(kind, self.time, rate):
                fields = SENTENCES[kind].fields(self._own)
                if fields is not None:
                    yield line(self._options.talker or SENTENCES[kind].talker, kind, fields)
        if self._transponder is not None:
            yield from self._transponder.due(self.time, self.utc, self._placed())

    def _placed(self) -> Iterator[tuple[NodeRecord, int, float, float, bool]]:
        """Yield each vessel's report with MMSI, latitude, longitude, and whether it is this one."""
        own, lat, lon = self._self, self._own("LAT"), self._own("LONG")
        if lat is not None and lon is not None:
            own.speed_og, own.cog = self._own("SOG"), self._own("COG")
            own.heading = self._own("HEADING")
            yield own, self._mmsi_of(own.name), lat, lon, True
        for record in self._others.values():
            if record.has_global_position:
                lat, lon = record.lat or 0.0, record.lon or 0.0
            elif self._datum is not None and record.has_local_position:
                try:
                    lat, lon = self._datum.to_latlon(record.x or 0.0, record.y or 0.0)
                except ValueError as error:
                    self.run_warning(f"{record.name}: {error}")
                    continue
            else:
                continue
            yield record, self._mmsi_of(record.name), lat, lon, False

    def _mmsi_of(self, name: str) -> int:
        return self._mmsi.get(name.lower()) or derived_mmsi(name)

    def _fits(self, sentence: bytes) -> bool:
        """Whether a sentence is within what the line carries; count it as sent, or as left out."""
        kind = sentence[1:6].decode()
        if self._options.baud is not None:
            if self._credit < len(sentence):
                self.run_warning(f"{kind}: left out, as {self._options.baud} baud do not suffice")
                return False
            self._credit -= len(sentence)
        self._sent[kind] += 1
        return True

    def _take(self, text: bytes) -> None:
        """Enter what a line of another program tells."""
        if text.startswith((b"!", b"\\")):
            self._take_ais(text)
            return
        try:
            posts = received.read(text)
        except received.NotTaken as error:
            self._rejected[str(error)] += 1
            return
        self._taken[text[1:6].decode()] += 1
        for name, value in posts.items():
            self._intake.post(name, value)
            if name in self._options.orders:
                self._intake.post(self._options.orders[name], value)

    def _take_ais(self, text: bytes) -> None:
        for station in self._stations.take(text):
            if station.mmsi == self._mmsi_of(self.community):
                continue
            self._taken["AIS"] += 1
            place = None
            if self._datum is not None and station.lat is not None and station.lon is not None:
                place = self._datum.to_local(station.lat, station.lon)
            self._intake.post("NODE_REPORT", write(station.report(self.utc, place).fields()))

    def _tell_troubles(self) -> None:
        """Tell what is new among the troubles of links and lines, once an iteration each."""
        counted = [(link.name, link.troubles) for link in self._links]
        counted += [("received", self._rejected), ("received", self._stations.rejected)]
        for place, (name, troubles) in enumerate(counted):
            for what in self._told.new(f"{name} {place}", troubles):
                self.run_warning(f"{name}: {what}")

    def on_case(self, number: int, seed: int) -> None:
        """Forget the vessels of the case before; the links stay open."""
        self._begin()
        self._credited = self.time

    def on_stop(self) -> None:
        """Close the links."""
        self._intake.close()
        for link in self._links:
            link.close()

    def report(self) -> Iterable[str]:
        """Yield the links, and counts of sentences."""
        for link in self._links:
            troubles = "".join(f"; {what}: {count}" for what, count in link.troubles.items())
            yield f"{link.name}{troubles}"
        yield f"Sent:     {_counts(self._sent)}"
        yield f"Taken:    {_counts(self._taken)}"
        yield f"Rejected: {_counts(self._rejected + self._stations.rejected)}"


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counted.items()) or "none"
