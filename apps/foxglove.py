"""Measurements as Foxglove's messages, in JSON, and back.

The world is ENU there (frame ``map``: x east, y north, z up), LiDARs are FLU (x ahead, y to port,
z up), and cameras have optical frames (x to the right, y down, z ahead). Here they are NED and FRD.
Source: Foxglove's schemas, docs.foxglove.dev, and ROS's REP-103.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_rotm, rotm_to_eul, rotm_to_quat
from steerageway.vessel.kinematics import quat_to_rotm as matrix_of
from steerageway.vessel.perception.files import png, read_png

Floats = NDArray[np.float64]
Json = dict[str, Any]
WORLD = "map"
NED_TO_ENU = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
FLU = np.diag((1.0, -1.0, -1.0))  # its axes in FRD, by columns
OPTICAL = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # likewise
_FLOAT32 = 7
_ENCODINGS = {"|u1": "8UC1", "<u2": "16UC1", "<f4": "32FC1"}
_TYPES = {encoding: dtype for dtype, encoding in _ENCODINGS.items()}
NANO = 10**9


def _object(**properties: Any) -> Json:
    return {"type": "object", "properties": properties}


_NUMBER, _TEXT, _WHOLE = {"type": "number"}, {"type": "string"}, {"type": "integer"}
_NUMBERS = {"type": "array", "items": _NUMBER}
_DATA = {"type": "string", "contentEncoding": "base64"}
_VECTOR = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER)
_QUATERNION = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_STAMP = {"type": "object", "properties": {"sec": _WHOLE, "nsec": _WHOLE}}
_FIELD = _object(name=_TEXT, offset=_WHOLE, type=_WHOLE)
SCHEMAS: Mapping[str, Json] = {
    "foxglove.PointCloud": _object(
        timestamp=_STAMP,
        frame_id=_TEXT,
        pose=_object(position=_VECTOR, orientation=_QUATERNION),
        point_stride=_WHOLE,
        fields={"type": "array", "items": _FIELD},
        data=_DATA,
    ),
    "foxglove.RawImage": _object(
        timestamp=_STAMP,
        frame_id=_TEXT,
        width=_WHOLE,
        height=_WHOLE,
        encoding=_TEXT,
        step=_WHOLE,
        data=_DATA,
    ),
    "foxglove.CompressedImage": _object(timestamp=_STAMP, frame_id=_TEXT, data=_DATA, format=_TEXT),
    "foxglove.CameraCalibration": _object(
        timestamp=_STAMP,
        frame_id=_TEXT,
        width=_WHOLE,
        height=_WHOLE,
        distortion_model=_TEXT,
        D=_NUMBERS,
        K=_NUMBERS,
        R=_NUMBERS,
        P=_NUMBERS,
    ),
    "foxglove.FrameTransform": _object(
        timestamp=_STAMP,
        parent_frame_id=_TEXT,
        child_frame_id=_TEXT,
        translation=_VECTOR,
        rotation=_QUATERNION,
    ),
}
"""JSON schemas of the messages, by the names that Foxglove knows them by."""


def schema_text(name: str) -> bytes:
    """Give a schema as a file holds it."""
    return json.dumps({"title": name, **SCHEMAS[name]}, separators=(",", ":")).encode()


def point_cloud(values: NDArray[Any], fields: Sequence[str], frame: str, at: int) -> Json:
    """Give a cloud.

    Args:
        values: (n, len(fields)), x, y, z in FRD first; NaN where there was no return.
        fields: their names.
        frame: of the sensor.
        at: UTC [ns].
    """
    turned = values.astype("<f4")
    turned[:, 1:3] *= -1.0
    whole = turned[np.isfinite(turned[:, :3]).all(axis=1)]
    return {
        **_head(frame, at),
        "pose": {"position": _vector((0, 0, 0)), "orientation": _quaternion(np.eye(3))},
        "point_stride": 4 * len(fields),
        "fields": [{"name": f, "offset": 4 * k, "type": _FLOAT32} for k, f in enumerate(fields)],
        "data": _base64(whole.tobytes()),
    }


def cloud_of(message: Json) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """Give the values (n, k) of a cloud, in FRD, and the names of its fields."""
    fields = tuple(str(field["name"]) for field in message["fields"])
    values = np.frombuffer(b64decode(message["data"]), "<f4").reshape(-1, len(fields)).copy()
    values[:, 1:3] *= -1.0
    return values, fields


def raw_image(values: NDArray[Any], frame: str, at: int) -> Json:
    """Give an image of one channel: float32, uint8 or uint16.

    Raises:
        ValueError: another type or shape.
    """
    kind = values.dtype.str
    if values.ndim != 2 or kind not in _ENCODINGS:
        raise ValueError(f"{kind}, shape {values.shape}: expected one of {', '.join(_ENCODINGS)}")
    height, width = values.shape
    return {
        **_head(frame, at),
        "width": width,
        "height": height,
        "encoding": _ENCODINGS[kind],
        "step": width * values.dtype.itemsize,
        "data": _base64(values.tobytes()),
    }


def compressed_image(values: NDArray[Any], frame: str, at: int) -> Json:
    """Give an image of three channels, uint8, as PNG."""
    return {**_head(frame, at), "data": _base64(png(values)), "format": "png"}


def image_of(message: Json) -> NDArray[Any]:
    """Give the values of an image of either kind."""
    data = b64decode(message["data"])
    if "format" in message:
        return read_png(data)
    kind = _TYPES[message["encoding"]]
    return np.frombuffer(data, kind).reshape(message["height"], message["width"])


def camera_calibration(info: Json, frame: str, at: int) -> Json:
    """Give a camera's calibration.

    Args:
        info: width, height [px], distortion_model, D, K (9), R (9), P (12).
        frame: of the camera.
        at: UTC [ns].
    """
    keys = ("width", "height", "distortion_model", "D", "K", "R", "P")
    return {**_head(frame, at), **{key: info[key] for key in keys}}


def frame_transform(pose: Sequence[float], frame: str, at: int, axes: Floats) -> Json:
    """Give where a sensor is.

    Args:
        pose: north, east, down [m], roll, pitch, yaw [rad].
        frame: its name.
        at: UTC [ns].
        axes: of its frame in FRD, by columns: ``FLU`` or ``OPTICAL``.
    """
    turn = NED_TO_ENU @ eul_to_rotm(pose[3:]) @ axes
    return {
        "timestamp": _stamp(at),
        "parent_frame_id": WORLD,
        "child_frame_id": frame,
        "translation": _vector(NED_TO_ENU @ np.asarray(pose[:3], dtype=float)),
        "rotation": _quaternion(turn),
    }


def pose_of(message: Json, axes: Floats) -> tuple[float, ...]:
    """Give the pose that ``frame_transform`` was given."""
    place, turn = message["translation"], message["rotation"]
    north_east_down = NED_TO_ENU @ [place[axis] for axis in "xyz"]
    rotation = NED_TO_ENU @ matrix_of([turn[part] for part in "wxyz"]) @ axes.T
    return (*map(float, north_east_down), *map(float, rotm_to_eul(rotation)))


def time_of(message: Json) -> int:
    """Give a message's UTC [ns]."""
    return int(message["timestamp"]["sec"]) * NANO + int(message["timestamp"]["nsec"])


def _head(frame: str, at: int) -> Json:
    return {"timestamp": _stamp(at), "frame_id": frame}


def _stamp(at: int) -> Json:
    return {"sec": at // NANO, "nsec": at % NANO}


def _vector(values: Sequence[float] | Floats) -> Json:
    return {axis: float(value) for axis, value in zip("xyz", values, strict=True)}


def _quaternion(rotation: Floats) -> Json:
    w, x, y, z = (float(part) for part in rotm_to_quat(rotation))
    return {"x": x, "y": y, "z": z, "w": w}


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")
