"""What a mission's behavior files allow on the map: orders to a vessel, and points to be moved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steerageway.moos.bhv import BehaviorBlock, BehaviorFile, read_behaviors
from steerageway.moos.condition import ConditionError, parse_condition
from steerageway.moos.lines import unquote
from steerageway.moos.mission import MissionFile
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.seglist import Point, SegListError, parse_seglist
from steerageway.web.viewer.block import Choice, ViewerBlock

HELM, COPY = "pHelmIvP", "._bhv"
MOST_POINTS = 200  # of a behavior, which can be moved
ORDERS = {
    "deploy": re.compile(r"deploy|launch|go\b|start", re.IGNORECASE),
    "return": re.compile(r"return|home|rtb", re.IGNORECASE),
    "stay": re.compile(r"stay|station|hold|stop|pause", re.IGNORECASE),
}
"""Orders, and the beginning of the labels of buttons and actions that give them."""
USUAL = {
    "deploy": "MOOS_MANUAL_OVERRIDE=false DEPLOY=true RETURN=false STATION_KEEP=false",
    "return": "MOOS_MANUAL_OVERRIDE=false DEPLOY=true RETURN=true STATION_KEEP=false",
    "stay": "STATION_KEEP=true",
}
"""Posts of the orders by the names of MOOS-IvP's missions."""
NEEDED = {"deploy": "DEPLOY", "return": "RETURN", "stay": "STATION_KEEP"}
MOVABLE = {
    "bhv_waypoint": ("points", "point", "polygon"),
    "bhv_loiter": ("polygon",),
    "bhv_stationkeep": ("station_pt", "point"),
}
"""Behaviors whose points can be moved, and the keys of these; the first is that of an update."""


@dataclass(frozen=True, slots=True)
class Movable:
    """The points of a behavior that takes updates.

    Attributes:
        community, behavior: whose they are.
        variable: its ``updates``. key: of the points in an update.
        closed: whether they are a polygon.
        points: as the file has them [m].
    """

    community: str
    behavior: str
    variable: str
    key: str
    closed: bool
    points: tuple[Point, ...]

    def row(self) -> dict[str, Any]:
        """Return its form in the viewer protocol; ``label`` is that of the helm's drawing."""
        label = f"{self.community}_{self.behavior}"
        about = {name: getattr(self, name) for name in self.__slots__ if name != "points"}
        return {**about, "label": label, "points": [list(point) for point in self.points]}


@dataclass(slots=True)
class HelmFacts:
    """What a community's helm takes.

    Attributes:
        orders: order -> its posts.
        movable: behaviors whose points can be moved.
    """

    orders: dict[str, Choice] = field(default_factory=dict)
    movable: list[Movable] = field(default_factory=list)


def helm_facts(
    community: str, mission: MissionFile, homes: Sequence[Path], block: ViewerBlock | None
) -> HelmFacts:
    """Read a community's behavior files.

    Args:
        homes: the folders that relative paths refer to: the first one that has a file, or a copy
            of it (``*._bhv``), as beside a log.
        block: of the community's viewer, whose buttons are used for orders.
    Raises:
        FormatError: a file cannot be read.
    """
    helm = mission.block(HELM)
    if helm is None:
        return HelmFacts()
    file = BehaviorFile()
    for line in helm.lines:
        if line.key.lower() == "behaviors":
            file += read_behaviors(_found(homes, Path(unquote(line.value))))
    known = {one.name for one in file.initial} | set(_conditions(file))
    orders = {order: _order(order, block, known) for order in ORDERS}
    found = {order: choice for order, choice in orders.items() if choice is not None}
    return HelmFacts(found, [one for b in file.behaviors for one in _movable(community, b)])


def _found(homes: Sequence[Path], name: Path) -> Path:
    """Return the file of a name, or its copy; the last place looked at if there is none."""
    places = [place for home in homes for place in (home / name, home / f"{name.stem}{COPY}")]
    return next((place for place in places if place.is_file()), homes[-1] / name)


def _order(order: str, block: ViewerBlock | None, known: set[str]) -> Choice | None:
    """Return the mission's own posts for an order, or the usual ones that its helm knows."""
    own = [*block.buttons.values(), *block.actions] if block is not None else []
    for choice in own:
        if ORDERS[order].match(choice.label) and choice.posts:
            return choice
    if order == "stay" and NEEDED["stay"] not in known and "DEPLOY" in known:
        return Choice(order, [("DEPLOY", "false")])
    if NEEDED[order] not in known:
        return None
    posts = [tuple(post.split("=")) for post in USUAL[order].split()]
    return Choice(order, [(name, value) for name, value in posts if name in known])


def _conditions(file: BehaviorFile) -> Iterator[str]:
    """Yield the variables of all conditions."""
    for mode in file.modes:
        for condition in mode.conditions:
            yield from condition.variables
    for behavior in file.behaviors:
        for line in behavior.lines:
            if line.key.lower() == "condition":
                try:
                    yield from parse_condition(line.value).variables
                except ConditionError:
                    continue  # the helm reports it


def _movable(community: str, block: BehaviorBlock) -> Iterator[Movable]:
    keys = MOVABLE.get(block.kind.lower(), ())
    lines = {line.key.lower(): unquote(line.value) for line in block.lines}
    variable, name = lines.get("updates", ""), lines.get("name", "")
    text = next((lines[key] for key in keys if key in lines), "")
    points = _points(text, keys[:1] == ("polygon",)) if variable and name and text else ()
    if 0 < len(points) <= MOST_POINTS:
        yield Movable(community, name, variable, keys[0], keys[0] == "polygon", tuple(points))


def _points(text: str, closed: bool) -> Sequence[Point]:
    try:
        return parse_polygon(text).points if closed else parse_seglist(text).points
    except (PolygonError, SegListError):
        return ()  # of another form, as points = start_point, or wrong: the helm reports it
