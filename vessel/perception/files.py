"""Standard formats: point clouds as binary PCD and PLY, images as PNG, which is read, too.

A cloud has a float32 for each field of each point; an image is grey or RGB, with 8 or 16 bits.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_quat

Floats = NDArray[np.floating]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = {1: 0, 3: 2}  # channels -> PNG's colour type
_CHANNELS = {colour: channels for channels, colour in _COLOURS.items()}
_HEADER = struct.Struct(">IIBBBBB")
_UP = 2  # PNG's filter type Up: each row minus the one above it
LARGEST = 1 << 28  # bytes of an image that is read
_LEVEL = 6  # compression level of zlib


def pcd(points: Floats, fields: Sequence[str], pose: Sequence[float]) -> bytes:
    """Return a cloud as a PCD file, version 0.7, with the sensor's pose as its viewpoint.

    Args:
        points: (n, len(fields)); NaN without a return.
        fields: names; x, y and z first.
        pose: of the sensor: position [m] and roll, pitch, yaw [rad].
    Source: Point Cloud Library, the PCD file format.
    """
    rows = _rows(points, fields)
    count = len(rows)
    view = " ".join(f"{number:.9g}" for number in (*pose[:3], *eul_to_quat(pose[3:6])))
    head = [
        "# .PCD v0.7 - Point Cloud Data file format",
        "VERSION 0.7",
        f"FIELDS {' '.join(fields)}",
        f"SIZE {' '.join(['4'] * len(fields))}",
        f"TYPE {' '.join(['F'] * len(fields))}",
        f"COUNT {' '.join(['1'] * len(fields))}",
        f"WIDTH {count}",
        "HEIGHT 1",
        f"VIEWPOINT {view}",
        f"POINTS {count}",
        "DATA binary\n",
    ]
    return "\n".join(head).encode() + rows.tobytes()


def ply(points: Floats, fields: Sequence[str]) -> bytes:
    """Return a cloud as a PLY file; points without a return are omitted, as PLY has no NaN.

    Args:
        points: (n, len(fields)).
        fields: names; x, y and z first.
    Source: G. Turk (1994), The PLY polygon file format.
    """
    rows = _rows(points, fields)
    rows = rows[np.isfinite(rows).all(axis=1)]
    head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(rows)}"]
    head += [f"property float {name}" for name in fields]
    return "\n".join([*head, "end_header\n"]).encode() + rows.tobytes()


def _rows(points: Floats, fields: Sequence[str]) -> NDArray[np.float32]:
    if points.ndim != 2 or points.shape[1] != len(fields):
        raise ValueError(f"shape {points.shape}: expected (points, {len(fields)})")
    if tuple(fields[:3]) != ("x", "y", "z"):
        raise ValueError(f"fields {', '.join(fields)}: expected x, y, z first")
    return np.ascontiguousarray(points, dtype="<f4")


def png(image: NDArray[np.unsignedinteger]) -> bytes:
    """Return an image as a PNG file.

    Args:
        image: (rows, columns) grey, or (rows, columns, 3) RGB; uint8 or uint16.
    Raises:
        ValueError: another shape or type.
    Source: ISO/IEC 15948, Portable Network Graphics.
    """
    whole = image[:, :, None] if image.ndim == 2 else image
    if whole.ndim != 3 or whole.shape[2] not in _COLOURS or not whole.size:
        raise ValueError(f"shape {image.shape}: expected (rows, columns) or (rows, columns, 3)")
    if image.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"type {image.dtype}: expected uint8 or uint16")
    rows, columns, channels = whole.shape
    depth = 8 * image.dtype.itemsize
    lines = np.ascontiguousarray(whole, dtype=image.dtype.newbyteorder(">"))
    raw = lines.view(np.uint8).reshape(rows, -1)
    filtered = np.empty((rows, raw.shape[1] + 1), dtype=np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = raw[0]
    filtered[1:, 1:] = raw[1:] - raw[:-1]
    header = _HEADER.pack(columns, rows, depth, _COLOURS[channels], 0, 0, 0)
    data = zlib.compress(filtered.tobytes(), _LEVEL)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def read_png(data: bytes) -> NDArray[np.unsignedinteger]:
    """Return the image of a file written by ``png``.

    Raises:
        ValueError: the file is damaged, or written by another program.
    """
    kinds, parts = [], []
    if data[:8] != _SIGNATURE:
        raise ValueError("expected a PNG file")
    at = 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kinds.append(data[at + 4 : at + 8])
        parts.append(data[at + 8 : at + 8 + size])
        (crc,) = struct.unpack_from(">I", data, at + 8 + size)
        if crc != zlib.crc32(kinds[-1] + parts[-1]):
            raise ValueError("expected the checksum that the file has: it is damaged")
        at += size + 12
    if kinds != [b"IHDR", b"IDAT", b"IEND"]:
        raise ValueError("expected one header and one block of data, as this project writes them")
    columns, rows, depth, colour, *_ = _HEADER.unpack(parts[0])
    channels = _CHANNELS[colour]
    size = rows * (1 + columns * channels * depth // 8)
    if not 0 < size <= LARGEST:
        raise ValueError(f"{columns} x {rows} pixels; expected at most {LARGEST} bytes")
    raw = zlib.decompressobj().decompress(parts[1], size)
    lines = np.frombuffer(raw, dtype=np.uint8).reshape(rows, -1)
    sums = np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)
    image = sums.view(f">u{depth // 8}").reshape(rows, columns, channels)
    native = image.astype(image.dtype.newbyteorder("="))
    return native[:, :, 0] if channels == 1 else native


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
