"""``uFldCollisionDetect``: counts encounters, near misses and collisions between vessels.

It runs on the shore and receives every vessel's node reports, between which positions are
dead-reckoned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.contacts.collision_detect.monitor import Encounter, Monitor
from steerageway.apps.contacts.encounter_severity import (
    COLLISION,
    ENCOUNTER,
    KINDS,
    NEAR_MISS,
    KindFlags,
    ordered_limits,
)
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import read_conditions
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.flags import Macros, PostFlag
from steerageway.bus import App, Message, Options, Value, declare, variables
from steerageway.geometry.encounter import Track, separation
from steerageway.helm.contact import DECAY, ContactList
from steerageway.moos.condition import Condition
from steerageway.moos.values import trimmed, trimmed360
from steerageway.moos.view import look, range_pulse

CLEAR = "clear"
COLORS = {NEAR_MISS: "yellow", COLLISION: "red"}
_NAMES = re.compile(r"\$(?:UP_)?V[12]|\$IDX")
_COUNT_MACRO = re.compile(r"\$\[(\w+)@(\d+\.?\d*|\.\d+)\]")


def _parse_group(text: str) -> str:
    if not text.strip() or " " in text.strip():
        raise ValueError("expected the name of a group")
    return text.strip().lower()


@dataclass(frozen=True)
class DetectOptions(Options):
    """Parameters of the app's configuration block; groups are in lower case."""

    encounter_range: float = declare.number(
        20, "greatest CPA range of an encounter", unit="m", low=0
    )
    near_miss_range: float = declare.number(6, "greatest CPA range of a near miss", unit="m", low=0)
    collision_range: float = declare.number(3, "greatest CPA range of a collision", unit="m", low=0)
    condition: list[Condition] = declare.custom(
        lambda c, _: read_conditions(c),
        "condition for counting encounters; repeatable, all must hold",
    )
    flags: KindFlags = declare.group(KindFlags)
    report_all_encounters: bool = declare.flag(
        False, "true: post UCD_REPORT also for clear encounters"
    )
    ignore_group: tuple[str, ...] = declare.lines(
        _parse_group, "ignore encounters between vessels of these groups"
    )
    reject_group: tuple[str, ...] = declare.lines(_parse_group, "ignore all vessels of this group")
    pulse_render: bool = declare.flag(True, "false: do not draw near misses and collisions")
    pulse_range: float = declare.number(20, "radius of the drawn pulse", unit="m", low=0)
    pulse_duration: float = declare.number(
        10, "duration of the drawn pulse", unit="s", low=0, minus=True
    )
    encounter_rings: bool = declare.flag(
        True, "false: do not draw a ring of encounter_range around each vessel"
    )
    post_closest_range: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE")
    post_closest_range_ever: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE_EVER")


