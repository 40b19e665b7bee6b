"""Readers of mesh files: STL (binary or text), Wavefront OBJ, WAMIT's GDF, and glTF.

Each reader returns the triangles as corners (m, 3, 3) in the file's own axes and unit; a file with
more triangles than the limit is rejected before its numbers are read.

Sources: Stereolithography Interface Specification (3D Systems, 1988); Wavefront, Advanced
Visualizer, appendix B1; Khronos, glTF 2.0 specification, 3.6 to 3.7 and 4.4 (GLB).
"""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.declarations import Whole, json_of
from steerageway.world import gdf
from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import lines_of, read_finite
from steerageway.world.triangulation import triangles_of

BYTES = 64  # memory of a triangle: three indices, and its part of the vertices and their data
STL_HEADER, STL_TRIANGLE = 84, 50  # bytes
MOST_BYTES = 400  # of a file per permitted triangle: text takes about 250
GLB_HEADER, GLB_CHUNK = 12, 8  # bytes
COMPONENTS: dict[int, np.dtype[Any]] = {
    5121: np.dtype("<u1"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
}
FLOAT, TRIANGLES = 5126, 4


def read_corners(path: Path, most: int) -> Floats:
    """Return the triangles (m, 3, 3) of a file, in its own axes and unit.

    Args:
        path: path of a ``.stl``, ``.obj``, ``.gdf``, ``.glb`` or ``.gltf`` file.
        most: maximum number of triangles.

    Raises:
        InvalidValue: no such file, another format, or too many triangles.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None or not path.is_file():
        raise InvalidValue("expected a mesh in a .stl, .obj, .gdf, .glb or .gltf file", str(path))
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(STL_HEADER) if path.suffix.lower() == ".stl" else b""
    count = int.from_bytes(head[80:STL_HEADER], "little")
    if count and size == STL_HEADER + STL_TRIANGLE * count:
        _check_count(path, count, most)
    if size > MOST_BYTES * max(most, 1000):
        raise InvalidValue(f"{size / 1e6:.0f} MB: expected at most {most} triangles", str(path))
    corners = reader(path)
    _check_count(path, len(corners), most)
    return corners


def _check_count(path: Path, count: int, most: int) -> None:
    if count > most:
        raise InvalidValue(
            f"{count} triangles would take {count * BYTES / 1e6:.0f} MB: "
            f"expected at most {most}; 300 to 1500 are enough for a hull",
            str(path),
        )


def _read_stl(path: Path) -> Floats:
    """Return the triangles of an STL file, binary or text."""
    raw = path.read_bytes()
    count = int.from_bytes(raw[80:STL_HEADER], "little") if len(raw) >= STL_HEADER else -1
    if len(raw) == STL_HEADER + STL_TRIANGLE * count:
        fields = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        records = np.frombuffer(raw, fields, count, STL_HEADER)
        return _finite(records["corners"].astype(np.float64), path)
    if not raw.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"solid"):
        needed = STL_HEADER + STL_TRIANGLE * max(count, 0)
        raise InvalidValue(
            f"{len(raw)} bytes: expected an STL file, of {needed} bytes by its header",
            str(path),
        )
    points = []
    for number, line in enumerate(lines_of(path), 1):
        words = line.split()
        if words and words[0] == "vertex":
            points.append(_three(words[1:], f"{path}:{number}"))
    if len(points) % 3:
        raise InvalidValue(f"{len(points)} vertices: expected three for each facet", str(path))
    return np.array(points, np.float64).reshape(-1, 3, 3)


def _read_obj(path: Path) -> Floats:
    """Return the triangles of a Wavefront OBJ file, whose faces may be any polygons."""
    points: list[list[float]] = []
    found: list[list[list[float]]] = []
    for number, line in enumerate(lines_of(path), 1):
        words = line.partition("#")[0].split()
        where = f"{path}:{number}"
        if words and words[0] == "v":
            points.append(_three(words[1:4], where))
        elif words and words[0] == "f":
            corners = [_vertex(word, points, where) for word in words[1:]]
            if len(corners) < 3:
                raise InvalidValue(f"{len(corners)} corners: expected three or more", where)
            places = triangles_of(np.array(corners, np.float64))
            found += [[corners[i] for i in place] for place in places]
    return np.array(found, np.float64).reshape(-1, 3, 3)


def _vertex(word: str, points: list[list[float]], where: str) -> list[float]:
    try:
        index = Whole(-len(points), len(points))(word.partition("/")[0])
        return points[index - 1 if index else len(points)] if index >= 0 else points[index]
    except (ValueError, IndexError):
        raise InvalidValue(f"{word}: expected one of {len(points)} vertices", where) from None


def _three(words: list[str], where: str) -> list[float]:
    if len(words) != 3:
        raise InvalidValue(f"{' '.join(words)}: expected three numbers", where)
    return [read_finite(word, where) for word in words]


def _finite(corners: Floats, path: Path) -> Floats:
    if not np.isfinite(corners).all():
        raise InvalidValue("expected numbers for all corners", str(path))
    return corners


def _read_gdf(path: Path) -> Floats:
    """Return the triangles of a GDF file's panels, in BODY."""
    panels = gdf.read(path)
    corners: Floats = np.concatenate((panels[:, [0, 1, 2]], panels[:, [0, 2, 3]]))
    # WAMIT's normals point into the body
    return corners[:, ::-1]


def _read_gltf(path: Path) -> Floats:
    """Return the triangles of all meshes in the default scene of a glTF file."""
    read = _glb_parts if path.suffix.lower() == ".glb" else _gltf_parts
    try:
        tree, binary = read(path)
        parts = list(_glb_meshes(path, tree, binary))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InvalidValue):
            raise
        raise InvalidValue(
            f"{error!r}: expected a glTF 2.0 scene of triangles", str(path)
        ) from None
    if not parts:
        raise InvalidValue("expected a scene with a mesh of triangles", str(path))
    return _finite(np.concatenate(parts), path)


