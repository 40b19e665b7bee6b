"""Conversion of measurements, poses and other values to Foxglove messages in JSON, and back.

Foxglove's world is ENU (frame ``map``: x east, y north, z up), its LiDARs are FLU (x ahead, y to
port, z up), and its cameras have optical frames (x to the right, y down, z ahead). Here they are
NED and FRD. Source: Foxglove's schemas, docs.foxglove.dev, and ROS's REP-103.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.measurements import CLOUDS, Kind
from steerageway.declarations import json_of
from steerageway.moos.values import by_key
from steerageway.vessel.kinematics import eul_to_rotm, rotm_to_eul, rotm_to_quat
from steerageway.vessel.kinematics import quat_to_rotm as matrix_of
from steerageway.vessel.perception.files import png, read_png
from steerageway.vessel.perception.measurement import Box, Cuboid, Measurement, Visibility
from steerageway.world.numbers import read_finite

Floats = NDArray[np.float64]
Json = dict[str, Any]
WORLD, POSES = "map", "/tf"  # the world's frame; the topic of sensor poses in it
NED_TO_ENU = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
FLU = np.diag((1.0, -1.0, -1.0))  # its axes in FRD, by columns
OPTICAL = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # likewise
_FLOAT32 = 7
_ENCODINGS = {"|u1": "8UC1", "<u2": "16UC1", "<f4": "32FC1"}
_TYPES = {encoding: dtype for dtype, encoding in _ENCODINGS.items()}
_WIDE = ("<u4", "<i4")
_CALIBRATION = ("width", "height", "distortion_model", "D", "K", "R", "P")
NANO = 10**9


def _object(members: str) -> Json:
    """Return the schema of an object with members ``NAME KIND, NAME KIND``."""
    named = (member.split() for member in members.split(", "))
    return {"type": "object", "properties": {name: _KINDS[kind] for name, kind in named}}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


_KINDS: dict[str, Json] = {
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "text": {"type": "string"},
    "flag": {"type": "boolean"},
    "value": {"description": "a number or a text"},
    "data": {"type": "string", "contentEncoding": "base64"},
    "numbers": _list({"type": "number"}),
    "texts": _list({"type": "string"}),
    "rows": _list({"type": "array"}),
    "items": _list({"type": "object"}),
}
_KINDS["stamp"] = _object("sec whole, nsec whole")
_KINDS["vector"] = _object("x number, y number, z number")
_KINDS["quaternion"] = _object("x number, y number, z number, w number")
_KINDS["pose"] = _object("position vector, orientation quaternion")
_KINDS["fields"] = _list(_object("name text, offset whole, type whole"))
_KINDS["deletions"] = _list(_object("timestamp stamp, type whole, id text"))
_KINDS["entities"] = _list(
    _object(
        "timestamp stamp, frame_id text, id text, lifetime stamp, frame_locked flag, lines items, "
        "spheres items, arrows items, texts items"
    )
)
_HEAD = "timestamp stamp, frame_id text"
_LABELS = "classes texts, boxes rows, cuboids rows, visibility rows"
SCHEMAS: Mapping[str, Json] = {
    "foxglove.PointCloud": _object(
        f"{_HEAD}, pose pose, point_stride whole, fields fields, data data, {_LABELS}"
    ),
    "foxglove.RawImage": _object(
        f"{_HEAD}, width whole, height whole, encoding text, step whole, data data, {_LABELS}"
    ),
    "foxglove.CompressedImage": _object(f"{_HEAD}, data data, format text"),
    "foxglove.CameraCalibration": _object(
        f"{_HEAD}, width whole, height whole, distortion_model text, D numbers, K numbers, "
        "R numbers, P numbers"
    ),
    "foxglove.FrameTransform": _object(
        "timestamp stamp, parent_frame_id text, child_frame_id text, translation vector, "
        "rotation quaternion"
    ),
    "foxglove.PoseInFrame": _object(f"{_HEAD}, pose pose, velocity vector"),
    "steerageway.Reading": _object(f"{_HEAD}, sensor text, time number"),
    "steerageway.Value": _object("timestamp stamp, value value"),
    "foxglove.LocationFix": _object(
        f"{_HEAD}, latitude number, longitude number, altitude number, "
        "position_covariance numbers, position_covariance_type whole"
    ),
    "foxglove.Log": _object(
        "timestamp stamp, level whole, message text, name text, file text, line whole"
    ),
    "foxglove.SceneUpdate": _object("deletions deletions, entities entities"),
}
"""JSON schemas of the messages, by their names; most are Foxglove's."""


@cache
def schema_text(name: str) -> bytes:
    """Return the contents of a schema's file."""
    return json.dumps({"title": name, **SCHEMAS[name]}, separators=(",", ":")).encode()


