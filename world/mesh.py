"""Closed triangle meshes: read from files, checked, oriented outward, scaled to metres.

Vertices are in BODY [m]: x forward, y starboard, z down. The area vectors of the triangles point
out of the body, by the right-hand rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from steerageway.world.arrays import Floats, Whole
from steerageway.world.errors import InvalidValue
from steerageway.world.mesh_files import read_corners

MOST_TRIANGLES = 500_000
AXES = {
    "FRD": np.diag([1.0, 1.0, 1.0]),  # forward, right, down: BODY
    "FLU": np.diag([1.0, -1.0, -1.0]),  # forward, left, up: ROS, WAMIT, most drawings
    "LUF": np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]),  # left, up, forward: glTF
    "RUF": np.array([[0.0, 0, 1], [1, 0, 0], [0, -1, 0]]),  # right, up, forward: Unity
    "RFU": np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]]),  # right, forward, up
}
"""Rotation matrices from a file's axes to BODY, by the directions of the file's axes."""


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
        """Return the corners (m, 3, 3) of every triangle."""
        return self.vertices[self.triangles]

    @property
    def volume(self) -> float:
        """Return the volume [m³]; negative for a body turned inside out."""
        a, b, c = (self.corners[:, i] for i in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)

    @property
    def centroid(self) -> Floats:
        """Return the centroid of the volume (3,) [m]."""
        a, b, c = (self.corners[:, i] for i in range(3))
        parts = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        centre: Floats = (parts[:, None] * (a + b + c)).sum(0) / (4.0 * parts.sum())
        return centre

    @property
    def area(self) -> float:
        """Return the surface area [m²]."""
        a, b, c = (self.corners[:, i] for i in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)

    @property
    def extent(self) -> tuple[Floats, Floats]:
        """Return the minimum and maximum coordinates (3,), (3,) [m]."""
        return self.vertices.min(0), self.vertices.max(0)

    def scaled_to(self, volume: float) -> Mesh:
        """Return the mesh scaled about its centroid to a volume [m³], which facets reduce."""
        growth = (volume / self.volume) ** (1.0 / 3.0)
        centre = self.centroid
        return Mesh(centre + growth * (self.vertices - centre), self.triangles)

    def moved(self, offset: Floats) -> Mesh:
        """Return the mesh translated by (3,) [m]."""
        return Mesh(self.vertices + offset, self.triangles)


def read(
    path: Path,
    scale: float = 1.0,
    axes: str = "FRD",
    origin: Floats | None = None,
    *,
    most: int | None = None,
) -> Mesh:
    """Read a mesh and check it.

    Args:
        path: path of a ``.stl`` (binary or text), ``.obj``, ``.gdf``, ``.glb`` or ``.gltf`` file.
        scale: factor from the file's unit to metres.
        axes: directions of the file's axes, one of ``AXES``; fixed for GDF files.
        origin: (3,) position of BODY's origin in the file [m], in BODY's directions.
        most: maximum number of triangles; None: ``MOST_TRIANGLES``.

    Raises:
        InvalidValue: no such file, another format, or a body that is open, inside out or too fine.
    """
    corners = read_corners(path, MOST_TRIANGLES if most is None else most)
    turned = corners if path.suffix.lower() == ".gdf" else corners @ AXES[axes].T
    shift = np.zeros(3) if origin is None else origin
    mesh = indexed(turned)
    return checked(Mesh(scale * mesh.vertices - shift, mesh.triangles), str(path))


def indexed(corners: Floats) -> Mesh:
    """Return the mesh of triangles (m, 3, 3), in which corners with equal coordinates are one."""
    if not len(corners):
        return Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    vertices, inverse = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return Mesh(vertices, without_degenerate(inverse.reshape(-1, 3).astype(np.int64)))


def without_degenerate(triangles: Whole) -> Whole:
    """Return the triangles without degenerate ones, which use a vertex twice."""
    a, b, c = triangles.T
    kept: Whole = triangles[(a != b) & (b != c) & (c != a)]
    return kept


def edges_of(triangles: Whole) -> Whole:
    """Return the edges (3 m, 2) of triangles (m, 3): the first of all, then the second, the third.

    Each goes the way of its triangle.
    """
    return np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])


def checked(mesh: Mesh, name: str) -> Mesh:
    """Return the mesh if it is closed and oriented outward.

    Raises:
        InvalidValue: it is not; the error names the edge, and what is expected.
    """
    if len(mesh.triangles) < 4:
        raise InvalidValue(f"{len(mesh.triangles)} triangles: expected a closed body", name)
    edges = edges_of(mesh.triangles)
    count = len(mesh.vertices)
    forward = edges[:, 0] * count + edges[:, 1]
    backward = edges[:, 1] * count + edges[:, 0]
    codes, times = np.unique(forward, return_counts=True)
    lonely = np.flatnonzero(~np.isin(forward, backward))
    if len(lonely):
        raise InvalidValue(
            f"{_edge(mesh, edges, int(lonely[0]))} belongs to one triangle alone, as "
            f"{len(lonely)} edges do: expected a closed body (is the deck missing?)",
            name,
        )
    if times.max() > 1:
        first = int(np.flatnonzero(forward == codes[times.argmax()])[0])
        raise InvalidValue(
            f"{_edge(mesh, edges, first)} is traversed twice in one direction: "
            "expected adjacent triangles of the same orientation",
            name,
        )
    if mesh.volume <= 0.0:
        raise InvalidValue(
            f"the volume is {mesh.volume:g} m³: its normals point inward; expected "
            "triangles whose corners go counterclockwise seen from outside",
            name,
        )
    return mesh


def _edge(mesh: Mesh, edges: Whole, which: int) -> str:
    ends = (mesh.vertices[edges[which, i]] for i in range(2))
    places = " to ".join("(" + ", ".join(f"{value:g}" for value in end) + ")" for end in ends)
    return f"triangle {which % len(mesh.triangles) + 1}: the edge {places}"


def shells(corners: Floats) -> list[Whole]:
    """Return the triangles of each connected component (shell), that with the most first.

    Corners with equal coordinates are one vertex.

    Args:
        corners: (m, 3, 3), in any axes and unit.
    Returns:
        for each component the indices of its triangles, ascending.
    """
    _, vertices = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = vertices.reshape(-1, 3)
    labels = connected(triangles, triangles.max(initial=-1) + 1)
    of_triangle = labels[triangles[:, 0]] if len(triangles) else np.zeros(0, np.int64)
    parts = [np.flatnonzero(of_triangle == label) for label in np.unique(of_triangle)]
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))


def connected(rows: Whole, count: int) -> Whole:
    """Return for each of ``count`` nodes the least node that it is connected to.

    The label of a row's nodes becomes the minimum of them until nothing changes (label propagation
    with path compression).

    Args:
        rows: (m, k) nodes; those of a row are connected.
    """
    labels = np.arange(count)
    while True:
        least = labels[rows].min(axis=1)
        after = labels.copy()
        np.minimum.at(after, rows.ravel(), np.repeat(least, rows.shape[1]))
        after = after[after]
        if np.array_equal(after, labels):
            return labels
        labels = after
