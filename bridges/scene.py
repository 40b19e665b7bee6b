"""``Scene``: what a community posts, as Foxglove's messages: poses, fixes, drawings, log lines.

Foxglove's world is ENU, its vessels are FLU, as in ROS (REP-103).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, radians, sin
from typing import Any

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.foxglove import Json, stamp
from steerageway.apps.shared.measurements import Kind, kind_of, sensor_of
from steerageway.bus import Value
from steerageway.declarations import Number, field_of, truth
from steerageway.moos.node_report import NodeRecord, parse
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.seglist import SegListError, parse_seglist
from steerageway.moos.values import by_key
from steerageway.vessel.perception.measurement import unpack

NAVIGATION = (
    *("NAV_X", "NAV_Y", "NAV_DEPTH", "NAV_HEADING", "NAV_PITCH", "NAV_ROLL"),
    *("NAV_LAT", "NAV_LONG"),
)
_NEEDED = ("NAV_X", "NAV_Y", "NAV_HEADING")
_REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
_LEVELS = {"ERROR": 4, "WARNING": 3, "EVENT": 2}  # of foxglove.Log, by the end of a name
_UNIT = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
_CORNERS = 36  # of a circle
_COLOURS = {
    "VIEW_POINT": (1.0, 0.85, 0.2),
    "VIEW_SEGLIST": (0.3, 0.75, 1.0),
    "VIEW_POLYGON": (1.0, 0.5, 0.3),
    "VIEW_CIRCLE": (0.7, 0.5, 1.0),
    "contact": (1.0, 0.3, 0.3),
}

Out = tuple[str, str, Json]  # topic, schema, message


def time_of(message: Json) -> int:
    """Return the UTC of a message that a scene has made [ns]."""
    parts = [message] if "timestamp" in message else [*message["entities"], *message["deletions"]]
    return foxglove.time_of(parts[0])


class Scene:
    """Makes messages of a community's posts, in their order.

    Args:
        community: its name, which is also the frame of its vessel.

    Attributes:
        community: as given.
    """

    def __init__(self, community: str) -> None:
        self.community = community
        self._nav: dict[str, float] = {}
        self._at: int | None = None
        self._kinds: dict[str, Kind | None] = {}

    def take(self, name: str, value: Value, at: int) -> Iterator[Out]:
        """Yield the messages that a post makes.

        The pose of an instant follows with the first navigation of a later one, as its parts are
        posted one after another.

        Args:
            name, value: of the variable.
            at: UTC of the post [ns].
        """
        if name in NAVIGATION:
            if isinstance(value, float):
                if self._at != at:
                    yield from self.poses()
                self._nav[name], self._at = value, at
        elif (kind := self._kind_of(name)) is not None:
            yield from self._measured(kind, name, value, at)
        elif not isinstance(value, str):
            return
        elif name in _COLOURS:
            update = drawing(name, value, at)
            if update["entities"] or update["deletions"]:
                yield self._topic("scene"), "foxglove.SceneUpdate", update
        elif name in _REPORTS:
            yield from self._contact(value, at)
        elif (level := _LEVELS.get(name.rpartition("_")[2])) is not None:
            yield self._topic("log"), "foxglove.Log", _log(name, value, level, at)

    def poses(self) -> Iterator[Out]:
        """Yield pose and fix of the latest instant."""
        nav, at, name = self._nav, self._at, self.community
        if at is None:
            return
        if all(part in nav for part in _NEEDED):
            depth, roll, pitch = (nav.get(f"NAV_{k}", 0.0) for k in ("DEPTH", "ROLL", "PITCH"))
            state = (nav["NAV_Y"], nav["NAV_X"], depth, roll, pitch, radians(nav["NAV_HEADING"]))
            place = foxglove.frame_transform(state, name, at, foxglove.FLU)
            pose = {"position": place["translation"], "orientation": place["rotation"]}
            head = {"timestamp": stamp(at), "frame_id": foxglove.WORLD}
            yield foxglove.POSES, "foxglove.FrameTransform", place
            yield self._topic("pose"), "foxglove.PoseInFrame", {**head, "pose": pose}
        if "NAV_LAT" in nav and "NAV_LONG" in nav:
            yield self._topic("fix"), "foxglove.LocationFix", _fix(nav, name, at)
        self._at = None

    def _kind_of(self, name: str) -> Kind | None:
        if name not in self._kinds:
            self._kinds[name] = kind_of(name)
        return self._kinds[name]

    def _topic(self, name: str) -> str:
        return f"/{self.community}/{name}"

    def _measured(self, kind: Kind, name: str, value: Value, at: int) -> Iterator[Out]:
        sensor = sensor_of(name)
        try:
            if kind is Kind.CAMERA_INFO:
                made = foxglove.camera_calibration(str(value), sensor, at)
            else:
                one = unpack(value)
                made = foxglove.message_of(kind, one, sensor, at)
                place = foxglove.frame_transform(one.pose, sensor, at, foxglove.axes_of(kind))
                yield foxglove.POSES, "foxglove.FrameTransform", place
        except ValueError:
            return  # no measurement; the variable's own topic has it
        yield self._topic(f"{name}/view"), *made

    def _contact(self, text: str, at: int) -> Iterator[Out]:
        try:
            record = parse(text)
        except ValueError:
            return
        if record.x is None or record.y is None or record.name == self.community:
            return
        pose = pose_of(record)
        length = record.length or 4.0
        arrow = {
            "pose": pose,
            "shaft_length": 0.7 * length,
            "shaft_diameter": 0.3 * length,
            "head_length": 0.3 * length,
            "head_diameter": 0.5 * length,
            "color": _colour("contact"),
        }
        label = {
            "pose": pose,
            "billboard": True,
            "font_size": 12.0,
            "scale_invariant": True,
            "color": _colour("contact"),
            "text": record.name,
        }
        made = entity(f"contact {record.name}", at, arrows=[arrow], texts=[label])
        update = {"deletions": [], "entities": [made]}
        yield self._topic("scene"), "foxglove.SceneUpdate", update


def pose_of(record: NodeRecord) -> Json:
    """Return the pose of a reported vessel: FLU in ENU."""
    turn = radians(90.0 - (record.heading or 0.0)) / 2
    return {
        "position": {"x": record.x, "y": record.y, "z": -(record.depth or 0.0)},
        "orientation": {"x": 0.0, "y": 0.0, "z": sin(turn), "w": cos(turn)},
    }


def drawing(name: str, text: str, at: int) -> Json:
    """Return a ``VIEW_*`` as an update of the scene; one that cannot be drawn updates nothing."""
    fields = by_key(text)
    update: Json = {"deletions": [], "entities": []}
    label = f"{name} {fields.get('label', '')}".strip()
    if truth(fields.get("active", "true")) is False:
        update["deletions"].append({"timestamp": stamp(at), "type": 0, "id": label})
        return update
    try:
        points, closed = _outline(name, text, fields)
    except (PolygonError, SegListError, KeyError, ValueError):
        return update
    if len(points) == 1:
        size = {"x": 2.0, "y": 2.0, "z": 2.0}
        ball = {"pose": _at(points[0]), "size": size, "color": _colour(name)}
        update["entities"].append(entity(label, at, spheres=[ball]))
    elif points:
        line = {
            "type": 1 if closed else 0,  # LINE_LOOP, LINE_STRIP
            "pose": _at((0.0, 0.0)),
            "thickness": 2.0,
            "scale_invariant": True,
            "points": [{"x": x, "y": y, "z": 0.0} for x, y in points],
            "color": _colour(name),
            "colors": [],
            "indices": [],
        }
        update["entities"].append(entity(label, at, lines=[line]))
    return update


def _outline(
    name: str, text: str, fields: dict[str, str]
) -> tuple[Sequence[tuple[float, float]], bool]:
    if name == "VIEW_SEGLIST":
        return parse_seglist(text).points, False
    if name == "VIEW_POLYGON":
        return parse_polygon(text).points, True
    x, y = (field_of(fields, key, Number()) for key in ("x", "y"))
    if name == "VIEW_POINT":
        return [(x, y)], False
    radius = field_of(fields, "radius" if fields.get("radius") else "rad", Number(low=0.0))
    turns = (2 * pi * k / _CORNERS for k in range(_CORNERS))
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns], True


def entity(label: str, at: int, **shapes: list[Json]) -> Json:
    """Return an entity of the scene in the world, with shapes by their kind."""
    empty: dict[str, list[Any]] = {
        kind: []
        for kind in ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts")
    }
    return {
        "timestamp": stamp(at),
        "frame_id": foxglove.WORLD,
        "id": label,
        "lifetime": {"sec": 0, "nsec": 0},
        "frame_locked": True,
        "metadata": [],
        **empty,
        "models": [],
        **shapes,
    }


def _at(point: tuple[float, float]) -> Json:
    return {"position": {"x": point[0], "y": point[1], "z": 0.0}, "orientation": _UNIT}


def _colour(kind: str) -> Json:
    return {**dict(zip("rgb", _COLOURS[kind], strict=True)), "a": 1.0}


def _fix(nav: dict[str, float], frame: str, at: int) -> Json:
    return {
        "timestamp": stamp(at),
        "frame_id": frame,
        "latitude": nav["NAV_LAT"],
        "longitude": nav["NAV_LONG"],
        "altitude": -nav.get("NAV_DEPTH", 0.0),
        "position_covariance": [0.0] * 9,
        "position_covariance_type": 0,  # unknown
    }


def _log(name: str, text: str, level: int, at: int) -> Json:
    head = {"timestamp": stamp(at), "level": level}
    return {**head, "message": text, "name": name, "file": "", "line": 0}
