"""Spoofed vessels: ``x=23,y=34,hdg=90,spd=1.5,name=val,type=heron,dur=60``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from steerageway.moos.node_report import NodeRecord
from steerageway.moos.values import by_key, is_number
from steerageway.vessel.encounter import Track

_NUMBERS = ("x", "y", "hdg", "spd", "len", "dur")
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
    numbers = {key: _number(fields, key) for key in _NUMBERS}
    _check(fields, numbers)
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


def _number(fields: Mapping[str, str], key: str) -> float:
    text = fields.get(key, "")
    if not is_number(text):
        raise ValueError(f"expected a number for {key}")
    return float(text)


def _check(fields: Mapping[str, str], numbers: Mapping[str, float]) -> None:
    for key in _WORDS:
        if not fields[key].isalnum() and fields[key]:
            raise ValueError(f"expected letters and digits for {key}")
    if numbers["len"] <= 0:
        raise ValueError("expected a len above 0")
