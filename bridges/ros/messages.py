"""Messages of ROS 2 (Jazzy): made of members by name, and of Foxglove's messages of a scene.

Both have ENU worlds and FLU vessels (REP-103, REP-105), so only names and layouts differ.
"""

from __future__ import annotations

import re
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from steerageway.apps.shared.foxglove import Json

STORE = get_typestore(Stores.ROS2_JAZZY)


def _without_char(definition: Any) -> Any:
    """Return a member's definition with ``char`` as ``uint8``, which it is for a type's hash."""
    node, about = definition
    if node == Nodetype.BASE:
        return (node, ("uint8", 0)) if about[0] == "char" else definition
    return definition if node == Nodetype.NAME else (node, (_without_char(about[0]), about[1]))


for _kind, (_constants, _fields) in STORE.fielddefs.items():
    STORE.fielddefs[_kind] = (_constants, [(name, _without_char(one)) for name, one in _fields])

# Packages that rosbags does not have: vision_msgs 4 of Jazzy, and Panisim's own.
for _kind, _definition in {
    "vision_msgs/msg/ObjectHypothesis": "string class_id\nfloat64 score",
    "vision_msgs/msg/ObjectHypothesisWithPose": "vision_msgs/ObjectHypothesis hypothesis\n"
    "geometry_msgs/PoseWithCovariance pose",
    "vision_msgs/msg/BoundingBox3D": "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
    "vision_msgs/msg/Detection3D": "std_msgs/Header header\n"
    "vision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox3D bbox\nstring id",
    "vision_msgs/msg/Detection3DArray": "std_msgs/Header header\n"
    "vision_msgs/Detection3D[] detections",
    "interfaces/msg/Actuator": "std_msgs/Header header\n"
    "string[] actuator_names\nfloat64[] actuator_values",
}.items():
    STORE.register(get_types_from_msg(_definition, _kind))
Made = tuple[str, str, Any]  # topic, type, message
_STRIP, _SPHERE, _ARROW, _TEXT = 4, 2, 0, 9  # of visualization_msgs/Marker
_ADD, _DELETE = 0, 2
_ODD = re.compile(r"[^A-Za-z0-9_/]")


def message(kind: str, members: Json) -> Any:
    """Return a message of a type, as ``nav_msgs/msg/Odometry``; members left out are 0 or empty.

    Raises:
        ValueError, TypeError: a member does not exist, or has another type.
    """
    made, fields = _maker(kind)
    if not isinstance(members, dict):
        raise TypeError(f"{kind}: expected its members by name, not {str(members)[:40]}")
    if not members.keys() <= fields.keys():
        raise ValueError(f"{kind}: no member {sorted(members.keys() - fields.keys())[0]}")
    return made(*[value(members.get(name)) for name, value in fields.items()])


@cache
def _maker(kind: str) -> tuple[Callable[..., Any], dict[str, Callable[[Any], Any]]]:
    """Return a type's class, and what makes each of its members of a given value."""
    _, fields = STORE.fielddefs[kind]
    return STORE.types[kind], {name: _value_of(definition) for name, definition in fields}


def _value_of(definition: Any) -> Callable[[Any], Any]:
    node, about = definition
    if node == Nodetype.BASE:
        return _plain(about[0])
    if node == Nodetype.NAME:
        return lambda given: message(about, given or {})
    inner, length = about
    fixed = length if node == Nodetype.ARRAY else 0
    if inner[0] == Nodetype.BASE and inner[1][0] != "string":
        kind = np.dtype({"octet": "uint8", "byte": "uint8"}.get(inner[1][0], inner[1][0]))
        return lambda given: (
            np.zeros(fixed, dtype=kind) if given is None else np.asarray(given, dtype=kind)
        )
    one = _value_of(inner)
    return lambda given: [one(item) for item in ([None] * fixed if given is None else given)]


def _plain(name: str) -> Callable[[Any], Any]:
    if name == "string":
        return lambda given: "" if given is None else str(given)
    if name == "bool":
        return bool
    kind = float if name.startswith("float") else int
    return lambda given: kind(given or 0)


def whole_kind(text: str) -> str:
    """Return ``geometry_msgs/Twist`` with its middle part."""
    package, _, name = text.replace("/msg/", "/").partition("/")
    return f"{package}/msg/{name}"


def topic_name(text: str) -> str:
    """Return a name with underscores for what a topic of ROS may not contain."""
    return _ODD.sub("_", text)


def variable(value: float | str) -> Made:
    """Return type and members of a variable's message; its topic is ""."""
    if isinstance(value, str):
        return "", "std_msgs/msg/String", message("std_msgs/msg/String", {"data": value})
    return "", "std_msgs/msg/Float64", message("std_msgs/msg/Float64", {"data": value})


def of_scene(topic: str, schema: str, made: Json) -> Iterator[Made]:
    """Yield the ROS messages of one of Foxglove's; of other schemas none.

    Args:
        topic, schema, made: as ``Scene`` makes them.
    """
    convert = _CONVERTED.get(schema)
    if convert is not None:
        kind, members = convert(topic, made)
        yield topic, kind, message(kind, members)


