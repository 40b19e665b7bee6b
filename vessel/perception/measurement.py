"""Point clouds and images as values on the bus: packed into bytes, and unpacked.

The bytes are a MessagePack map, specified in ``docs/wire.md``. A cloud has one row per point, and
``fields`` names its columns; an image is (rows, columns) or (rows, columns, channels). Points are
in the sensor's axes, FRD: x forward, y starboard, z down [m]. A map is an image of the plane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import Any, NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue

MOST_BYTES = 4 * 1024 * 1024  # maximum size of a packed measurement, as of any value on the bus
DTYPES = ("<f4", "<f8", "|u1", "<u2", "<u4", "<i4")
MOST_AXES, MOST_NAMES, LONGEST_NAME = 3, 256, 256
POSE = 6


class Box(NamedTuple):
    """Bounding box of one object in an image.

    Attributes:
        kind: class of the object, as ``buoy``. instance: its number in the scene.
        u0, v0, u1, v1: columns and rows of its first and last pixels.
    """

    kind: str
    instance: int
    u0: int
    v0: int
    u1: int
    v1: int


class Cuboid(NamedTuple):
    """Oriented bounding box of one object, in the axes of the sensor that sees it.

    Attributes:
        kind: class of the object, as ``buoy``. instance: its number in the scene.
        rays: number of the sensor's rays that hit it.
        x, y, z: its centre [m].
        length, breadth, height: along the object's own axes, FRD [m].
        roll, pitch, yaw: of the object's axes [rad].
    """

    kind: str
    instance: int
    rays: int
    x: float
    y: float
    z: float
    length: float
    breadth: float
    height: float
    roll: float
    pitch: float
    yaw: float


class Visibility(NamedTuple):
    """How much of one object an image shows.

    Attributes:
        instance: its number in the scene.
        occlusion: share of its pixels in the image that nearer objects hide, 0 to 1.
        truncation: share of it that lies outside of the image, 0 to 1; None: not known.
    """

    instance: int
    occlusion: float
    truncation: float | None


@dataclass(frozen=True, eq=False)
class Measurement:
    """A point cloud or an image.

    Attributes:
        time: of the measurement [s].
        frame: the sensor's name.
        data: (n, fields) of a cloud; (rows, columns[, channels]) of an image; (north, east) of a
            map.
        pose: of the sensor's axes: north, east, down [m], roll, pitch, yaw [rad]; of a map's
            south-west corner.
        fields: names of a cloud's columns; () for an image.
        classes: names of the class numbers of a semantic image, or of a cloud with labels.
        boxes: of the objects in a semantic or instance image.
        cuboids: of the objects in a cloud or an instance image with labels.
        cell: size of a map's cells [m]; None: not a map.
        visibility: of the objects in an instance image.
    """

    time: float
    frame: str
    data: NDArray[Any]
    pose: Sequence[float]
    fields: Sequence[str] = ()
    classes: Sequence[str] = ()
    boxes: Sequence[Box] = ()
    cuboids: Sequence[Cuboid] = ()
    cell: float | None = None
    visibility: Sequence[Visibility] = ()

    def placed(self) -> Floats:
        """Return the points of a cloud (n, 3): north, east, down [m].

        Raises:
            InvalidValue: it is not a cloud.
        """
        if self.data.ndim != 2 or tuple(self.fields[:3]) != ("x", "y", "z"):
            raise InvalidValue("expected a cloud, whose fields begin with x, y, z")
        local = self.data[:, :3].astype(np.float64)
        local = local[np.isfinite(local).all(axis=1)]
        pose = np.asarray(self.pose, dtype=np.float64)
        places: Floats = local @ eul_to_rotm(pose[3:]).T + pose[:3]
        return places


def pack(measurement: Measurement, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a measurement.

    Args:
        measurement: arrays of another byte order or layout are converted.
        most: maximum size [bytes].

    Raises:
        InvalidValue: the result is larger, or a part of the measurement is invalid.
    """
    data = np.ascontiguousarray(measurement.data)
    data = data.astype(data.dtype.newbyteorder("<"), copy=False)
    tree: dict[str, Any] = {
        "t": float(measurement.time),
        "frame": measurement.frame,
        "dtype": data.dtype.str,
        "shape": list(data.shape),
        "data": data.tobytes(),
        "pose": [float(number) for number in measurement.pose],
    }
    if measurement.fields:
        tree["fields"] = list(measurement.fields)
    if measurement.classes:
        tree["classes"] = list(measurement.classes)
    if measurement.boxes:
        tree["boxes"] = [list(box) for box in measurement.boxes]
    if measurement.cell is not None:
        tree["cell"] = float(measurement.cell)
    if measurement.cuboids:
        tree["cuboids"] = [list(one) for one in measurement.cuboids]
    if measurement.visibility:
        tree["visibility"] = [list(one) for one in measurement.visibility]
    _check(tree)
    packed: bytes = msgpack.packb(tree)
    if len(packed) > most:
        shape = " x ".join(map(str, data.shape))
        raise InvalidValue(
            f"{measurement.frame}: a measurement of {shape} {data.dtype.str} takes {len(packed)} "
            f"bytes: expected at most {most}; thin = N keeps every N-th ray"
        )
    return packed


