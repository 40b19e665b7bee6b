"""Hydrostatics of meshes against boolean cuts, closed forms and the document's table."""

from __future__ import annotations

from math import pi, radians

import manifold3d
import numpy as np
import pytest
from references import MESH, data, rows

from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.mesh import hydrostatics, voxels
from steerageway.world import shapes
from steerageway.world.mesh import Mesh, read

SHAPES = {shape["name"]: shape for shape in data(MESH / "shapes.json")["shapes"]}
MESHES = {name: read(MESH / f"{name}.stl") for name in SHAPES}
WEIGHT = 1025.0 * 9.80665
TABLE_1 = {1: 12.65, 2: 3.38, 3: 0.86, 4: 0.22}  # per cent of the sphere, by subdivisions


@pytest.mark.parametrize("name", SHAPES)
def test_a_whole_bodys_volume_centroid_and_area_are_known(name: str) -> None:
    mesh, expected = MESHES[name], SHAPES[name]
    assert mesh.volume == pytest.approx(expected["volume"], rel=1e-9)
    assert mesh.centroid == pytest.approx(expected["centroid"], abs=1e-9)
    assert mesh.area == pytest.approx(expected["area"], rel=1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_any_draught_and_attitude_agrees_with_boolean_cuts(name: str) -> None:
    mesh = MESHES[name]
    for row in (row for row in rows(MESH / "hydrostatics.csv") if row["shape"] == name):
        phi, theta = radians(row["phi_deg"]), radians(row["theta_deg"])
        water = hydrostatics.afloat(mesh, row["z_origin"], phi, theta)
        wrench = hydrostatics.static_wrench(mesh, row["z_origin"], phi, theta, WEIGHT)
        assert water.volume == pytest.approx(row["V"], abs=1e-8 * mesh.volume)
        assert water.centre == pytest.approx([row["xb"], row["yb"], row["zb"]], abs=1e-8)
        assert water.area == pytest.approx(row["Awp"], abs=1e-8)
        assert water.flotation == pytest.approx([row["xf_n"], row["yf_n"]], abs=1e-8)
        moments = [water.I_T, water.I_L, water.I_xy]
        assert moments == pytest.approx([row[key] for key in ("I_T", "I_L", "I_xy")], abs=1e-8)
        assert water.wetted == pytest.approx(row["S_wet"], abs=1e-8)
        expected = [row[key] for key in ("Fx", "Fy", "Fz", "K", "M", "N")]
        assert wrench == pytest.approx(expected, abs=1e-8 * WEIGHT * mesh.volume)


@pytest.mark.parametrize("name", SHAPES)
def test_stability_upright_is_known(name: str) -> None:
    mesh = MESHES[name]
    low, high = mesh.extent
    for expected in SHAPES[name]["upright"]:
        water = hydrostatics.afloat(mesh, expected["z_origin"])
        KB = high[2] + expected["z_origin"] - water.centre_ned[2]
        assert pytest.approx(expected["KB"], abs=1e-8) == KB
        assert water.I_T / water.volume == pytest.approx(expected["BM_T"], rel=1e-8)
        assert water.I_L / water.volume == pytest.approx(expected["BM_L"], rel=1e-8)
        assert water.flotation[0] == pytest.approx(expected["LCF"], abs=1e-8)
    assert high[2] > low[2]


def test_righting_levers_are_known() -> None:
    for row in rows(MESH / "gz.csv"):
        mesh = MESHES[row["shape"]]
        low, high = mesh.extent
        G = np.array([0.0, 0.0, high[2] - 0.55 * (high[2] - low[2])])
        lever = hydrostatics.righting_lever(mesh, row["V"], G, radians(row["phi_deg"]))
        assert lever == pytest.approx(row["GZ"], abs=1e-8)


@pytest.mark.parametrize("divisions", TABLE_1)
def test_the_documents_table_is_that_of_a_sphere_of_half_a_metre(divisions: int) -> None:
    """The document gives R = 1 m; its absolute errors are those of 0.5 m."""
    mesh, radius = shapes.sphere(0.5, divisions), 0.5
    worst = 0.0
    for z in np.linspace(-radius, radius, 101):
        d = radius + z
        exact = pi * d**2 / 3.0 * (3.0 * radius - d)
        worst = max(worst, abs(exact - hydrostatics.afloat(mesh, float(z)).volume))
    assert 100.0 * worst / (4.0 / 3.0 * pi * radius**3) == pytest.approx(
        TABLE_1[divisions], abs=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edge", "volume"),
    [(0.3, 0.513), (0.2, 0.648), (0.05, 0.51925)],
)
def test_voxels_of_a_sphere_have_the_documents_volumes(edge: float, volume: float) -> None:
    found = voxels.centres(shapes.sphere(0.5, 4), edge)
    assert len(found) * edge**3 == pytest.approx(volume, rel=0.01)
    assert voxels.volume_below(found, edge, 2.0) == pytest.approx(len(found) * edge**3)


def test_voxels_need_no_convex_body() -> None:
    found = voxels.centres(MESHES["catamaran"], 0.05)
    assert len(found) * 0.05**3 == pytest.approx(SHAPES["catamaran"]["volume"], rel=0.15)
    assert (np.abs(found[:, 1]) > 0.1).all()


def _body(rng: np.random.Generator, convex: bool) -> Mesh:
    """Return a random body: a hull of points, or the difference of two hulls."""
    whole = manifold3d.Manifold.hull_points(rng.uniform(-1, 1, (14, 3)))
    if not convex:
        whole -= manifold3d.Manifold.hull_points(rng.uniform(-0.4, 1.2, (12, 3)))
    raw = whole.to_mesh64()
    return Mesh(np.array(raw.vert_properties[:, :3]), np.array(raw.tri_verts, np.int64))


@pytest.mark.parametrize("convex", [True, False])
def test_random_bodies_agree_with_an_independent_boolean(convex: bool) -> None:
    rng = np.random.default_rng(42)
    for _ in range(25):
        mesh = _body(rng, convex)
        z, phi, theta = rng.uniform([-0.6, -pi, -1.5], [0.6, pi, 1.5])
        R = eul_to_rotm(np.array([phi, theta, 0.0]))
        turned = manifold3d.Manifold(
            manifold3d.Mesh64(mesh.vertices @ R.T + [0, 0, z], mesh.triangles.astype(np.uint64))
        )
        wet = turned.trim_by_plane([0.0, 0.0, 1.0], 0.0)
        raw = wet.to_mesh64()
        cut = Mesh(np.array(raw.vert_properties[:, :3]), np.array(raw.tri_verts, np.int64))
        water = hydrostatics.afloat(mesh, z, phi, theta)
        assert water.volume == pytest.approx(wet.volume(), abs=1e-8 * mesh.volume)
        area = turned.slice(0.0).area()
        assert water.area == pytest.approx(area, abs=1e-8)
        if water.volume > 0.05:
            assert water.centre_ned == pytest.approx(cut.centroid, abs=1e-8)


def test_still_water_has_no_lateral_force() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        mesh = _body(rng, convex=False)
        z, phi, theta = rng.uniform([-0.6, -pi, -1.5], [0.6, pi, 1.5])
        R = eul_to_rotm(np.array([phi, theta, 0.3]))
        wrench = hydrostatics.static_wrench(mesh, z, phi, theta, WEIGHT)
        turned = eul_to_rotm(np.array([phi, theta, 0.0])) @ wrench[:3]
        assert np.abs(turned[:2]).max() < 1e-9 * WEIGHT
        assert R.shape == (3, 3)


def test_a_vertex_on_the_surface_counts_as_wet() -> None:
    mesh = shapes.box(2.0, 2.0, 2.0, 0.5)  # vertices lie at z = 0
    water = hydrostatics.afloat(mesh, 0.0)
    assert (water.volume, water.area) == pytest.approx((4.0, 4.0), rel=1e-14)
    assert water.wetted == pytest.approx(4.0 + 8.0, rel=1e-14)


def test_equilibrium_balances_weight_and_levers() -> None:
    mesh = MESHES["wedge"]
    r_bg = np.array([0.1, 0.05, 0.05])
    z, phi, theta = hydrostatics.equilibrium(mesh, 0.5 * mesh.volume, r_bg)
    water = hydrostatics.afloat(mesh, z, phi, theta)
    G = eul_to_rotm(np.array([phi, theta, 0.0])) @ r_bg
    assert water.volume == pytest.approx(0.5 * mesh.volume, rel=1e-9)
    assert water.centre_ned[:2] == pytest.approx(G[:2], abs=1e-8)


def jumps(volumes: np.ndarray) -> float:
    """Return the maximum change from one depth to the next [m³]."""
    return float(np.abs(np.diff(volumes)).max())


def test_without_cutting_a_volume_jumps_as_the_document_shows() -> None:
    mesh, depths = shapes.sphere(0.5, 1), np.linspace(-0.5, 0.5, 401)
    cut, uncut = (
        np.array([hydrostatics.afloat(mesh, z, cutting=on).volume for z in depths.tolist()])
        for on in (True, False)
    )
    assert jumps(cut) < 1.05 * np.pi * 0.25 / 400  # the waterplane, times a step down
    assert jumps(uncut) > 10.0 * jumps(cut)
    assert (np.diff(uncut) < 0).any()  # where triangles that face upwards come under water
    assert uncut[-1] == cut[-1]


def test_without_cutting_voxels_jump_by_whole_layers() -> None:
    found = voxels.centres(shapes.sphere(0.5, 4), 0.1)
    depths = np.linspace(-0.6, 0.6, 401).tolist()
    cut, uncut = (
        np.array([voxels.volume_below(found, 0.1, z, cutting=on) for z in depths])
        for on in (True, False)
    )
    layer = np.count_nonzero(np.abs(found[:, 2]) < 0.01) * 1e-3
    assert jumps(uncut) == pytest.approx(layer)
    assert jumps(cut) == pytest.approx(layer * 0.003 / 0.1)
    assert np.abs(cut - uncut).max() <= 0.51 * layer
