"""Mesh files in the configurator: size, parts, a guess of unit and axes, and the hull's mesh."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Folder, read_folder
from steerageway.world.arrays import Floats, Whole
from steerageway.world.mesh import AXES, MOST_TRIANGLES, Mesh, read, shells
from steerageway.world.mesh_files import read_corners
from steerageway.world.shapes import write_stl

FORMATS = (".stl", ".obj", ".gdf", ".glb", ".gltf")
LARGEST = 50 << 20  # bytes
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
LIKELY = (0.2, 500.0)  # lengths of hulls [m]
MOST_PARTS = 24  # parts that are listed; the smallest beyond are combined into one
NEAR = 0.02  # tolerance of the waterline at the drawing's z = 0, as a fraction of the height


def looked_at(path: Path, length: float = 0.0) -> dict[str, Any]:
    """Return a mesh file's size in its own unit and axes, its parts, and a guess of unit and axes.

    Args:
        path: the file.
        length: of the vessel [m]; 0: unknown.

    Raises:
        InvalidValue: it is not a mesh.
    """
    corners = read_corners(path, MOST_TRIANGLES)
    if not len(corners):
        raise InvalidValue("0 triangles: expected a mesh", str(path))
    low, high = corners.reshape(-1, 3).min(0), corners.reshape(-1, 3).max(0)
    extent = high - low
    longest = int(extent.argmax())
    return {
        "triangles": len(corners),
        "low": low.tolist(),
        "high": high.tolist(),
        "unit": _unit(float(extent.max()), length),
        "axes": "FRD" if path.suffix.lower() == ".gdf" else ("FLU", "RFU", "RUF")[longest],
        "asks_axes": path.suffix.lower() != ".gdf",
        "parts": [_box(corners[part]) for part in _parts(corners)],
    }


def _box(corners: Floats) -> dict[str, Any]:
    points = corners.reshape(-1, 3)
    low, high = points.min(0).tolist(), points.max(0).tolist()
    return {"triangles": len(corners), "low": low, "high": high}


def _parts(corners: Floats) -> list[Whole]:
    found = shells(corners)
    if len(found) > len(corners) / 4:  # mostly unconnected triangles, not parts
        return [np.arange(len(corners))]
    if len(found) <= MOST_PARTS:
        return found
    rest = np.sort(np.concatenate(found[MOST_PARTS - 1 :]))
    return [*found[: MOST_PARTS - 1], rest]


def keep_parts(path: Path, kept: Sequence[int]) -> Path:
    """Write some parts of a mesh to an STL file next to it; return that file.

    Args:
        path: of the mesh.
        kept: indices of parts in the list of ``looked_at``.

    Raises:
        InvalidValue: it is not a mesh, or has no such parts.
    """
    corners = read_corners(path, MOST_TRIANGLES)
    parts = _parts(corners)
    if not kept or not all(0 <= number < len(parts) for number in kept):
        raise InvalidValue(f"expected some of its {len(parts)} parts", str(path))
    chosen = corners[np.concatenate([parts[number] for number in sorted(set(kept))])]
    file = path.with_name(f"{path.stem}_part.stl")
    places = np.arange(3 * len(chosen)).reshape(-1, 3)
    write_stl(Mesh(chosen.reshape(-1, 3), places), file)
    return file


def placed(path: Path, scale: float, axes: str) -> dict[str, Any]:
    """Return a mesh's box in BODY [m], volume and problems, given its unit and axes.

    Raises:
        InvalidValue: it is not a mesh.
    """
    corners = scale * _in_body(path, axes)
    low, high = corners.reshape(-1, 3).min(0), corners.reshape(-1, 3).max(0)
    about: dict[str, Any] = {"low": low.tolist(), "high": high.tolist(), "problems": []}
    try:
        mesh = read(path, scale, axes)
        about["volume"] = mesh.volume
    except InvalidValue as error:
        about["problems"] += (one.text_at(str(path)) for one in error.diagnostics)
    height = float(high[2] - low[2])
    if not low[2] < NEAR * height or not high[2] > NEAR * height:
        about["problems"].append(
            f"the waterline is not at z = 0: the hull lies from {low[2]:.4g} to {high[2]:.4g} m"
            " (down is positive); set the origin"
        )
    if low[2] > -NEAR * height and high[2] > 0:
        about["problems"].append("nothing of it is above z = 0, taken as the water's surface")
    return about


def triangles(folder: Path) -> bytes:
    """Return the triangles of a vessel's hull: nine float32 each, in the drawing's frame [m].

    Raises:
        InvalidValue: it has no mesh, or the mesh cannot be read.
    """
    files = read_folder(folder)
    corners = _hull(files)
    return np.ascontiguousarray(corners, "<f4").tobytes()


def _hull(files: Folder) -> Floats:
    geometry = files["geometry"]
    if "mesh" in geometry:
        section = geometry.section("mesh")
        path = files.find(section, "file")
        axes = section.choice("axes", tuple(AXES), "FRD")
        origin = section.vector("origin", 3, [0.0] * 3)
        found: Floats = section.positive("scale", 1.0) * _in_body(path, axes) - origin
        return found
    if "geometry_file" in geometry:
        return _in_body(files.find(geometry, "geometry_file"), "FRD")
    raise InvalidValue("no mesh of its hull", str(files.path))


def _in_body(path: Path, axes: str) -> Floats:
    """Return a file's triangles (m, 3, 3) in its unit, with axes as BODY's, which a GDF has."""
    corners = read_corners(path, MOST_TRIANGLES)
    return corners if path.suffix.lower() == ".gdf" else corners @ AXES[axes].T


def _unit(size: float, length: float) -> str:
    """Return the unit in which a size is nearest to the length, or plausible for a hull."""
    if length > 0:
        return min(UNITS, key=lambda unit: abs(np.log(max(size, 1e-30) * UNITS[unit] / length)))
    low, high = LIKELY
    return next((unit for unit in ("m", "mm", "cm") if low <= size * UNITS[unit] <= high), "m")
