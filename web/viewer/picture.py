"""The viewer's picture at an instant: vessels, shapes and helms, made from messages. No I/O.

The messages are those of a live run as they arrive, or those of a log up to a time. Only the last
message of each column (see ``column_of``) has an effect: of a variable the last one, of drawings
the last one of each label. So a picture can be made from these last messages alone, which makes
seeking in a log fast.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import nan
from typing import Any

from steerageway.declarations import finite
from steerageway.moos.node_report import NodeRecord, NodeReportError
from steerageway.moos.node_report import parse as parse_node_report
from steerageway.web.viewer.colors import css_color
from steerageway.web.viewer.shapes import (
    COMMS_LASTS,
    KINDS,
    PULSE_LASTS,
    Shape,
    apply_delta,
    label_of,
    parse_shape,
)

UTC_FROM = 1e8  # times above this are UTC, others seconds of the run
GRID_DELTA = "VIEW_GRID_DELTA"
CLEARS = ("PMV_CLEAR",)
MOST_DRAWINGS = 5000  # of a community, the latest ones; a page draws them in a moment
MOST_TEXT = 4_000_000  # characters of all their texts
LONGEST_TROUBLE = 300  # characters
_CELLS = " cells"  # after a grid's key: a change of its cells
_LASTS = {"range_pulse": PULSE_LASTS, "comms_pulse": COMMS_LASTS}
_STATE = {
    "NAV_X": "x",
    "NAV_Y": "y",
    "NAV_HEADING": "heading",
    "NAV_SPEED": "speed",
    "NAV_DEPTH": "depth",
    "NAV_HEAVE": "heave",
    "NAV_ROLL": "roll",
    "NAV_PITCH": "pitch",
}
_HELM_TEXT = {"IVPHELM_STATE": "state", "MODE": "mode", "IVPHELM_ALLSTOP": "allstop"}
_HELM_NUMBER = {
    "IVPHELM_ITER": "iteration",
    "DESIRED_HEADING": "course",
    "DESIRED_SPEED": "speed",
    "DESIRED_DEPTH": "depth",
}
_HELM_LIST = {
    "IVPHELM_BHV_ACTIVE": "active",
    "IVPHELM_BHV_RUNNING": "running",
    "IVPHELM_BHV_IDLE": "idle",
    "IVPHELM_BHV_COMPLETED": "completed",
}
_NUMBERS = frozenset((*_STATE, *_HELM_NUMBER))
SUMMARY = "IVPHELM_SUMMARY"
_SUMMARY_LIST = {f"{name}_bhvs": name for name in _HELM_LIST.values()}
_REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
VARIABLES = (
    *(*_STATE, *_HELM_TEXT, *_HELM_NUMBER, *_HELM_LIST),
    *(*KINDS, GRID_DELTA, *CLEARS, *_REPORTS),
)  # of a live run; logs of MOOS-IvP's own helm need its summary, too
RELEVANT = frozenset((*VARIABLES, SUMMARY))


def column_of(name: str, value: object) -> str | None:
    """Return the column of a message: of each column a picture needs the last message only.

    Returns: None if the message has no effect on the picture; of a column that ends with "*" all
        messages are needed.
    """
    if name not in RELEVANT:
        return None
    if name == GRID_DELTA:
        return f"{name}*"
    if name in KINDS and isinstance(value, str):
        label = label_of(name, value)
        return f"{name} {label}" if label else f"{name}*"
    if name == "NODE_REPORT" and isinstance(value, str):
        return f"{name} {_name_in(value)}"
    if name == SUMMARY and isinstance(value, str):
        told = [key for key in _SUMMARY_LIST if f",{key}=" in value]
        return f"{name} {','.join(told)}" if told else None
    return name


def is_drawing(column: str) -> bool:
    """Whether a column is of drawings, of which a picture keeps the latest only."""
    return column.partition(" ")[0].removesuffix("*") in KINDS


def number_in(value: object) -> float | None:
    """Return a number; logs have numbers with exponents as text. None: it is none."""
    if isinstance(value, str):
        return finite(value)
    return value if isinstance(value, float) else None


def behaviors_in(summary: str) -> dict[str, list[str]]:
    """Read the lists of behaviors in a helm's summary, which contains only those that changed.

    Returns: "active", "running" ... -> names.
    """
    found = {}
    for key, attribute in _SUMMARY_LIST.items():
        _, told, rest = summary.partition(f",{key}=")
        if told:
            listed = [one.partition("$")[0] for one in rest.partition(",")[0].split(":")]
            found[attribute] = [name for name in listed if name not in ("", "none")]
    return found


def _name_in(report: str) -> str:
    """Return the vessel's name in a node report without parsing the rest."""
    start = report.upper().find("NAME=")
    return report[start + 5 :].partition(",")[0].strip() if start >= 0 else ""


