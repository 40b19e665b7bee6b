"""``uFldPathCheck``: posts distance travelled and mean speed of vessels, from node reports."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, inf

from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.helm.contact import REPORTS, Contact, ContactList
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed


@dataclass(frozen=True)
class PathOptions(Options):
    """Parameters of the app's configuration block."""

    history_length: int = declare.whole(
        10, "number of reports over which the mean speed is taken", low=2
    )


@dataclass
class Path:
    """The path of a vessel.

    Attributes:
        name: of the vessel.
        positions: its last reports: UTC [s], (x, y) [m].
        total, trip: distance travelled in total, and since the last reset [m].
        has_reported: whether it has reported since the last iteration.
    """

    name: str
    positions: deque[tuple[float, Point]]
    total: float = 0.0
    trip: float = 0.0
    has_reported: bool = False

    def take(self, contact: Contact) -> None:
        """Add a report."""
        place = contact.track[:2]
        if self.positions:
            way = dist(self.positions[-1][1], place)
            self.total += way
            self.trip += way
        self.positions.append((contact.seen, place))
        self.has_reported = True

    @property
    def speed(self) -> float | None:
        """Mean speed over the last reports [m/s]; None if they span no time."""
        if not self.positions or self.positions[-1][0] <= self.positions[0][0]:
            return None
        way = sum(dist(a, b) for (_, a), (_, b) in pairwise(self.positions))
        return way / (self.positions[-1][0] - self.positions[0][0])


class PathCheck(App):
    """Posts the distances and mean speeds of all vessels of a fleet."""

    keeps_quotes = True
    publications = variables.published("""
        UPC_ODOMETRY_REPORT | text | m | | on each report of a vessel |
            `vname=abe,total_dist=98.3,trip_dist=12.0`
        UPC_SPEED_REPORT | text | m/s | | on each report of a vessel | `vname=abe,avg_spd=1.52`
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("UPC_TRIP_RESET", what="name of a vessel whose trip distance is reset"),
    )
    subscribes = (*REPORTS, "UPC_TRIP_RESET")
    parameters = PathOptions.parameters()

    def configure(self) -> None:
        self._length = PathOptions.read(self.config).history_length
        self._ledger = ContactList("", inf, read_datum(self.setting.globals))
        self._paths: dict[str, Path] = {}

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process node reports and resets."""
        for message in mail:
            if message.name == "UPC_TRIP_RESET":
                self._reset(str(message.value))
            else:
                self._take_report(message)

    def _take_report(self, message: Message) -> None:
        contact = self._ledger.take_report(message.name, message.value, self.utc, self.run_warning)
        if contact is not None:
            new = Path(contact.name, deque(maxlen=self._length))
            self._paths.setdefault(contact.name.lower(), new).take(contact)

    def _reset(self, name: str) -> None:
        path = self._paths.get(name.strip().lower())
        if path is None:
            self.run_warning(f"UPC_TRIP_RESET = {name}: expected a vessel that has reported")
        else:
            path.trip = 0.0

    def iterate(self) -> None:
        """Post odometry and speed of every vessel that has reported."""
        for path in self._paths.values():
            if not path.has_reported:
                continue
            path.has_reported = False
            way = f"total_dist={fixed(path.total, 1)},trip_dist={fixed(path.trip, 1)}"
            self.post("UPC_ODOMETRY_REPORT", f"vname={path.name},{way}")
            if path.speed is not None:
                text = f"vname={path.name},avg_spd={fixed(path.speed, 2)}"
                self.post("UPC_SPEED_REPORT", text)

    def report(self) -> Iterable[str]:
        """Yield the vessels for the appcast."""
        for path in self._paths.values():
            speed = "unknown" if path.speed is None else f"{path.speed:.2f} m/s"
            yield f"{path.name}: trip {path.trip:.1f} m, in all {path.total:.1f} m, speed {speed}"
