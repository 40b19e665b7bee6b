"""Triangulation of quads and polygons: any shape, area kept, consistent orientation."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.world.errors import InvalidValue
from steerageway.world.mesh import read
from steerageway.world.mesh_files import read_corners
from steerageway.world.triangulation import triangles_of

# an L, extruded: two concave faces of six corners, six quads
L_PLAN = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def area(corners: np.ndarray) -> np.ndarray:
    return 0.5 * np.cross(corners, np.roll(corners, -1, axis=0)).sum(0)


def test_a_convex_polygon_is_a_fan() -> None:
    angles = np.linspace(0, 2 * np.pi, 6)[:-1]
    corners = np.stack((np.cos(angles), np.sin(angles), np.zeros(5)), axis=1)
    assert triangles_of(corners) == [(0, 1, 2), (0, 2, 3), (0, 3, 4)]


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.3, 3.0), min_size=4, max_size=12), st.integers(0, 1000))
def test_a_star_keeps_its_area_and_no_triangle_turns_round(radii, seed) -> None:
    """Stars are seldom convex; they lie in any plane."""
    angles = np.linspace(0, 2 * np.pi, len(radii) + 1)[:-1]
    flat = np.stack((radii * np.cos(angles), radii * np.sin(angles), np.zeros(len(radii))), axis=1)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    corners = flat @ turn.T + [1.0, -2.0, 3.0]
    whole = area(corners)
    parts = [area(corners[list(places)]) for places in triangles_of(corners)]
    assert len(parts) == len(radii) - 2
    assert np.sum(parts, axis=0) == pytest.approx(whole, abs=1e-9)
    assert all(part @ whole >= -1e-9 for part in parts)


def test_an_obj_file_of_polygons_is_a_closed_body(tmp_path: Path) -> None:
    n = len(L_PLAN)
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in L_PLAN]
    lines.append("f " + " ".join(f"{i + 1 + n}//1" for i in range(n)))
    lines.append("f " + " ".join(str(i) for i in range(n, 0, -1)))
    for i in range(n):
        j = (i + 1) % n
        lines.append(f"f {i + 1} {j + 1} {j + 1 + n} {i + 1 + n}")
    (tmp_path / "l.obj").write_text("\n".join(lines))
    mesh = read(tmp_path / "l.obj")
    assert mesh.volume == pytest.approx(3.0)
    assert mesh.area == pytest.approx(3.0 * 2 + 8.0)


def test_a_face_of_two_corners_is_refused_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2\n")
    with pytest.raises(InvalidValue, match=r"bad.obj:3: 2 corners: expected three"):
        read_corners(tmp_path / "bad.obj", 100)