@dataclass(slots=True)
class Vessel:
    """A vessel at an instant; unknown numbers are NaN.

    Attributes:
        name: of its community, or as reported.
        own: whether its community is one of the run; otherwise it is a contact.
        x, y, heading, speed, depth, roll, pitch: see ``docs/viewer_protocol.md``.
        heave: down from the calm surface [m]; has precedence over depth.
        time: of its position [s].
        record: its own node report, or the latest of others about it.
    """

    name: str
    own: bool
    x: float = nan
    y: float = nan
    heading: float = nan
    speed: float = nan
    depth: float = nan
    heave: float = nan
    roll: float = nan
    pitch: float = nan
    time: float = nan
    record: NodeRecord = field(default_factory=NodeRecord)

    @property
    def placed(self) -> bool:
        """Whether its position is known."""
        return self.x == self.x and self.y == self.y

    def row(self, now: float) -> tuple[float, ...]:
        """Return its row in a scene frame."""
        depth = self.heave if self.heave == self.heave else self.depth
        age = max(0.0, now - self.time)
        return self.x, self.y, self.heading, self.speed, depth, self.roll, self.pitch, age

    def look(self) -> dict[str, Any]:
        """Return its entry in the roster."""
        record = self.record
        return {
            "name": self.name,
            "community": self.name if self.own else "",
            "kind": "own" if self.own else "contact",
            "type": record.type.lower(),
            "color": css_color(record.color) or "",
            "length": record.length or None,
            "beam": record.beam or None,
            "group": record.group,
        }