def unpack(value: object) -> Measurement:
    """Return the measurement packed in a value.

    Raises:
        InvalidValue: no measurement; with the invalid part.
    """
    if not isinstance(value, bytes):
        raise InvalidValue(f"{type(value).__name__}: expected the bytes of a measurement")
    try:
        tree = msgpack.unpackb(
            value,
            max_bin_len=MOST_BYTES,
            max_str_len=LONGEST_NAME,
            max_array_len=65536,
            max_map_len=16,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise InvalidValue(f"{len(value)} bytes: not a measurement: {error}") from None
    if not isinstance(tree, dict):
        raise InvalidValue(f"{type(tree).__name__}: expected a map, of a measurement")
    _check(tree)
    data = np.frombuffer(tree["data"], np.dtype(tree["dtype"])).reshape(tree["shape"])
    return Measurement(
        tree["t"],
        tree["frame"],
        data,
        tuple(tree["pose"]),
        tuple(tree.get("fields", ())),
        tuple(tree.get("classes", ())),
        tuple(Box(*row) for row in tree.get("boxes", ())),
        tuple(Cuboid(*row) for row in tree.get("cuboids", ())),
        tree.get("cell"),
        tuple(Visibility(*row) for row in tree.get("visibility", ())),
    )


def _check(tree: Mapping[str, Any]) -> None:
    """Check the map of a measurement."""
    _expect(tree, "t", _is_number(tree.get("t")), "a time [s]")
    frame = tree.get("frame")
    named = isinstance(frame, str) and 0 < len(frame) <= LONGEST_NAME
    _expect(tree, "frame", named, "the sensor's name")
    _expect(tree, "dtype", tree.get("dtype") in DTYPES, f"one of {', '.join(DTYPES)}")
    shape = tree.get("shape")
    sized = isinstance(shape, list) and 1 <= len(shape) <= MOST_AXES
    whole = sized and all(_is_whole(size) and size < 2**31 for size in shape or ())
    _expect(tree, "shape", whole, f"1 to {MOST_AXES} whole numbers")
    data = tree.get("data")
    size = prod(tree["shape"]) * np.dtype(tree["dtype"]).itemsize
    _expect(tree, "data", isinstance(data, bytes) and len(data) == size, f"{size} bytes")
    pose = tree.get("pose")
    placed = isinstance(pose, list) and len(pose) == POSE and all(map(_is_number, pose))
    _expect(tree, "pose", placed, f"{POSE} numbers")
    for key in ("fields", "classes"):
        names = tree.get(key, [])
        texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        _expect(tree, key, texts and len(names) <= MOST_NAMES, f"at most {MOST_NAMES} names")
    if tree.get("fields"):
        columns = len(tree["shape"]) == 2 and len(tree["fields"]) == tree["shape"][1]
        _expect(tree, "fields", columns, "a name for each column of a cloud")
    boxes = tree.get("boxes", [])
    boxed = isinstance(boxes, list) and all(map(_is_box, boxes))
    _expect(tree, "boxes", boxed, "lists of class, instance, u0, v0, u1, v1")
    cell = tree.get("cell", 1.0)
    _expect(tree, "cell", _is_number(cell) and cell > 0.0, "a number above 0 [m]")
    cuboids = tree.get("cuboids", [])
    placed = isinstance(cuboids, list) and all(map(_is_cuboid, cuboids))
    _expect(tree, "cuboids", placed, f"lists of {', '.join(Cuboid._fields)}")
    shares = tree.get("visibility", [])
    shared = isinstance(shares, list) and all(map(_is_visibility, shares))
    _expect(tree, "visibility", shared, f"lists of {', '.join(Visibility._fields)}, 0 to 1")


def _expect(tree: Mapping[str, Any], key: str, valid: bool, expected: str) -> None:
    if valid:
        return
    value = tree.get(key)
    shown = f"{len(value)} bytes" if isinstance(value, bytes) else f"{value!r}"[:80]
    raise InvalidValue(f"measurement: {key}: {shown}: expected {expected}")


def _is_number(value: object) -> bool:
    return value.__class__ in (int, float) and isfinite(float(value))


def _is_whole(value: object) -> bool:
    return value.__class__ is int and value >= 0


def _is_box(value: object) -> bool:
    if not isinstance(value, list) or len(value) != len(Box._fields):
        return False
    return isinstance(value[0], str) and all(map(_is_whole, value[1:]))


def _is_cuboid(value: object) -> bool:
    if not isinstance(value, list) or len(value) != len(Cuboid._fields):
        return False
    kind, instance, rays, *place = value
    whole = _is_whole(instance) and _is_whole(rays)
    return isinstance(kind, str) and whole and all(map(_is_number, place))


def _is_visibility(value: object) -> bool:
    if not isinstance(value, list) or len(value) != len(Visibility._fields):
        return False
    instance, *shares = value
    known = shares if shares[-1] is not None else shares[:-1]
    return _is_whole(instance) and all(_is_number(one) and 0.0 <= one <= 1.0 for one in known)
