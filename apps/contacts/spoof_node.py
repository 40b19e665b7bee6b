"""``pSpoofNode``: publishes node reports of simulated (spoofed) vessels, e.g. for encounters.

The vessels keep course and speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import inf

from steerageway.apps.shared.block_readers import color
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Entry, Message, Options, declare, parsed, variables
from steerageway.declarations import Number, field_of
from steerageway.geometry.encounter import Track
from steerageway.helm.contact import TIME_TOLERANCE
from steerageway.moos.node_report import NodeRecord, write
from steerageway.moos.values import by_key, trimmed

_NUMBERS = {
    **dict.fromkeys(("x", "y", "hdg", "spd", "dur"), Number()),
    "len": Number(above=0.0),
}
_WORDS = ("name", "type", "group", "vsource", "color")


@dataclass(frozen=True, slots=True)
class Spoof:
    """A spoofed vessel that keeps course and speed.

    Attributes:
        record: its report, except position and time.
        start: its initial track; since: time of that [s].
        until: time until which it reports [s]; inf: unlimited.
    """

    record: NodeRecord
    start: Track
    since: float
    until: float

    @property
    def name(self) -> str:
        """Its name."""
        return self.record.name

    def now(self, time: float) -> Track:
        """Return its track at a time [s]."""
        return self.start.ahead(self.start.speed * (time - self.since))


def parse_spoof(text: str, defaults: Mapping[str, str], name: str, now: float) -> Spoof:
    """Read a vessel.

    Args:
        defaults: default values of fields: key -> text, "" for none.
        name: default name.
        now: [s].
    Raises:
        ValueError: what was expected.
    """
    given = by_key(text)
    unknown = [key for key in given if key not in (*_NUMBERS, *_WORDS)]
    if unknown:
        known = ", ".join((*_NUMBERS, *_WORDS))
        raise ValueError(f"expected fields among {known}, found {unknown[0]}")
    fields = {**defaults, "name": name} | {key: value for key, value in given.items() if value}
    numbers = {key: field_of(fields, key, read) for key, read in _NUMBERS.items()}
    _check(fields)
    record = NodeRecord(
        name=fields["name"],
        type=fields["type"],
        color=fields["color"],
        group=fields["group"],
        vsource=fields["vsource"],
        length=numbers["len"],
    )
    start = Track(numbers["x"], numbers["y"], numbers["hdg"], numbers["spd"])
    return Spoof(record, start, now, now + numbers["dur"] if numbers["dur"] > 0 else inf)


def _check(fields: Mapping[str, str]) -> None:
    for key in _WORDS:
        if not fields[key].isalnum() and fields[key]:
            raise ValueError(f"expected letters and digits for {key}")


@dataclass(frozen=True)
class SpoofOptions(Options):
    """Parameters of the app's configuration block."""

    spoof: tuple[Entry, ...] = declare.entries(
        "a vessel: x=,y= and optionally hdg=,spd=,name=,type=,group=,..."
    )
    refresh_interval: float = declare.number(
        0.5, "interval between reports of a vessel", unit="s", low=0, minus=True
    )
    default_hdg: float = declare.number(45, "default heading", unit="deg")
    default_spd: float = declare.number(0, "default speed; below 0: astern", unit="m/s")
    default_duration: float = declare.number(
        0, "default duration; 0: unlimited", unit="s", low=0, minus=True
    )
    default_length: float = declare.number(5, "default length", unit="m", above=0)
    default_vtype: str = declare.text("kayak", "default type")
    default_color: str = color("purple", "default colour")
    default_group: str = declare.text("", "default group")
    default_vsource: str = declare.text("", "default source (vsource)")

    @property
    def defaults(self) -> dict[str, str]:
        """Default values of a request's fields: key -> text."""
        return {
            "hdg": trimmed(self.default_hdg, 9),
            "spd": trimmed(self.default_spd, 9),
            "dur": trimmed(self.default_duration, 9),
            "len": trimmed(self.default_length, 9),
            "type": self.default_vtype,
            "color": self.default_color,
            "group": self.default_group,
            "vsource": self.default_vsource,
        }


class SpoofNode(App):
    """Publishes node reports of spoofed vessels."""

    keeps_quotes = True
    publications = variables.published("""
        NODE_REPORT | text | m, deg, m/s | | `refresh_interval` | node report of a spoofed vessel
    """)
    subscriptions = variables.subscribed("""
        SPOOF | text | m, deg, m/s, s | | `x=1,y=2,name=val`: add a spoofed vessel
        SPOOF_CANCEL | text | | | `vname=val` or `group=red`: remove a vessel or a group
    """)
    parameters = SpoofOptions.parameters()

    def configure(self) -> None:
        options = SpoofOptions.read(self.config)
        self._interval = options.refresh_interval
        self._defaults = options.defaults
        self._spoofs = Limited[Spoof]()
        self._reported = float("-inf")
        self._reports = 0
        for entry in options.spoof:
            parsed(entry, self._add)

    def _add(self, text: str) -> None:
        spoof = parse_spoof(text, self._defaults, self._free_name(), self.time)
        self._spoofs[spoof.name.lower()] = spoof

    def _free_name(self) -> str:
        names = (f"C{number:04d}" for number in count(1))
        return next(name for name in names if name.lower() not in self._spoofs)

    def on_start(self) -> None:
        """Register for the subscribed variables, and start the vessels of the block."""
        super().on_start()
        # those of the block were read before the start, with times from 0
        for key, spoof in self._spoofs.items():
            until = spoof.until + self.time
            self._spoofs[key] = replace(spoof, since=self.time, until=until)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Add and remove vessels."""
        for message in mail:
            text = str(message.value)
            try:
                if message.name == "SPOOF":
                    self._add(text)
                else:
                    self._cancel(text)
            except ValueError as error:
                self.run_warning(f"{message.name} = {text}: {error}")

    def _cancel(self, text: str) -> None:
        fields = by_key(text.lower())
        name, group = fields.get("vname") or fields.get("contact", ""), fields.get("group", "")
        if not name and not group:
            raise ValueError("expected vname=NAME or group=NAME")
        gone = [
            key
            for key, spoof in self._spoofs.items()
            if key == name or (group and spoof.record.group.lower() == group)
        ]
        for key in gone:
            del self._spoofs[key]

    def iterate(self) -> None:
        """Post a node report of every vessel."""
        over = [k for k, s in self._spoofs.items() if self.time > s.until + TIME_TOLERANCE]
        for name in over:
            del self._spoofs[name]
        if self.time - self._reported < self._interval - TIME_TOLERANCE:
            return
        self._reported = self.time
        for spoof in self._spoofs.values():
            x, y, heading, speed = spoof.now(self.time)
            record = replace(spoof.record, x=x, y=y, heading=heading, speed=speed, time=self.utc)
            self.post("NODE_REPORT", write(record.fields()))
            self._reports += 1

    def report(self) -> Iterable[str]:
        """Yield the vessels for the appcast."""
        yield f"reports: {self._reports}"
        for spoof in self._spoofs.values():
            x, y, heading, speed = spoof.now(self.time)
            yield f"{spoof.name}: x={x:.2f}, y={y:.2f}, hdg={heading:g}, spd={speed:g}"
