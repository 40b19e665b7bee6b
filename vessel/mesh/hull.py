"""Meshes of hulls: STL, OBJ and GDF files, checked to be closed, outward and in metres.

Vertices are BODY [m]: x forward, y starboard, z down. Triangles turn so that their area vectors
point out of the body, by the right hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from steerageway.vessel import gdf
from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats, Whole
from steerageway.world.numbers import read_finite

MOST_TRIANGLES = 500_000
BYTES = 64  # that a triangle takes: three indices, and its part of the vertices and what is at them
AXES = {
    "FRD": np.diag([1.0, 1.0, 1.0]),  # forward, right, down: BODY
    "FLU": np.diag([1.0, -1.0, -1.0]),  # forward, left, up: ROS, WAMIT, most drawings
    "RUF": np.array([[0.0, 0, 1], [1, 0, 0], [0, -1, 0]]),  # right, up, forward: Unity
    "RFU": np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]]),  # right, forward, up
}
"""By the directions of a file's axes: the matrix that turns its vectors into BODY's."""
STL_HEADER, STL_TRIANGLE = 84, 50  # bytes


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed body.

    Attributes:
        vertices: (n, 3) in BODY from CO [m].
        triangles: (m, 3) indices of vertices.
    """

    vertices: Floats
    triangles: Whole

    @property
    def corners(self) -> Floats:
        """Give the corners (m, 3, 3) of every triangle."""
        return self.vertices[self.triangles]

    @property
    def volume(self) -> float:
        """Give the volume [m³]; of a body turned inside out it is negative."""
        a, b, c = (self.corners[:, i] for i in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)

    @property
    def centroid(self) -> Floats:
        """Give the centre of the volume (3,) [m]."""
        a, b, c = (self.corners[:, i] for i in range(3))
        parts = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        centre: Floats = (parts[:, None] * (a + b + c)).sum(0) / (4.0 * parts.sum())
        return centre

    @property
    def area(self) -> float:
        """Give the area of the surface [m²]."""
        a, b, c = (self.corners[:, i] for i in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)

    @property
    def extent(self) -> tuple[Floats, Floats]:
        """Give the least and the greatest coordinates (3,), (3,) [m]."""
        return self.vertices.min(0), self.vertices.max(0)

    def scaled_to(self, volume: float) -> Mesh:
        """Give the mesh grown about its centroid to a volume [m³]: facets cut off the round."""
        growth = (volume / self.volume) ** (1.0 / 3.0)
        centre = self.centroid
        return Mesh(centre + growth * (self.vertices - centre), self.triangles)

    def moved(self, offset: Floats) -> Mesh:
        """Give the mesh moved by (3,) [m]."""
        return Mesh(self.vertices + offset, self.triangles)


def read(path: Path, scale: float = 1.0, axes: str = "FRD", origin: Floats | None = None) -> Mesh:
    """Read a mesh and check it.

    Args:
        path: of a ``.stl`` (either form), ``.obj`` or ``.gdf`` file.
        scale: from the file's unit to metres.
        axes: the directions of the file's axes, one of ``AXES``; a GDF file has its own.
        origin: (3,) of BODY in the file, in metres and in BODY's directions.

    Raises:
        InvalidValue: no such file, another format, or a body that is open, inside out or too fine.
    """
    turned = read_corners(path, axes)
    shift = np.zeros(3) if origin is None else origin
    if len(turned):
        vertices, inverse = np.unique(turned.reshape(-1, 3), axis=0, return_inverse=True)
        triangles = inverse.reshape(-1, 3).astype(np.int64)
    else:
        vertices, triangles = np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    return checked(Mesh(scale * vertices - shift, _sound(triangles)), str(path))


def read_corners(path: Path, axes: str = "FRD") -> Floats:
    """Give a file's triangles (m, 3, 3) in BODY's directions and its own unit, unchecked.

    Raises:
        InvalidValue: no such file, another format, or too many triangles.
    """
    readers = {".stl": _read_stl, ".obj": _read_obj, ".gdf": _read_gdf}
    reader = readers.get(path.suffix.lower())
    if reader is None or not path.is_file():
        raise InvalidValue(f"{path}: expected a mesh in a .stl, .obj or .gdf file")
    corners = reader(path)
    if len(corners) > MOST_TRIANGLES:
        raise InvalidValue(
            f"{path}: {len(corners)} triangles would take {len(corners) * BYTES / 1e6:.0f} MB: "
            f"expected at most {MOST_TRIANGLES}; 300 to 1500 are enough for a hull"
        )
    return corners if path.suffix.lower() == ".gdf" else corners @ AXES[axes].T