@dataclass(slots=True)
class Helm:
    """A helm's state, active behaviors and decision; ``row`` is its form in the protocol."""

    community: str
    state: str = ""
    mode: str = ""
    allstop: str = ""
    active: list[str] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    iteration: float | None = None
    course: float | None = None
    speed: float | None = None
    depth: float | None = None
    t: float = 0.0

    def row(self) -> dict[str, Any]:
        """Return its fields by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


class Picture:
    """The picture at an instant.

    Args:
        communities: of the run, in order.
        epoch: UTC of time zero [s], for times within texts.

    Attributes:
        time: of the picture [s].
        vessels: name -> vessel; those of communities also before they have a position.
        shapes: key -> shape, in the order of their last changes.
        helms: community -> helm; without a state if the community has no helm.
        roster: counts new vessels and changes of their roster entries.
        revision: counts changes of shapes. decisions: counts those of helms.
        troubles: key of a shape or vessel -> why its last message could not be used.
        thinned: communities with more drawings than are kept.
        noted: counts changes of these two.
    """

    def __init__(self, communities: Sequence[str], epoch: float) -> None:
        self.time = 0.0
        self.vessels: dict[str, Vessel] = {}
        self.shapes: OrderedDict[str, Shape] = OrderedDict()
        self.helms: dict[str, Helm] = {}
        self.roster = self.revision = self.decisions = self.noted = 0
        self.troubles: dict[str, str] = {}
        self.thinned: set[str] = set()
        self._epoch = epoch
        self._own: set[str] = set()
        self._changed: OrderedDict[str, int] = OrderedDict()
        self._decided: dict[str, int] = {}
        self._listed: set[tuple[str, str]] = set()  # lists that are posted: not from summaries
        self._ends: list[tuple[float, str]] = []
        self._unnamed: dict[tuple[str, str], int] = {}
        self._sizes: dict[str, OrderedDict[str, int]] = {}  # of drawings, the latest at the end
        self._totals: dict[str, int] = {}
        for name in communities:
            self.observe(name)

    def observe(self, community: str) -> None:
        """Add a community."""
        self.vessels[community] = Vessel(community, own=True)
        self._own.add(community.lower())

    def take(self, community: str, name: str, value: object, time: float) -> None:
        """Apply a message.

        Args:
            community: the community in which it was posted.
            name, value: the variable and its value.
            time: of the message [s].
        """
        if name in _NUMBERS or isinstance(value, float):
            self._take_number(community, name, number_in(value), time)
        elif not isinstance(value, str):
            return
        elif name in KINDS:
            self._draw(community, name, value, time)
        elif name in _REPORTS:
            self._take_report(community, name, value, time)
        elif name == GRID_DELTA:
            self._take_delta(community, value)
        elif name in _HELM_TEXT:
            self._decide(community, _HELM_TEXT[name], value, time)
        elif name in _HELM_LIST:
            found = [word.strip() for word in value.split(",")]
            self._listed.add((community, _HELM_LIST[name]))
            self._decide(community, _HELM_LIST[name], [w for w in found if w], time)
        elif name == SUMMARY:
            self._take_summary(community, value, time)
        if name in CLEARS:
            self._clear(community)

    def advance(self, time: float) -> None:
        """Set the time and remove shapes whose duration is over."""
        self.time = time
        while self._ends and self._ends[0][0] < time:
            until, key = heappop(self._ends)
            if key in self.shapes and self.shapes[key]["until"] == until:
                self._drop(key)

    def clear(self) -> None:
        """Remove everything at a new case; revision and roster keep counting."""
        for key in list(self.shapes):
            self._drop(key)
        own = [vessel.name for vessel in self.vessels.values() if vessel.own]
        self.vessels = {name: Vessel(name, own=True) for name in own}
        self.helms.clear()
        self._listed.clear()
        for forgotten in (self._unnamed, self._sizes, self._totals, self.troubles, self.thinned):
            forgotten.clear()
        self.roster += 1
        self.noted += 1

    def placed(self) -> list[Vessel]:
        """Return the vessels with a position: the communities' own, then contacts by name."""
        own = [vessel for vessel in self.vessels.values() if vessel.own and vessel.placed]
        others = [one for one in self.vessels.values() if not one.own and one.placed]
        return own + sorted(others, key=lambda vessel: vessel.name)

    def changes(self, since: int) -> tuple[list[Shape], list[str]]:
        """Return new or changed shapes since a revision, and keys of removed ones."""
        put: list[Shape] = []
        drop: list[str] = []
        for key, revision in reversed(self._changed.items()):
            if revision <= since:
                break
            if key in self.shapes:
                put.append(self.shapes[key])
            else:
                drop.append(key)
        return put[::-1], drop

    def decided(self, since: int) -> list[Helm]:
        """Return the helms that changed since a count of ``decisions``."""
        return [
            helm
            for community, helm in self.helms.items()
            if helm.state and self._decided.get(community, 0) > since
        ]

    def _take_number(self, community: str, name: str, value: float | None, time: float) -> None:
        if name in _STATE:
            vessel = self.vessels[community]
            was = vessel.placed
            setattr(vessel, _STATE[name], nan if value is None else value)
            if name in ("NAV_X", "NAV_Y"):
                vessel.time = time
                self.roster += vessel.placed != was
        elif name in _HELM_NUMBER:
            self._decide(community, _HELM_NUMBER[name], value, time)

    def _decide(self, community: str, attribute: str, value: object, time: float) -> None:
        helm = self.helms.setdefault(community, Helm(community))
        changed = getattr(helm, attribute) != value
        setattr(helm, attribute, value)
        helm.t = time
        if changed:
            self.decisions += 1
            self._decided[community] = self.decisions

    def _take_summary(self, community: str, text: str, time: float) -> None:
        for attribute, names in behaviors_in(text).items():
            if (community, attribute) not in self._listed:
                self._decide(community, attribute, names, time)

    def _take_report(self, community: str, name: str, text: str, time: float) -> None:
        key = f"{community} {name} {_name_in(text)}"
        try:
            record = parse_node_report(text)
        except NodeReportError as error:
            self._note_trouble(key, f"{community}: {error}")
            return
        self._note_trouble(key)
        if name == "NODE_REPORT_LOCAL":
            self._describe(self.vessels[community], record)
        elif record.name.lower() not in self._own and record.has_local_position:
            vessel = self.vessels.get(record.name)
            if vessel is None:
                vessel = self.vessels[record.name] = Vessel(record.name, own=False)
                self.roster += 1
            elif time < vessel.time:
                return  # another community has received a later report
            self._describe(vessel, record)
            vessel.x, vessel.y, vessel.time = record.x or 0.0, record.y or 0.0, time
            for attribute in ("heading", "speed", "depth"):
                number = getattr(record, attribute)
                setattr(vessel, attribute, nan if number is None else number)

    def _describe(self, vessel: Vessel, record: NodeRecord) -> None:
        before = vessel.look()
        vessel.record = record
        if vessel.look() != before:
            self.roster += 1

    def _draw(self, community: str, name: str, text: str, time: float) -> None:
        label = label_of(name, text)
        if not label:
            self._unnamed[community, name] = self._unnamed.get((community, name), 0) + 1
            label = f"#{self._unnamed[community, name]}"
        key = f"{community} {name} {label}"
        self._drop(key)
        self._note_trouble(key)
        self._note_trouble(f"{key}{_CELLS}")
        try:
            shape = parse_shape(name, text)
        except (ValueError, ArithmeticError) as error:
            self._note_trouble(key, f"{community}: {name}: {error}")
            self._keep_latest(community, key, 0)
            return
        if not shape.pop("active"):
            self._keep_latest(community, key, 0)
            return
        stamp, lasts = shape.pop("time"), shape.pop("duration")
        began = time if stamp is None else self._run_time(stamp)
        if lasts is None:
            lasts = _LASTS.get(shape["kind"])
        until = None if lasts is None else began + lasts
        shape |= {"key": key, "community": community, "var": name, "t": began, "until": until}
        self.shapes[key] = shape
        if until is not None:
            heappush(self._ends, (until, key))
        self._touch(key)
        self._keep_latest(community, key, len(text) + len(shape.get("cells", ())))

    def _keep_latest(self, community: str, key: str, size: int) -> None:
        """Forget the earliest drawings of a community that has too many."""
        sizes = self._sizes.setdefault(community, OrderedDict())
        total = self._totals.get(community, 0) + size - sizes.pop(key, 0)
        sizes[key] = size
        while len(sizes) > MOST_DRAWINGS or (total > MOST_TEXT and len(sizes) > 1):
            earliest, freed = sizes.popitem(last=False)
            total -= freed
            self._drop(earliest)
            self._note_trouble(earliest)
            self.noted += community not in self.thinned
            self.thinned.add(community)
        self._totals[community] = total

    def _take_delta(self, community: str, text: str) -> None:
        key = f"{community} VIEW_GRID {label_of(GRID_DELTA, text)}"
        if key not in self.shapes:
            return
        shape = dict(self.shapes[key])
        try:
            apply_delta(shape, text)
        except (ValueError, ArithmeticError) as error:
            self._note_trouble(f"{key}{_CELLS}", f"{community}: {GRID_DELTA}: {error}")
            return
        self.shapes[key] = shape
        self._touch(key)

    def _clear(self, community: str) -> None:
        for key in [key for key, shape in self.shapes.items() if shape["community"] == community]:
            self._drop(key)
        for key in [k for k in self.troubles if k.startswith(f"{community} VIEW_")]:
            self._note_trouble(key)

    def _drop(self, key: str) -> None:
        if self.shapes.pop(key, None) is not None:
            self._note_trouble(f"{key}{_CELLS}")
            self._touch(key)

    def _touch(self, key: str) -> None:
        self.revision += 1
        self._changed[key] = self.revision
        self._changed.move_to_end(key)

    def _run_time(self, stamp: float) -> float:
        return round(stamp - self._epoch, 6) if stamp > UTC_FROM else stamp

    def _note_trouble(self, key: str, text: str = "") -> None:
        """Note why the last message of a shape or vessel cannot be used; "": it can."""
        if text:
            self.troubles[key] = text[:LONGEST_TROUBLE]
            self.noted += 1
        elif self.troubles.pop(key, None) is not None:
            self.noted += 1


def shapes_in_order(picture: Picture) -> Iterator[Shape]:
    """Yield the shapes by key: an order that does not depend on the order of messages."""
    for key in sorted(picture.shapes):
        yield picture.shapes[key]
