"""``pAisTraffic``: moves contacts, and if asked the own ship, as a recording tells.

Between two reports a vessel moves on a straight line; in a gap, and before and after its reports,
it is not told of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import hypot
from pathlib import Path

from steerageway.apps.shared.datum import read_datum
from steerageway.bridges.ais_traffic.recording import Recording, RecordingError
from steerageway.bridges.ais_traffic.track import Present, Track, cleaned
from steerageway.bridges.nmea.ais import Station
from steerageway.bus import App, Config, Options, declare, variables
from steerageway.declarations import all_finite, finite
from steerageway.diagnostics.diagnostic import listed
from steerageway.diagnostics.nearest import hint
from steerageway.geometry.geodesy import Datum, Projection
from steerageway.moos.node_report import write

PUBLICATIONS = variables.published("""
    NODE_REPORT | text | m, deg, m/s | | `report_interval` | node report of a recorded vessel
    NAV_X | number | m, east | | tick, with `own` | position
    NAV_Y | number | m, north | | as `NAV_X` | position
    NAV_LAT | number | deg, WGS84 | [-90, 90] | as `NAV_X` | latitude, north positive
    NAV_LONG | number | deg, WGS84 | [-180, 180] | as `NAV_X` | longitude, east positive
    NAV_SPEED | number | m/s | | as `NAV_X` | speed over ground
    NAV_SPEED_OVER_GROUND | number | m/s | >= 0 | as `NAV_X` | speed over ground
    NAV_HEADING | number | deg | [0, 360) | as `NAV_X`, once it or the course is known | heading
    NAV_HEADING_OVER_GROUND | number | deg | [0, 360) | as `NAV_X`, once known | course over ground
""")
REPORT, *OWN = variables.names(PUBLICATIONS)
TOLERANCE = 1e-6  # s


def parse_place(text: str) -> tuple[float, float]:
    """Read LAT,LON [deg].

    Raises:
        ValueError: it has another form, or is out of range.
    """
    place = all_finite(text.split(","))
    if place is None or len(place) != 2:
        raise ValueError("expected LAT,LON [deg]")
    lat, lon = place
    Datum(lat, lon)  # refuses what is out of range
    return lat, lon


def parse_start(text: str) -> float | datetime:
    """Read seconds after the first report, or a date.

    Raises:
        ValueError: neither.
    """
    if (seconds := finite(text)) is not None:
        return seconds
    try:
        date = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("expected a number, or a UTC as 2026-05-01T12:00:00") from None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


@dataclass(frozen=True)
class TrafficOptions(Options):
    """Parameters of the app's configuration block."""

    file: Path | None = declare.value(
        "",
        lambda text: Path(text.strip()),
        "the recording: a .csv as MarineCadastre publishes it, AIS sentences with time tags, or"
        " positions in an MCAP file or a bag of ROS 2",
    )
    start: float | datetime = declare.value(
        "0",
        parse_start,
        "what of the recording is at simulated time 0: seconds after its first report, or a UTC",
    )
    origin: tuple[float, float] | None = declare.value(
        "",
        parse_place,
        "LAT,LON of the recording that is placed at the mission's datum (default: its own place)",
    )
    gap: float = declare.number(
        180, "a vessel is not told of between reports further apart", unit="s", above=0
    )
    max_range: float = declare.number(
        20_000, "reports farther from the datum are left out", unit="m", above=0, high=100_000
    )
    report_interval: float = declare.number(
        2, "interval between node reports of a vessel", unit="s", above=0
    )
    own: str = declare.text(
        "", "the vessel of this name or MMSI is no contact: it is this one, and moves its NAV_*"
    )