def _time(made: Json) -> Json:
    return {"sec": made["timestamp"]["sec"], "nanosec": made["timestamp"]["nsec"]}


def _head(made: Json, frame: str) -> Json:
    return {"stamp": _time(made), "frame_id": frame}


def _transform(topic: str, made: Json) -> tuple[str, Json]:
    one = {
        "header": _head(made, made["parent_frame_id"]),
        "child_frame_id": made["child_frame_id"],
        "transform": {"translation": made["translation"], "rotation": made["rotation"]},
    }
    return "tf2_msgs/msg/TFMessage", {"transforms": [one]}


def _odometry(topic: str, made: Json) -> tuple[str, Json]:
    return "nav_msgs/msg/Odometry", {
        "header": _head(made, made["frame_id"]),
        "child_frame_id": topic.split("/")[1],
        "pose": {"pose": made["pose"]},
    }


def _fix(topic: str, made: Json) -> tuple[str, Json]:
    return "sensor_msgs/msg/NavSatFix", {
        "header": _head(made, made["frame_id"]),
        "latitude": made["latitude"],
        "longitude": made["longitude"],
        "altitude": made["altitude"],
        "position_covariance": made["position_covariance"],
        "position_covariance_type": made["position_covariance_type"],
    }


def _cloud(topic: str, made: Json) -> tuple[str, Json]:
    data = np.frombuffer(b64decode(made["data"]), "u1")
    stride = made["point_stride"]
    width = len(data) // stride
    return "sensor_msgs/msg/PointCloud2", {
        "header": _head(made, made["frame_id"]),
        "height": 1,
        "width": width,
        "fields": [
            {"name": one["name"], "offset": one["offset"], "datatype": one["type"], "count": 1}
            for one in made["fields"]
        ],
        "point_step": stride,
        "row_step": stride * width,
        "data": data,
        "is_dense": True,
    }


def _image(topic: str, made: Json) -> tuple[str, Json]:
    return "sensor_msgs/msg/Image", {
        "header": _head(made, made["frame_id"]),
        **{key: made[key] for key in ("height", "width", "encoding", "step")},
        "is_bigendian": sys.byteorder == "big",
        "data": np.frombuffer(b64decode(made["data"]), "u1"),
    }


def _compressed(topic: str, made: Json) -> tuple[str, Json]:
    return "sensor_msgs/msg/CompressedImage", {
        "header": _head(made, made["frame_id"]),
        "format": made["format"],
        "data": np.frombuffer(b64decode(made["data"]), "u1"),
    }


def _calibration(topic: str, made: Json) -> tuple[str, Json]:
    return "sensor_msgs/msg/CameraInfo", {
        "header": _head(made, made["frame_id"]),
        **{key: made[key] for key in ("height", "width", "distortion_model")},
        **{key.lower(): made[key] for key in "DKRP"},
    }


def _log(topic: str, made: Json) -> tuple[str, Json]:
    level = 10 * made["level"]  # Foxglove's 1 to 5, ROS's 10 to 50
    stamp = _time(made)
    return "rcl_interfaces/msg/Log", {
        "stamp": stamp,
        "level": level,
        "name": made["name"],
        "msg": made["message"],
    }


def _markers(topic: str, made: Json) -> tuple[str, Json]:
    markers = [
        {"header": _head(one, ""), "ns": one["id"], "action": _DELETE} for one in made["deletions"]
    ]
    for one in made["entities"]:
        head = {"header": _head(one, one["frame_id"]), "ns": one["id"], "action": _ADD}
        for line in one["lines"]:
            ends = line["points"] + (line["points"][:1] if line["type"] == 1 else [])
            drawn = {"type": _STRIP, "points": ends, "scale": {"x": 0.5}, "pose": line["pose"]}
            markers.append({**head, **drawn, "color": line["color"]})
        for ball in one["spheres"]:
            drawn = {"type": _SPHERE, "pose": ball["pose"], "scale": ball["size"]}
            markers.append({**head, **drawn, "color": ball["color"]})
        for arrow in one["arrows"]:
            scale = {
                "x": arrow["shaft_length"] + arrow["head_length"],
                "y": arrow["head_diameter"],
                "z": arrow["head_diameter"],
            }
            drawn = {"type": _ARROW, "pose": arrow["pose"], "scale": scale}
            markers.append({**head, **drawn, "color": arrow["color"]})
        for text in one["texts"]:
            drawn = {"type": _TEXT, "pose": text["pose"], "scale": {"z": 4.0}, "text": text["text"]}
            markers.append({**head, **drawn, "id": 1, "color": text["color"]})
    return "visualization_msgs/msg/MarkerArray", {"markers": markers}


_CONVERTED: Mapping[str, Callable[[str, Json], tuple[str, Json]]] = {
    "foxglove.FrameTransform": _transform,
    "foxglove.PoseInFrame": _odometry,
    "foxglove.LocationFix": _fix,
    "foxglove.Log": _log,
    "foxglove.PointCloud": _cloud,
    "foxglove.RawImage": _image,
    "foxglove.CompressedImage": _compressed,
    "foxglove.CameraCalibration": _calibration,
    "foxglove.SceneUpdate": _markers,
}