def _sound(triangles: Whole) -> Whole:
    """Leave out triangles two of whose corners are one vertex."""
    a, b, c = triangles.T
    kept: Whole = triangles[(a != b) & (b != c) & (c != a)]
    return kept


def checked(mesh: Mesh, name: str) -> Mesh:
    """Give the mesh if it is a closed body turned the right way out.

    Raises:
        InvalidValue: it is none; names the edge, and what would be right.
    """
    if len(mesh.triangles) < 4:
        raise InvalidValue(f"{name}: {len(mesh.triangles)} triangles: expected a closed body")
    edges = np.concatenate([mesh.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    count = len(mesh.vertices)
    forward = edges[:, 0] * count + edges[:, 1]
    backward = edges[:, 1] * count + edges[:, 0]
    codes, times = np.unique(forward, return_counts=True)
    lonely = np.flatnonzero(~np.isin(forward, backward))
    if len(lonely):
        raise InvalidValue(
            f"{name}: {_edge(mesh, edges, int(lonely[0]))} belongs to one triangle alone, as "
            f"{len(lonely)} edges do: expected a closed body (is the deck missing?)"
        )
    if times.max() > 1:
        first = int(np.flatnonzero(forward == codes[times.argmax()])[0])
        raise InvalidValue(
            f"{name}: {_edge(mesh, edges, first)} is gone through twice in one direction: "
            "expected neighbouring triangles that turn the same way"
        )
    if mesh.volume <= 0.0:
        raise InvalidValue(
            f"{name}: the volume is {mesh.volume:g} m³: its normals point inward; expected "
            "triangles whose corners go counterclockwise seen from outside"
        )
    return mesh


def _edge(mesh: Mesh, edges: Whole, which: int) -> str:
    ends = (mesh.vertices[edges[which, i]] for i in range(2))
    places = " to ".join("(" + ", ".join(f"{value:g}" for value in end) + ")" for end in ends)
    return f"triangle {which % len(mesh.triangles) + 1}: the edge {places}"


def _read_stl(path: Path) -> Floats:
    """Give the triangles (m, 3, 3) of an STL file of either form."""
    raw = path.read_bytes()
    count = int.from_bytes(raw[80:STL_HEADER], "little") if len(raw) >= STL_HEADER else -1
    if len(raw) == STL_HEADER + STL_TRIANGLE * count:
        fields = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        records = np.frombuffer(raw, fields, count, STL_HEADER)
        corners: Floats = records["corners"].astype(np.float64)
        if not np.isfinite(corners).all():
            raise InvalidValue(f"{path}: expected numbers for all corners")
        return corners
    if not raw.lstrip().startswith(b"solid"):
        needed = STL_HEADER + STL_TRIANGLE * max(count, 0)
        raise InvalidValue(
            f"{path}: {len(raw)} bytes: expected an STL file, of {needed} bytes by its header"
        )
    points = []
    for number, line in enumerate(raw.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if words and words[0] == "vertex":
            points.append(_three(words[1:], f"{path}:{number}"))
    if len(points) % 3:
        raise InvalidValue(f"{path}: {len(points)} vertices: expected three for each facet")
    return np.array(points, np.float64).reshape(-1, 3, 3)


def _read_obj(path: Path) -> Floats:
    """Give the triangles (m, 3, 3) of a Wavefront OBJ file; polygons become fans."""
    points: list[list[float]] = []
    found: list[list[list[float]]] = []
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        where = f"{path}:{number}"
        if words and words[0] == "v":
            points.append(_three(words[1:4], where))
        elif words and words[0] == "f":
            corners = [_vertex(word, points, where) for word in words[1:]]
            found += [[corners[0], *corners[i : i + 2]] for i in range(1, len(corners) - 1)]
    return np.array(found, np.float64).reshape(-1, 3, 3)


def _vertex(word: str, points: list[list[float]], where: str) -> list[float]:
    try:
        index = int(word.partition("/")[0])
        return points[index - 1 if index > 0 else len(points) + index]
    except (ValueError, IndexError):
        raise InvalidValue(f"{where}: {word}: expected one of {len(points)} vertices") from None


def _three(words: list[str], where: str) -> list[float]:
    if len(words) != 3:
        raise InvalidValue(f"{where}: {' '.join(words)}: expected three numbers")
    return [read_finite(word, where) for word in words]


def _read_gdf(path: Path) -> Floats:
    """Give the triangles of a GDF file's panels, in BODY."""
    panels = gdf.read(path)
    corners: Floats = np.concatenate((panels[:, [0, 1, 2]], panels[:, [0, 2, 3]]))
    # WAMIT's normals point into the body
    return corners[:, ::-1]
