"""Point clouds as binary PCD and PLY files: a float32 for each field of each point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_quat

Floats = NDArray[np.floating]


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