def axes_of(kind: Kind | None) -> Floats:
    """Return the axes of a sensor's frame in FRD, by columns: optical for cameras, else FLU."""
    return FLU if kind in (Kind.LIDAR, Kind.SONAR, None) else OPTICAL


def message_of(kind: Kind | None, one: Measurement, frame: str, at: int) -> tuple[str, Json]:
    """Return the name of a schema, and a measurement as a message of it.

    Args:
        kind: of the measurement.
        one: the measurement.
        frame: of its sensor.
        at: UTC [ns].
    Raises:
        ValueError: no schema fits.
    """
    head = {"timestamp": stamp(at), "frame_id": frame}
    if kind in CLOUDS:
        return "foxglove.PointCloud", head | _cloud(one, axes_of(kind))
    if kind is Kind.RGB:
        image = _base64(png(np.ascontiguousarray(one.data)))
        return "foxglove.CompressedImage", head | {"data": image, "format": "png"}
    return "foxglove.RawImage", head | _image(one)


def _cloud(one: Measurement, axes: Floats) -> Json:
    """Return the valid points, in FLU, with the rotation of FLU relative to the sensor's axes."""
    turned = one.data.astype("<f4")
    turned[:, 1:3] *= -1.0  # from FRD to FLU
    whole = turned[np.isfinite(turned[:, :3]).all(axis=1)]
    names = enumerate(one.fields)
    return {
        "pose": {"position": _vector((0, 0, 0)), "orientation": _quaternion(axes.T @ FLU)},
        "point_stride": 4 * len(one.fields),
        "fields": [{"name": name, "offset": 4 * k, "type": _FLOAT32} for k, name in names],
        "data": _base64(whole.tobytes()),
    } | _labels(one)


def _labels(one: Measurement) -> Json:
    """Return what a message has in addition to its schema: names of classes, and boxes."""
    labels = {
        "classes": list(one.classes),
        "boxes": [list(box) for box in one.boxes],
        "cuboids": [list(cuboid) for cuboid in one.cuboids],
        "visibility": [list(shares) for shares in one.visibility],
    }
    return {key: rows for key, rows in labels.items() if rows}


def _image(one: Measurement) -> Json:
    """Return an image of one channel: float32, or whole numbers below 65536."""
    # Foxglove's RawImage has no encoding of 32-bit integers.
    values = one.data
    if values.dtype.str in _WIDE and (not values.size or 0 <= values.min() <= values.max() < 65536):
        values = values.astype("<u2")
    kind = values.dtype.str
    if values.ndim != 2 or kind not in _ENCODINGS:
        raise ValueError(f"{kind}, shape {values.shape}: expected one of {', '.join(_ENCODINGS)}")
    height, width = values.shape
    image: Json = {
        "width": width,
        "height": height,
        "encoding": _ENCODINGS[kind],
        "step": width * values.dtype.itemsize,
        "data": _base64(np.ascontiguousarray(values).tobytes()),
    }
    return image | _labels(one)


def measurement_of(kind: Kind, message: Json, pose: Sequence[float]) -> Measurement:
    """Return the measurement of a message, without the invalid points that the message left out.

    Args:
        kind: of the measurement.
        message: as returned by ``message_of``.
        pose: of the sensor.
    """
    time, frame = time_of(message) / NANO, message["frame_id"]
    data = b64decode(message["data"])
    classes, cuboids = message.get("classes", ()), [Cuboid(*r) for r in message.get("cuboids", ())]
    if kind in CLOUDS:
        fields = tuple(str(field["name"]) for field in message["fields"])
        points = np.frombuffer(data, "<f4").reshape(-1, len(fields)).copy()
        points[:, 1:3] *= -1.0
        return Measurement(time, frame, points, pose, fields, classes, (), cuboids)
    if kind is Kind.RGB:
        return Measurement(time, frame, read_png(data), pose)
    dtype = _TYPES[message["encoding"]]
    image = np.frombuffer(data, dtype).reshape(message["height"], message["width"])
    boxes = [Box(*row) for row in message.get("boxes", ())]
    shares = [Visibility(*row) for row in message.get("visibility", ())]
    return Measurement(time, frame, image, pose, (), classes, boxes, cuboids, None, shares)


def camera_calibration(text: str, frame: str, at: int) -> tuple[str, Json]:
    """Return the name of a schema, and a ``CAMERA_INFO`` as a message of it.

    Args:
        text: JSON with the members of ROS's CameraInfo.
        frame: of the camera.
        at: UTC [ns].
    Raises:
        ValueError: a member is missing.
    """
    info = json_of(text)
    members = {key.upper(): value for key, value in info.items()} if isinstance(info, dict) else {}
    missing = [key for key in _CALIBRATION if key.upper() not in members]
    if missing:
        raise ValueError(f"expected a camera's {', '.join(missing)}")
    head = {"timestamp": stamp(at), "frame_id": frame}
    calibration = {key: members[key.upper()] for key in _CALIBRATION}
    return "foxglove.CameraCalibration", head | calibration