def _glb_parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the JSON and the binary chunk of a file."""
    raw = path.read_bytes()
    if raw[:4] != b"glTF" or int.from_bytes(raw[4:8], "little") != 2:
        raise InvalidValue("expected a binary glTF file of version 2", str(path))
    chunks: dict[bytes, bytes] = {}
    at = GLB_HEADER
    while at + GLB_CHUNK <= len(raw):
        length, kind = int.from_bytes(raw[at : at + 4], "little"), raw[at + 4 : at + GLB_CHUNK]
        chunks.setdefault(kind, raw[at + GLB_CHUNK : at + GLB_CHUNK + length])
        at += GLB_CHUNK + length
    tree = json_of(chunks.get(b"JSON", b"null"))
    for member in ("buffers", "images"):
        for one in tree.get(member, ()):
            if "uri" in one:
                value = str(one["uri"])[:60]
                raise InvalidValue(
                    f"{member}: uri {value}: expected all data in the file", str(path)
                )
    return tree, chunks.get(b"BIN\0", b"")


def _gltf_parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the JSON of a text file and its single buffer, which must be a data URI."""
    tree = json_of(path.read_bytes())
    buffers = tree.get("buffers", ())
    head, _, data = str(buffers[0].get("uri")).partition(",") if len(buffers) == 1 else ("",) * 3
    if not (head.startswith("data:") and head.endswith(";base64")):
        raise InvalidValue(
            "buffers: expected one, with its data in the file (data:...;base64,...); "
            "a .glb has all in one file",
            str(path),
        )
    return tree, base64.b64decode(data, validate=True)


def _glb_meshes(path: Path, tree: dict[str, Any], binary: bytes) -> Iterator[Floats]:
    """Return the corners of each primitive, transformed by its nodes."""
    nodes = tree.get("nodes", [])
    roots = tree["scenes"][tree.get("scene", 0)]["nodes"]
    waiting = [(index, np.eye(4), 0) for index in reversed(roots)]
    while waiting:
        index, above, depth = waiting.pop()
        if depth > len(nodes):
            raise InvalidValue(f"nodes.{index} contains itself: expected a tree", str(path))
        node = nodes[index]
        whole = above @ _glb_transform(node)
        waiting += [(child, whole, depth + 1) for child in reversed(node.get("children", []))]
        if "mesh" not in node:
            continue
        for primitive in tree["meshes"][node["mesh"]]["primitives"]:
            if primitive.get("mode", TRIANGLES) != TRIANGLES:
                continue
            points = _glb_accessor(path, tree, binary, primitive["attributes"]["POSITION"])
            if "indices" in primitive:
                points = points[_glb_accessor(path, tree, binary, primitive["indices"]).ravel()]
            corners = points.astype(np.float64).reshape(-1, 3, 3) @ whole[:3, :3].T + whole[:3, 3]
            # a mirroring transform reverses the orientation of the triangles
            yield corners if np.linalg.det(whole[:3, :3]) > 0 else corners[:, ::-1]


def _glb_transform(node: dict[str, Any]) -> Floats:
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    found = np.eye(4)
    found[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    found[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return found


def _glb_accessor(path: Path, tree: dict[str, Any], binary: bytes, index: int) -> Any:
    """Return the numbers of an accessor (count, components): positions or indices."""
    accessor = tree["accessors"][index]
    if "sparse" in accessor or "bufferView" not in accessor:
        raise InvalidValue(
            f"accessors.{index}: expected one with a bufferView, not sparse", str(path)
        )
    view = tree["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
    component = accessor["componentType"]
    kind: np.dtype[Any] = (
        np.dtype("<f4") if component == FLOAT and width == 3 else COMPONENTS[component]
    )
    step = view.get("byteStride", kind.itemsize * width)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    count = int(accessor["count"])
    end = start + step * (count - 1) + kind.itemsize * width
    if count < 1 or start < 0 or step < kind.itemsize * width or end > len(binary):
        value = f"{count} numbers up to byte {end}"
        raise InvalidValue(f"accessors.{index}: {value}: expected within {len(binary)}", str(path))
    shape, strides = (count, width), (step, kind.itemsize)
    return np.ndarray(shape, kind, binary, start, strides).copy()


READERS: dict[str, Callable[[Path], Floats]] = {
    ".stl": _read_stl,
    ".obj": _read_obj,
    ".gdf": _read_gdf,
    ".glb": _read_gltf,
    ".gltf": _read_gltf,
}