class CollisionDetect(App):
    """Detects encounters, near misses and collisions between the vessels of a fleet."""

    keeps_quotes = True
    publications = variables.published("""
        VIEW_RANGE_PULSE | text | m, s | | on near misses and collisions | a range pulse at a near
            miss or collision, for viewers
        VIEW_CIRCLE | text | m | | tick, with `encounter_rings` | ranges of encounters, for viewers
        UCD_REPORT | text | m, deg from the bow | | after near misses and collisions |
            `cpa=2.1,vname1=abe,vname2=ben,rank=collision, alpha=95, ...`
        ENCOUNTER_TOTAL | number | | >= 0 | once, on change | number of encounters so far
        NEAR_MISS_TOTAL | number | | >= 0 | once, on change | number of near misses so far
        COLLISION_TOTAL | number | | >= 0 | once, on change | number of collisions so far
        COLLISION_DETECT_PARAMS | text | m | | once | `collision_range=3, near_miss_range=6,
            encounter_range=20`
        COLLISION_DETECT_PARAMS_* | text | m | | on a vessel's first report |
            `COLLISION_DETECT_PARAMS`, for the vessel named at the end
        UCD_CLOSEST_RANGE | number | m | >= 0 | tick, with `post_closest_range` | present range of
            the closest two vessels
        UCD_CLOSEST_RANGE_EVER | number | m | >= 0 | tick, with `post_closest_range_ever` | least
            range of any two vessels so far
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("UCD_RESET", what="resets the closest ranges", kind="any"),
    )
    subscribes = ("NODE_REPORT", "UCD_RESET", "variables of conditions")
    parameters = DetectOptions.parameters()

    def configure(self) -> None:
        options = self._options = DetectOptions.read(self.config)
        limits = (options.encounter_range, options.near_miss_range, options.collision_range)
        self._ranges, warnings = ordered_limits("range", limits)
        for warning in warnings:
            self.config_warning(warning)
        self._ledger = ContactList("", inf, read_datum(self.setting.globals))
        worst_first = reversed(KINDS)
        self._summary = ", ".join(f"{k}_range={trimmed(self._ranges[k])}" for k in worst_first)
        self._monitor = Monitor(self._ranges[ENCOUNTER])
        self._values: dict[str, Value] = {}
        self._totals: Counter[str] = Counter()
        self._of_vessel: Counter[tuple[str, str]] = Counter()
        self._known: dict[str, None] = {}
        self._active = not options.condition
        flags = [flag for kind in KINDS for flag in self._options.flags.of(kind)]
        posted = [_NAMES.sub("*", flag.variable) for flag in flags]
        self.publishes = (*self.publishes, *dict.fromkeys(posted))

    def on_start(self) -> None:
        """Register for the subscribed variables, and post ranges and totals."""
        conditions = self._options.condition
        variables = [name for condition in conditions for name in condition.variables]
        self.register("NODE_REPORT", "UCD_RESET", *dict.fromkeys(variables))
        self.post("COLLISION_DETECT_PARAMS", self._summary)
        for kind in KINDS:
            self.post(f"{kind.upper()}_TOTAL", 0.0)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process node reports, resets and variables of conditions."""
        for message in mail:
            if message.name == "NODE_REPORT":
                self._take_report(message)
            elif message.name == "UCD_RESET":
                self._monitor.reset_closest()
            if not isinstance(message.value, bytes):
                self._values[message.name] = message.value

    def _take_report(self, message: Message) -> None:
        contact = self._ledger.take_report(message.name, message.value, self.utc, self.run_warning)
        if contact is None:
            return
        if contact.record.group.lower() in self._options.reject_group:
            self._ledger.forget(contact.name)
        elif contact.name not in self._known:
            self._known[contact.name] = None
            self.post(f"COLLISION_DETECT_PARAMS_{contact.name.upper()}", self._summary)

    def iterate(self) -> None:
        """Update all pairs of vessels, and post the encounters that have ended."""
        tracks = {contact.name: contact.now(self.utc, DECAY) for contact in self._ledger}
        group = self._options.ignore_group
        ignored = [c.name for c in self._ledger if c.record.group.lower() in group]
        # also while conditions do not hold, so that pairs stay up to date
        encounters = self._monitor.look(tracks, ignored)
        self._post_closest()
        holds = (c.holds(self._values.get, self.utc) for c in self._options.condition)
        self._active = all(holds)
        for encounter in encounters if self._active else ():
            self._post_encounter(encounter, tracks)
        if self._options.encounter_rings:
            self._draw_rings(tracks)

    def _post_encounter(self, encounter: Encounter, tracks: dict[str, Track]) -> None:
        rank = _rank(encounter.cpa, self._ranges)
        self._count(ENCOUNTER, encounter, tracks)
        if rank != CLEAR:
            self._count(rank, encounter, tracks)
        self.event(f"{encounter.one} and {encounter.other}: {rank}, {encounter.cpa:.2f} m")
        if rank != CLEAR or self._options.report_all_encounters:
            self.post("UCD_REPORT", _report(encounter, rank))
        if rank != CLEAR and self._options.pulse_render:
            pulse = range_pulse(
                encounter.place,
                self._options.pulse_range,
                color=COLORS[rank],
                time=self.utc,
                duration=self._options.pulse_duration,
            )
            self.post("VIEW_RANGE_PULSE", pulse)

    def _count(self, kind: str, encounter: Encounter, tracks: dict[str, Track]) -> None:
        self._totals[kind] += 1
        for name in (encounter.one, encounter.other):
            self._of_vessel[name, kind] += 1
        for flag in self._options.flags.of(kind):
            flag_macros = _macros(flag, encounter, self._totals[ENCOUNTER], tracks)
            self.post(flag.named(flag_macros), flag.expanded(flag_macros))
        self.post(f"{kind.upper()}_TOTAL", self._totals[kind])

    def _post_closest(self) -> None:
        monitor, options = self._monitor, self._options
        if options.post_closest_range and monitor.closest < inf:
            self.post("UCD_CLOSEST_RANGE", monitor.closest)
        if options.post_closest_range_ever and monitor.closest_ever < inf:
            self.post("UCD_CLOSEST_RANGE_EVER", monitor.closest_ever)

    def _draw_rings(self, tracks: dict[str, Track]) -> None:
        for name, track in tracks.items():
            where = f"x={trimmed(track.x, 2)},y={trimmed(track.y, 2)}"
            ring = look(label=f"{name}rng", label_color="off", edge_color="white")
            radius = trimmed(self._ranges[ENCOUNTER], 2)
            self.post("VIEW_CIRCLE", f"{where},radius={radius},{ring}")

    def report(self) -> Iterable[str]:
        """Yield the counts, in total and per vessel, for the appcast."""
        yield f"active: {str(self._active).lower()}, {self._summary}"
        closest, ever = self._monitor.closest, self._monitor.closest_ever
        yield f"closest range: {closest:.2f} m, ever {ever:.2f} m"
        yield ", ".join(f"{kind}: {self._totals[kind]}" for kind in KINDS)
        for contact in self._ledger:
            counts = (f"{kind} {self._of_vessel[contact.name, kind]}" for kind in KINDS)
            yield f"{contact.name}: {', '.join(counts)}"


def _rank(cpa: float, ranges: Mapping[str, float]) -> str:
    """Return the kind of an encounter worse than the ordinary, or clear."""
    return next((kind for kind in (COLLISION, NEAR_MISS) if cpa <= ranges[kind]), CLEAR)


def _macros(
    flag: PostFlag, encounter: Encounter, number: int, tracks: Mapping[str, Track]
) -> Macros:
    """Return the macros of a flag; ``number`` is that of the encounter, counted from 1."""
    values: dict[str, float | str] = {
        "$CPA": encounter.cpa,
        "$IDX": float(number),
        "$V1": encounter.one,
        "$V2": encounter.other,
        "$UP_V1": encounter.one.upper(),
        "$UP_V2": encounter.other.upper(),
    }
    for found in _COUNT_MACRO.finditer(str(flag.value)):
        name = str(values.get(f"${found[1].upper()}", found[1]))
        values[found[0]] = float(_count_within(name, float(found[2]), tracks))
    return values


def _report(encounter: Encounter, rank: str) -> str:
    alpha, beta = trimmed360(encounter.alpha, 3), trimmed360(encounter.beta, 3)
    return (
        f"cpa={trimmed(encounter.cpa, 2)},vname1={encounter.one},vname2={encounter.other},"
        f"rank={rank}, alpha={alpha}, beta={beta}, "
        f"ptype={encounter.sides}, xtype={encounter.ends}"
    )


def _count_within(name: str, within: float, tracks: Mapping[str, Track]) -> int:
    """Return the number of vessels within a range [m] of one of them; 0 if it is unknown."""
    here = tracks.get(name)
    if here is None:
        return 0
    others = (track for other, track in tracks.items() if other != name)
    return sum(separation(here, track) <= within for track in others)
