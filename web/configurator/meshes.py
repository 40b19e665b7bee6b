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
from steerageway.world.mesh_repair import REPAIRS, repaired, repairs_of
from steerageway.world.shapes import write_stl

FORMATS = (".stl", ".obj", ".gdf", ".glb", ".gltf")
LARGEST = 50 << 20  # bytes
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
USUAL = ("m", "mm", "cm", "in", "ft")  # the likeliest first
LIKELY = (0.2, 500.0)  # lengths of hulls [m]
ALIKE = 0.2  # difference of the logarithms of lengths that are as likely
MOST_PARTS = 24  # parts that are listed; the smallest beyond are combined into one
NEAR = 0.02  # tolerance of the waterline at the drawing's z = 0, as a fraction of the height


def looked_at(path: Path, length: float = 0.0) -> dict[str, Any]:
    """Return a mesh file's size in its own unit and axes, its parts, and a guess of unit and axes.

    ``units`` are all that are likely, the guess first.

    Args:
        path: the file.
        length: of the vessel [m]; 0: unknown.

    Raises:
        InvalidValue: it is not a mesh.
    """
    corners = read_corners(path, MOST_TRIANGLES)
    if not len(corners):
        raise InvalidValue("0 triangles: expected a mesh", str(path))
    low, high = _bounds(corners)
    extent = high - low
    longest = int(extent.argmax())
    units = _units(float(extent.max()), length)
    return {
        **_box(corners),
        "unit": units[0],
        "units": units,
        "axes": "FRD" if path.suffix.lower() == ".gdf" else ("FLU", "RFU", "RUF")[longest],
        "asks_axes": path.suffix.lower() != ".gdf",
        "parts": [_box(corners[part]) for part in _parts(corners)],
    }


def _box(corners: Floats) -> dict[str, Any]:
    low, high = _bounds(corners)
    return {"triangles": len(corners), "low": low.tolist(), "high": high.tolist()}


def _bounds(corners: Floats) -> tuple[Floats, Floats]:
    points = corners.reshape(-1, 3)
    return points.min(0), points.max(0)


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
    places = np.arange(3 * len(chosen)).reshape(-1, 3)
    return _beside(path, "part", Mesh(chosen.reshape(-1, 3), places))


def mend(path: Path, repair: str, axes: str) -> Path:
    """Write a mesh after one of ``REPAIRS`` to an STL file next to it; return that file.

    Args:
        path: of the mesh. repair: which. axes: of the file, and of the new one.

    Raises:
        InvalidValue: it is not a mesh, or there is no such repair.
    """
    if repair not in REPAIRS:
        raise InvalidValue(f"{repair}: expected one of {', '.join(REPAIRS)}", str(path))
    if axes not in AXES:
        raise InvalidValue(f"{axes}: expected one of {', '.join(AXES)}", str(path))
    mesh = repaired(_in_body(path, axes), repair)  # in BODY: axes may be left-handed
    return _beside(path, "mended", Mesh(mesh.vertices @ AXES[axes], mesh.triangles))


def _beside(path: Path, what: str, mesh: Mesh) -> Path:
    """Write a mesh next to a file, in that file's unit and axes; return the new file."""
    file = path.with_name(f"{path.stem.removesuffix(f'_{what}')}_{what}.stl")
    write_stl(mesh, file)
    return file


def placed(path: Path, scale: float, axes: str) -> dict[str, Any]:
    """Return a mesh's box in BODY [m], volume, problems and ``repairs``, given unit and axes.

    Raises:
        InvalidValue: it is not a mesh.
    """
    corners = scale * _in_body(path, axes)
    low, high = _bounds(corners)
    about: dict[str, Any] = {"low": low.tolist(), "high": high.tolist()}
    about |= {"problems": [], "repairs": []}
    try:
        mesh = read(path, scale, axes)
        about["volume"] = mesh.volume
    except InvalidValue as error:
        about["problems"] += (one.text_at(str(path)) for one in error.diagnostics)
        about["repairs"] += repairs_of(corners)
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
    path, placing = present(read_folder(folder))
    corners = placing["scale"] * _in_body(path, placing["axes"]) - placing["origin"]
    return np.ascontiguousarray(corners, "<f4").tobytes()


def _in_body(path: Path, axes: str) -> Floats:
    """Return a file's triangles (m, 3, 3) in its unit, with axes as BODY's, which a GDF has."""
    corners = read_corners(path, MOST_TRIANGLES)
    return corners if path.suffix.lower() == ".gdf" else corners @ AXES[axes].T


def _units(size: float, length: float) -> list[str]:
    """Return the units in which a size is plausible for a hull, the likeliest first.

    Args:
        size: in the file's unit. length: of the vessel [m]; 0: unknown.
    """
    if length > 0:
        off = {
            unit: abs(np.log(max(size, 1e-30) * scale / length)) for unit, scale in UNITS.items()
        }
        best = min(off.values())
        return sorted(
            (unit for unit in UNITS if off[unit] < best + ALIKE), key=lambda unit: off[unit]
        )
    low, high = LIKELY
    return [unit for unit in USUAL if low <= size * UNITS[unit] <= high] or ["m"]


def present(files: Folder) -> tuple[Path, dict[str, Any]]:
    """Return the file of a vessel's hull, and its ``scale``, ``axes`` and ``origin``.

    Raises:
        InvalidValue: it has no mesh.
    """
    geometry = files["geometry"]
    if "mesh" not in geometry:
        if "geometry_file" not in geometry:
            raise InvalidValue("no mesh of its hull", str(files.path))
        placing = {"scale": 1.0, "axes": "FRD", "origin": [0.0] * 3}
        return files.find(geometry, "geometry_file"), placing
    section = geometry.section("mesh")
    return files.find(section, "file"), {
        "scale": section.positive("scale", 1.0),
        "axes": section.choice("axes", tuple(AXES), "FRD"),
        "origin": section.vector("origin", 3, [0.0] * 3).tolist(),
    }
