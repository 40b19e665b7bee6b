"""``uFldCollObDetect``: counts encounters of vessels with obstacles and their closest ranges.

An encounter begins when a vessel comes within the encounter distance of an obstacle, and ends when
it leaves it. The least distance determines whether it was a near miss or a collision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.contacts.encounter_severity import (
    COLLISION,
    ENCOUNTER,
    KINDS,
    NEAR_MISS,
    KindFlags,
    ordered_limits,
)
from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.helm.contact import DECAY, ContactList
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.values import pairs, snap, trimmed

FRESH = 4.0  # obstacles received this shortly before a clear message belong to the next field [s]
_NAMES = re.compile(r"\$(?:(?:UP_)?VNAME|ID)")


@dataclass(frozen=True)
class DetectOptions(Options):
    """Parameters of the app's configuration block."""

    encounter_dist: float = declare.number(
        15, "range within which an encounter occurs", unit="m", low=0
    )
    near_miss_dist: float = declare.number(
        5, "range within which an encounter is a near miss", unit="m", low=0
    )
    collision_dist: float = declare.number(
        1, "range within which an encounter is a collision", unit="m", low=0
    )
    flags: KindFlags = declare.group(KindFlags)
    bin_min_val: float = declare.number(
        -1, "least distance in the appcast's histogram; -1: no histogram", unit="m", low=-1
    )
    bin_delta: float = declare.number(
        -1, "width of the histogram's bins; -1: no histogram", unit="m", low=-1
    )


class Bins:
    """A histogram of distances.

    Args:
        low: lower limit of the bins [m]; below 0: no histogram.
        width: of a bin [m]; not above 0: no histogram.
    """

    def __init__(self, low: float, width: float) -> None:
        self._low = low
        self._width = width
        self._counts: Counter[float] = Counter()
        self._total = 0

    def add(self, distance: float) -> None:
        """Add a distance [m]."""
        if self._low < 0 or self._width <= 0:
            return
        self._total += 1
        if distance >= self._low:
            self._counts[snap(distance, self._width)] += 1

    def lines(self) -> Iterator[str]:
        """Yield the non-empty bins: centre, count, and cumulative percentage."""
        below = self._total - sum(self._counts.values())
        for middle in sorted(self._counts):
            below += self._counts[middle]
            share = 100.0 * below / self._total
            yield f"{trimmed(middle, 2)} m: {self._counts[middle]}, so far {share:.1f} %"


class CollObDetect(App):
    """Detects encounters and collisions with known obstacles, from all vessels' node reports."""

    keeps_quotes = True
    publications = variables.published("""
        OB_GLOBAL_MIN | number | m | >= 0 | on change | least distance of any vessel from any
            obstacle so far
    """)
    subscriptions = (heard.NODE_REPORT,)
    subscribes = ("NODE_REPORT", "KNOWN_OBSTACLE", "KNOWN_OBSTACLE_CLEAR")
    parameters = DetectOptions.parameters()

    def configure(self) -> None:
        options = DetectOptions.read(self.config)
        limits = (options.encounter_dist, options.near_miss_dist, options.collision_dist)
        self._distances, warnings = ordered_limits("dist", limits)
        for warning in warnings:
            self.config_warning(warning)
        self._ledger = ContactList("", inf, read_datum(self.setting.globals))
        self._obstacles = Limited[Polygon]()
        self._posted_at: dict[str, float] = {}
        self._least: dict[tuple[str, str], float] = {}
        self._totals: Counter[str] = Counter()
        self._bins = Bins(options.bin_min_val, options.bin_delta)
        self._closest = inf
        self._flags = options.flags
        flags = [flag for kind in KINDS for flag in self._flags.of(kind)]
        posted = [_NAMES.sub("*", flag.variable) for flag in flags]
        self.publishes = (*self.publishes, *dict.fromkeys(posted))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process node reports and obstacles."""
        for message in mail:
            text = str(message.value)
            try:
                if message.name == "NODE_REPORT":
                    self._ledger.take_report(
                        message.name, message.value, self.utc, self.run_warning
                    )
                elif message.name == "KNOWN_OBSTACLE":
                    self._take_obstacle(text)
                else:
                    self._clear(text.strip())
            except ValueError as error:
                self.run_warning(f"{message.name}: {error}")

    def _take_obstacle(self, text: str) -> None:
        label = dict(pairs(text)).get("label", "")
        self._obstacles[label] = parse_polygon(text)
        self._posted_at[label] = self.time

    def _clear(self, label: str) -> None:
        wanted = [one for one in self._obstacles if label.lower() in ("all", one.lower())]
        for one in wanted:
            if self.time - self._posted_at[one] > FRESH:
                del self._obstacles[one], self._posted_at[one]
        self._least = {key: d for key, d in self._least.items() if key[1] in self._obstacles}

    def iterate(self) -> None:
        """Check the distance of every vessel from every obstacle."""
        for contact in self._ledger:
            here = contact.now(self.utc, DECAY)[:2]
            for label, polygon in self._obstacles.items():
                self._look(contact.name, label, polygon.distance(here))

    def _look(self, vessel: str, label: str, away: float) -> None:
        if away < self._closest:
            self._closest = away
            self.post("OB_GLOBAL_MIN", away)
        key = (vessel, label)
        if away <= self._distances[ENCOUNTER]:
            self._least[key] = min(away, self._least.get(key, inf))
        elif key in self._least:
            self._post_encounter(vessel, label, self._least.pop(key))

    def _post_encounter(self, vessel: str, label: str, least: float) -> None:
        self._totals[ENCOUNTER] += 1
        kinds = [ENCOUNTER]
        # an encounter counts as its most severe kind only
        for kind in (COLLISION, NEAR_MISS):
            if least < self._distances[kind]:
                self._totals[kind] += 1
                kinds.insert(0, kind)
                break
        self._bins.add(least)
        self.event(f"{vessel} and {label}: {kinds[0]}, {least:.2f} m")
        flag_macros: dict[str, float | str] = {
            "$VNAME": vessel,
            "$UP_VNAME": vessel.upper(),
            "$ID": label,
            "$DIST": least,
            "$ENC_CNT": float(self._totals[ENCOUNTER]),
            "$MISS_CNT": float(self._totals[NEAR_MISS]),
            "$COLL_CNT": float(self._totals[COLLISION]),
        }
        for flag in (flag for kind in kinds for flag in self._flags.of(kind)):
            self.post(flag.named(flag_macros), flag.expanded(flag_macros))

    def report(self) -> Iterable[str]:
        """Yield the counts for the appcast."""
        yield f"obstacles: {len(self._obstacles)}, closest ever: {self._closest:.1f} m"
        yield ", ".join(f"{kind}: {self._totals[kind]}" for kind in KINDS)
        yield from self._bins.lines()
