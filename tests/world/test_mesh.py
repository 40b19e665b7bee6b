"""Mesh files: every format, and rejection of bodies that are not closed; connected components."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.world import shapes
from steerageway.world.errors import InvalidValue
from steerageway.world.mesh import Mesh, checked, read, shells


def test_a_written_mesh_is_read_again(tmp_path: Path) -> None:
    mesh = shapes.box(4.0, 2.0, 1.0, 0.5)
    shapes.write_stl(mesh, tmp_path / "box.stl")
    again = read(tmp_path / "box.stl")
    assert again.volume == pytest.approx(8.0)
    assert len(again.vertices) == len(mesh.vertices)


def test_text_stl_obj_and_gdf_are_read(tmp_path: Path) -> None:
    corners = shapes.box(2.0, 1.0, 1.0).corners
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle.tolist())
        + "endloop\nendfacet\n"
        for triangle in corners
    )
    (tmp_path / "a.stl").write_text(f"solid a\n{facets}endsolid a\n")
    mesh = shapes.box(2.0, 1.0, 1.0)
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in mesh.vertices.tolist())
    faces = "".join(f"f {a + 1}/1 {b + 1}//2 {c + 1}\n" for a, b, c in mesh.triangles.tolist())
    (tmp_path / "a.obj").write_text(f"# a box\n{vertices}{faces}")
    inside_out = corners[:, [0, 2, 1, 1]] * [1.0, -1.0, -1.0]  # WAMIT's axes and turning
    panels = "".join(f"{x} {y} {z}\n" for x, y, z in inside_out.reshape(-1, 3).tolist())
    (tmp_path / "a.gdf").write_text(f"box\n1.0 9.81\n0 0\n{len(corners)}\n{panels}")
    for name in ("a.stl", "a.obj", "a.gdf"):
        assert read(tmp_path / name).volume == pytest.approx(2.0), name


def glb_of(mesh: Mesh, node: dict[str, object], uri: str | None = None) -> bytes:
    """Return a mesh as the bytes of a binary glTF file, in a node of a scene."""
    indices = mesh.triangles.astype("<u2").tobytes()
    indices += bytes(-len(indices) % 4)
    places = mesh.vertices.astype("<f4").tobytes()
    binary = indices + places
    positions = {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": len(places) // 12}
    count = mesh.triangles.size
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [node | {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "type": "SCALAR", "count": count},
            positions,
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(indices)},
            {"buffer": 0, "byteOffset": len(indices), "byteLength": len(places)},
        ],
        "buffers": [{"byteLength": len(binary)} | ({} if uri is None else {"uri": uri})],
    }
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    parts = b"".join(
        len(part).to_bytes(4, "little") + kind + part
        for kind, part in ((b"JSON", text), (b"BIN\0", binary))
    )
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(parts)).to_bytes(4, "little") + parts


def test_a_glb_is_read_through_the_transforms_of_its_nodes(tmp_path: Path) -> None:
    node = {
        "translation": [10.0, 0.0, 0.0],
        "rotation": [0.0, 0.0, 0.5**0.5, 0.5**0.5],
        "scale": [2.0, 1.0, -1.0],
    }
    (tmp_path / "a.glb").write_bytes(glb_of(shapes.box(2.0, 1.0, 1.0), node))
    mesh = read(tmp_path / "a.glb")
    assert mesh.volume == pytest.approx(4.0)
    low, high = mesh.extent  # the rotation of 90 degrees about z takes length, 4 m, to y
    assert low == pytest.approx([9.5, -2.0, -0.5])
    assert high == pytest.approx([10.5, 2.0, 0.5])


def gltf_of(mesh: Mesh, **buffer: str) -> bytes:
    """Return a text glTF file of one mesh, from the binary one: JSON, and its data as base64."""
    raw = glb_of(mesh, {})
    length = int.from_bytes(raw[12:16], "little")
    tree = json.loads(raw[20 : 20 + length])
    data = base64.b64encode(raw[28 + length :]).decode()
    tree["buffers"][0]["uri"] = buffer.get("uri", f"data:application/octet-stream;base64,{data}")
    return json.dumps(tree).encode()


def test_a_text_gltf_with_its_data_inside_is_read_as_the_binary_one(tmp_path: Path) -> None:
    (tmp_path / "a.glb").write_bytes(glb_of(shapes.box(2.0, 1.0, 1.0), {}))
    (tmp_path / "a.gltf").write_bytes(gltf_of(shapes.box(2.0, 1.0, 1.0)))
    text, binary = read(tmp_path / "a.gltf"), read(tmp_path / "a.glb")
    assert np.array_equal(text.corners, binary.corners)


@pytest.mark.parametrize("uri", ["box.bin", "data:application/octet-stream;base64,****", ""])
def test_a_text_gltf_with_external_data_is_refused(tmp_path: Path, uri: str) -> None:
    (tmp_path / "a.gltf").write_bytes(gltf_of(shapes.box(2.0, 1.0, 1.0), uri=uri))
    with pytest.raises(InvalidValue, match=r"a\.gltf: .*expected"):
        read(tmp_path / "a.gltf")


def test_a_glb_with_external_data_or_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    whole = glb_of(shapes.box(2.0, 1.0, 1.0), {})
    (tmp_path / "cut.glb").write_bytes(whole[:-8])
    with pytest.raises(InvalidValue, match=r"cut.glb: accessors.1: .*expected within"):
        read(tmp_path / "cut.glb")
    elsewhere = glb_of(shapes.box(2.0, 1.0, 1.0), {}, "http://a.b/c.bin")
    (tmp_path / "uri.glb").write_bytes(elsewhere)
    with pytest.raises(InvalidValue, match=r"uri http.*: expected all data in the file"):
        read(tmp_path / "uri.glb")
    (tmp_path / "round.glb").write_bytes(glb_of(shapes.box(1.0, 1.0, 1.0), {"children": [0]}))
    with pytest.raises(InvalidValue, match="contains itself"):
        read(tmp_path / "round.glb")


def test_a_file_of_ten_million_triangles_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "a.stl").open("wb") as file:  # a sparse file: its header and its size
        file.write(bytes(80) + (10**7).to_bytes(4, "little"))
        file.truncate(84 + 50 * 10**7)
    with pytest.raises(InvalidValue, match=r"10000000 triangles would take 640 MB: expected at"):
        read(tmp_path / "a.stl")


def test_scale_axes_and_origin_bring_a_mesh_to_body(tmp_path: Path) -> None:
    mesh = shapes.box(4.0, 2.0, 1.0).moved(np.array([0.0, 0.0, 1.0]))
    shapes.write_stl(mesh, tmp_path / "a.stl")
    found = read(tmp_path / "a.stl", 0.1, "FLU", np.array([0.0, 0.0, -0.2]))
    low, high = found.extent
    assert low == pytest.approx([-0.2, -0.1, 0.05], abs=1e-6)
    assert high == pytest.approx([0.2, 0.1, 0.15], abs=1e-6)


def test_an_open_mesh_is_refused_by_its_edge() -> None:
    box = shapes.box(2.0, 1.0, 1.0)
    with pytest.raises(InvalidValue, match=r"the edge \(.*\) to \(.*\) belongs to one triangle"):
        checked(Mesh(box.vertices, box.triangles[:-1]), "hull.stl")


def test_inward_normals_and_mixed_turning_are_refused() -> None:
    box = shapes.box(2.0, 1.0, 1.0)
    with pytest.raises(InvalidValue, match="normals point inward"):
        checked(Mesh(box.vertices, box.triangles[:, ::-1]), "hull.stl")
    mixed = box.triangles.copy()
    mixed[3] = mixed[3, ::-1]
    with pytest.raises(InvalidValue, match=r"of the same orientation|belongs to one triangle"):
        checked(Mesh(box.vertices, mixed), "hull.stl")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.ply", b"ply", r"expected a mesh in a .stl, .obj, .gdf, .glb or .gltf file"),
        ("a.stl", b"\0" * 90, r"90 bytes: expected an STL file, of 84 bytes"),
        ("a.stl", b"solid a\nvertex 1 2\n", r"a.stl:2: 1 2: expected three numbers"),
        ("a.obj", b"v 0 0 0\nf 1 2 9\n", r"a.obj:2: 2: expected one of 1 vertices"),
    ],
)
def test_a_file_that_is_no_mesh_is_refused(
    tmp_path: Path, name: str, content: bytes, expected: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidValue, match=expected):
        read(tmp_path / name)


def test_too_many_triangles_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes.write_stl(shapes.sphere(1.0, 2), tmp_path / "a.stl")
    monkeypatch.setattr("steerageway.world.mesh.MOST_TRIANGLES", 100)
    with pytest.raises(InvalidValue, match="320 triangles would take 0 MB: expected at most 100"):
        read(tmp_path / "a.stl")


def test_two_bodies_that_touch_nowhere_are_two_shells() -> None:
    ball, box = (
        shapes.sphere(1.0, 3).corners,
        shapes.box(2.0, 1.0, 1.0).corners + np.array([5.0, 0.0, 0.0]),
    )
    found = shells(np.concatenate((box, ball)))
    assert [len(part) for part in found] == [len(ball), len(box)]
    assert found[1].tolist() == list(range(len(box)))


def test_nothing_has_no_shells() -> None:
    assert shells(np.zeros((0, 3, 3))) == []


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_shells_are_found_in_any_order_of_triangles(count: int, chance: object) -> None:
    bodies = [shapes.box(1.0, 1.0, 1.0).corners + 3.0 * i for i in range(count)]
    whole = np.concatenate(bodies)
    order = list(range(len(whole)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    found = shells(whole[order])
    parted = {frozenset(order[i] // 12 for i in part) for part in found}
    assert parted == {frozenset({i}) for i in range(count)}