def frame_transform(pose: Sequence[float], frame: str, at: int, axes: Floats) -> Json:
    """Return a sensor's pose as a FrameTransform.

    Args:
        pose: north, east, down [m], roll, pitch, yaw [rad].
        frame: its name.
        at: UTC [ns].
        axes: of its frame in FRD, by columns; see ``axes_of``.
    """
    turn = NED_TO_ENU @ eul_to_rotm(pose[3:]) @ axes
    return {
        "timestamp": stamp(at),
        "parent_frame_id": WORLD,
        "child_frame_id": frame,
        "translation": _vector(NED_TO_ENU @ np.asarray(pose[:3], dtype=float)),
        "rotation": _quaternion(turn),
    }


def pose_of(message: Json, axes: Floats) -> tuple[float, ...]:
    """Return the pose from which ``frame_transform`` made a message."""
    place, turn = message["translation"], message["rotation"]
    north_east_down = NED_TO_ENU @ [place[axis] for axis in "xyz"]
    rotation = NED_TO_ENU @ matrix_of([turn[part] for part in "wxyz"]) @ axes.T
    return (*map(float, north_east_down), *map(float, rotm_to_eul(rotation)))


def stamp(at: int) -> Json:
    """Return a UTC [ns] as messages contain it."""
    return {"sec": at // NANO, "nsec": at % NANO}


def time_of(message: Json) -> int:
    """Return a message's UTC [ns]."""
    return int(message["timestamp"]["sec"]) * NANO + int(message["timestamp"]["nsec"])


def _vector(values: Sequence[float] | Floats) -> Json:
    return {axis: float(value) for axis, value in zip("xyz", values, strict=True)}


def _quaternion(rotation: Floats) -> Json:
    w, x, y, z = (float(part) for part in rotm_to_quat(rotation))
    return {"x": x, "y": y, "z": z, "w": w}


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


POSE = "SCENE_POSE"
_KNOWN = 3  # of LocationFix: all of its covariance is known; 0: nothing
_PLACE, _ANGLES, _VELOCITY = ("n", "e", "d"), ("roll", "pitch", "yaw"), ("vn", "ve", "vd")


def messages_of(variable: str, value: object, at: int) -> Iterator[tuple[str, str, Json]]:
    """Yield topic, schema and message of a value.

    A ``SCENE_POSE`` is a pose in the world with the velocity over ground (ENU), and a transform;
    the JSON of a sensor a reading as it stands, in the sensor's own axes and, with a latitude, a
    fix; anything else a value.

    Args:
        variable, value: of the post.
        at: UTC [ns].
    Raises:
        ValueError: a SCENE_POSE without its numbers.
    """
    topic = f"/{variable}"
    reading = _reading(value)
    if variable == POSE:
        yield from _pose(topic, str(value), at)
    elif reading is not None:
        head = {"timestamp": stamp(at), "frame_id": str(reading["sensor"])}
        yield topic, "steerageway.Reading", head | reading
        if "latitude" in reading and "longitude" in reading:
            yield f"{topic}/fix", "foxglove.LocationFix", head | _fix(reading)
    else:
        yield topic, "steerageway.Value", {"timestamp": stamp(at), "value": value}


def _reading(value: object) -> Json | None:
    """Return a sensor's JSON; None for any other value."""
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        found: Any = json_of(value)
    except ValueError:
        return None
    return found if isinstance(found, dict) and "sensor" in found else None


def _pose(topic: str, text: str, at: int) -> Iterator[tuple[str, str, Json]]:
    fields = by_key(text)
    place, angles, velocity = (
        [read_finite(fields.get(key, ""), key.upper()) for key in keys]
        for keys in (_PLACE, _ANGLES, _VELOCITY)
    )
    pose = (*place, *map(radians, angles))
    moved = frame_transform(pose, fields.get("name", ""), at, FLU)
    yield POSES, "foxglove.FrameTransform", moved
    message = {
        "timestamp": stamp(at),
        "frame_id": WORLD,
        "pose": {"position": moved["translation"], "orientation": moved["rotation"]},
        "velocity": dict(zip("xyz", (NED_TO_ENU @ velocity).tolist(), strict=True)),
    }
    yield topic, "foxglove.PoseInFrame", message


def _fix(reading: Json) -> Json:
    given = np.array(reading.get("position_covariance", ()), dtype=float)
    known = given.size == 9
    covariance = NED_TO_ENU @ given.reshape(3, 3) @ NED_TO_ENU.T if known else np.zeros((3, 3))
    return {
        "latitude": reading["latitude"],
        "longitude": reading["longitude"],
        "altitude": reading.get("altitude", 0.0),
        "position_covariance": covariance.ravel().tolist(),
        "position_covariance_type": _KNOWN if known else 0,
    }