class AisTraffic(App):
    """Posts node reports of the vessels in a recording, and the navigation of one of them."""

    publications = PUBLICATIONS
    publishes: Sequence[str] = (REPORT, *OWN)
    parameters = TrafficOptions.parameters()

    def configure(self) -> None:
        """Read the parameters and the recording."""
        self._options = options = TrafficOptions.read(self.config)
        datum = read_datum(self.setting.globals)
        if options.file is None or datum is None:
            missing = "LatOrigin and LongOrigin" if options.file else "a line file = RECORDING"
            raise Config.error(self.config.line("file"), f"expected {missing}")
        self._datum = datum
        self._found: Counter[str] = Counter()
        place: Projection = Datum(*options.origin) if options.origin else datum
        self._tracks = self._read(self.setting.folder / options.file, place)
        self._own = self._take_own(options.own)
        self.publishes = (REPORT, *OWN) if self._own else (REPORT,)
        self._reported = float("-inf")
        self._visible = 0

    def _read(self, path: Path, place: Projection) -> dict[int, Track]:
        def in_range(station: Station) -> bool:
            local = place.to_local(station.lat or 0.0, station.lon or 0.0)
            return hypot(*local) <= self._options.max_range

        try:
            recording = Recording(path, in_range)
        except RecordingError as error:
            raise Config.error(self.config.line("file"), str(error)) from error
        start = self._options.start
        begin = start.timestamp() if isinstance(start, datetime) else recording.begin + start
        self._shift = begin
        tracks = {
            mmsi: cleaned(reports, place.to_local, self._options.gap, self._found)
            for mmsi, reports in sorted(recording.reports.items())
        }
        for why, count in recording.left_out.items():
            self.config_warning(f"{path.name}: {count} {why} left out")
        if all(track.fixes[-1].time < begin for track in tracks.values()):
            self.config_warning(f"{path.name}: it ends before its start, {start}")
        return tracks

    def _take_own(self, named: str) -> Track | None:
        """Take the track of this vessel out of those of the contacts; None if none is asked for.

        Raises:
            ConfigError: the recording has no such vessel, or several.
        """
        if not named:
            return None
        names = {mmsi: track.fixes[-1].station.name for mmsi, track in self._tracks.items()}
        found = [m for m, n in names.items() if named.lower() in (n.lower(), f"{m:09d}", str(m))]
        if len(found) != 1:
            known = [name or f"{mmsi:09d}" for mmsi, name in names.items()]
            many = f"{len(found)} of that name" if found else listed(known)
            expected = f"expected one vessel of the recording, which has {many}"
            raise Config.error(self.config.line("own"), f"{expected}{hint(named, known)}")
        return self._tracks.pop(found[0])

    def iterate(self) -> None:
        """Post this vessel's navigation, and a node report of every other one that is there."""
        if self._own is not None and (now := self._own.at(self._shift + self.time)) is not None:
            self._navigate(now)
        if self.time - self._reported < self._options.report_interval - TOLERANCE:
            return
        self._reported = self.time
        here = [(mmsi, track.at(self._shift + self.time)) for mmsi, track in self._tracks.items()]
        present = [(mmsi, now) for mmsi, now in here if now is not None]
        self._visible = len(present)
        for _, now in present:
            self.post("NODE_REPORT", self._report(now))

    def _navigate(self, now: Present) -> None:
        lat, lon = self._datum.to_latlon(now.x, now.y)
        heading = now.course if now.heading is None else now.heading
        values = (now.x, now.y, lat, lon, now.speed, now.speed, heading, now.course)
        for name, value in zip(OWN, values, strict=True):
            if value is not None:
                self.post(name, value)

    def _report(self, now: Present) -> str:
        lat, lon = self._datum.to_latlon(now.x, now.y)
        station = replace(
            now.station,
            lat=lat,
            lon=lon,
            speed=now.speed,
            course=now.course,
            heading=now.heading if now.heading is not None else now.course,
        )
        return write(station.report(self.utc, (now.x, now.y)).fields())

    def report(self) -> Iterable[str]:
        """Yield the vessels, and what is doubtful about the recording."""
        yield f"Vessels: {self._visible} of {len(self._tracks)}"
        yield "Between two reports a vessel moves on a straight line."
        yield from (f"{count} {what}" for what, count in self._found.items())
