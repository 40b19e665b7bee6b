"""Estimates against closed forms and published vessels, with source and validity."""

from __future__ import annotations

import json
import re
from math import pi, radians, sqrt, tan
from pathlib import Path

import numpy as np
import pytest

from steerageway.launcher.starts.command import begin
from steerageway.vessel.__main__ import main
from steerageway.vessel.added_mass import imlay61
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.estimates import dynamics
from steerageway.vessel.estimates.hull import Hull, of_dimensions, of_mesh, sections_of
from steerageway.vessel.estimates.sheet import of_folder, of_hull
from steerageway.vessel.estimates.speed import Propeller, resistance, top_speed
from steerageway.vessel.estimates.statics import solid_radii
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.tools.manoeuvres import Trials
from steerageway.vessel.tools.trials import full_ahead, zigzag
from steerageway.world.mesh import Mesh
from steerageway.world.shapes import box, sphere

INPUTS = Path(__file__).parents[3] / "inputs"
RHO = 1000.0


def stretched(body: Mesh, x: float, y: float, z: float) -> Mesh:
    return Mesh(body.vertices * np.array([x, y, z]), body.triangles)


def barge() -> Hull:
    """A box of 8 x 2 x 1 m that floats at half its height, CG 0.1 m above its middle."""
    r = np.array([0.0, 0.0, -0.1])
    return of_mesh(box(8.0, 2.0, 1.0, 0.5), mass=8000.0, r_bg=r, density=RHO)


def test_a_box_floats_as_a_box_does() -> None:
    sheet = of_hull(barge())
    T, B, L = 0.5, 2.0, 8.0
    KG = 0.6
    values = {
        "displaced volume": 8.0,
        "block coefficient": 1.0,
        "wetted surface": L * B + 2 * T * (L + B),
        "waterplane area": L * B,
        "KB": T / 2,
        "BM_T": B**2 / (12 * T),
        "BM_L": L**2 / (12 * T),
        "GM_T": T / 2 + B**2 / (12 * T) - KG,
        "GM_L": T / 2 + L**2 / (12 * T) - KG,
    }
    for name, value in values.items():
        assert sheet.value(name) == pytest.approx(value, rel=1e-6), name


def test_the_wall_sided_formula_gives_a_boxes_righting_lever() -> None:
    sheet = of_hull(barge())
    GM, BM = sheet.value("GM_T"), sheet.value("BM_T")
    assert GM is not None
    assert BM is not None
    for heel, lever in sheet.gz[1:4]:
        phi = radians(heel)
        wall = np.sin(phi) * (GM + 0.5 * BM * tan(phi) ** 2)
        assert lever == pytest.approx(wall, rel=1e-6)


def test_an_even_box_and_an_even_ellipsoid_have_their_radii() -> None:
    a, b, c = 6.0, 2.0, 1.0
    of_box = np.sqrt(np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 12.0)
    assert solid_radii(box(a, b, c)) == pytest.approx(of_box)
    body = stretched(sphere(1.0, 4), a, b, c)
    of_ellipsoid = np.sqrt(np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 5.0)
    assert solid_radii(body) == pytest.approx(of_ellipsoid, rel=2e-3)


@pytest.mark.slow
def test_sections_have_the_meshes_area_beam_and_draught() -> None:
    round_hull = stretched(sphere(1.0, 4), 5.0, 1.0, 0.5)
    for at in sections_of(round_hull, 11):
        shrink = sqrt(1.0 - (at.x / 5.0) ** 2)
        assert at.beam == pytest.approx(2.0 * shrink, rel=0.02)
        assert at.draught == pytest.approx(0.5 * shrink, rel=0.02)
        assert at.area == pytest.approx(pi / 2 * 0.5 * shrink**2, rel=0.02)
    two = box(4.0, 0.4, 1.0)
    side = two.moved(np.array([0.0, 1.0, 0.0]))
    count = len(two.vertices)
    twin = Mesh(
        np.concatenate((side.vertices, side.vertices - [0.0, 2.0, 0.0])),
        np.concatenate((side.triangles, side.triangles + count)),
    )
    for at in sections_of(twin, 5):
        assert (at.hulls, at.beam, at.area) == (2, pytest.approx(0.8), pytest.approx(0.4))


def test_lewis_sections_are_exact_of_circles_and_ellipses() -> None:
    assert dynamics.lewis_parameters(2.0, 1.0, pi / 2) == pytest.approx((0.0, 0.0), abs=1e-12)
    for beam, draught in ((2.0, 1.0), (4.0, 1.0), (1.0, 2.0)):
        area = pi * beam * draught / 4.0
        heave = pi / 2 * RHO * (beam / 2) ** 2
        assert dynamics.lewis_heave(beam, draught, area, RHO) == pytest.approx(heave)
        assert dynamics.lewis_sway(beam, draught, area, RHO) == pytest.approx(
            pi / 2 * RHO * draught**2
        )


def test_a_square_sections_added_mass_is_within_a_tenth_of_the_exact_one() -> None:
    # 4.754 rho a^2 of a square of sides 2a, Newman (1977), Marine Hydrodynamics, table 4.3
    assert 2.0 * dynamics.lewis_sway(2.0, 1.0, 2.0, RHO) == pytest.approx(4.754 * RHO, rel=0.1)


@pytest.mark.slow
def test_strips_of_a_slender_spheroid_come_near_lambs_solution() -> None:
    a, b = 5.0, 0.5
    body = stretched(sphere(1.0, 4), a, b, b)
    half = of_hull(of_mesh(body, draught=b, density=RHO))
    M_A, _ = imlay61(a, b, np.zeros(6), rho=RHO)
    for motion, i, near in (("sway", 1, 0.06), ("heave", 2, 0.06), ("yaw", 5, 0.2)):
        value = half.value(f"added mass, {motion}")
        assert value == pytest.approx(M_A[i, i] / 2.0, rel=near), motion


@pytest.mark.slow
def test_a_submerged_spheroid_is_lambs() -> None:
    a, b = 2.0, 0.25
    hull = of_mesh(stretched(sphere(1.0, 4), a, b, b), floats=False, density=RHO)
    sheet = of_hull(hull)
    M_A, _ = imlay61(a, b, np.zeros(6), r44=0.3, rho=RHO)
    for motion, i in (("surge", 0), ("sway", 1), ("heave", 2), ("pitch", 4), ("yaw", 5)):
        assert sheet.value(f"added mass, {motion}") == pytest.approx(M_A[i, i], rel=0.02), motion


def test_the_estimate_of_remus_matches_its_files() -> None:
    for each in of_folder(INPUTS / "remus100").estimates:
        if each.name.startswith(("added mass", "radius")):
            assert each.written == pytest.approx(each.given, rel=0.03), each.name


def test_periods_are_those_of_a_spring_and_a_mass() -> None:
    sheet = of_hull(barge())
    stiffness = RHO * 9.81 * 16.0
    added = sheet.value("added mass, heave")
    assert added is not None
    period = 2 * pi * sqrt((8000.0 + added) / stiffness)
    assert sheet.value("natural period, heave") == pytest.approx(period)


def test_top_speed_is_where_thrust_is_resistance() -> None:
    hull = of_dimensions(20.0, 4.0, 1.5, mass=70_000.0)
    propeller = Propeller("1", 1.0, D=0.8, n=5.0, KT=0.4, slope=-0.4, wake=0.2, deduction=0.1)
    speed = top_speed(hull, 90.0, 0.2, [propeller])
    assert propeller.thrust(speed, hull.density) == pytest.approx(
        resistance(hull, 90.0, 0.2, speed), rel=1e-6
    )
    assert propeller.thrust(0.0, 1000.0) == pytest.approx(0.9 * 1000 * 0.8**4 * 25 * 0.4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "thrust", "top"),
    [
        ("--length 1.2 --breadth 0.4 --draft 0.1 --mass 20 --top-speed 1.8 --thrust 40", 40, 1.8),
        # two of 20 N each
        (
            "--length 1.2 --breadth 0.4 --draft 0.1 --mass 20 --top-speed 1.8 --thrust 40 "
            "--thrusters 2",
            40,
            1.8,
        ),
        # half of 15 kW over 6 m/s
        ("--length 4.5 --breadth 1.9 --mass 900 --top-speed 6 --power 15000", 1250, 6.0),
    ],
)
def test_a_boat_of_a_known_top_speed_reaches_it(
    tmp_path: Path, options: str, thrust: float, top: float
) -> None:
    folder = tmp_path / "boat"
    assert main(["estimate", *options.split(), "--output", str(folder)]) == 0
    vessel = load(folder)
    (reached,) = (
        event["figures"]["top_speed"]
        for event in Trials(vessel).events(["acceleration"])
        if event["event"] == "result"
    )
    assert reached == pytest.approx(top, rel=0.02)
    assert read_folder(folder)["hydrodynamics"].number("X_u_au") == pytest.approx(
        -thrust / top**2, rel=1e-3
    )
    # stable on its course: it comes back from 10 degrees, within a quarter turn
    overshoots = zigzag(vessel, orders_of(vessel), full_ahead(vessel, orders_of(vessel)), 10.0)
    assert overshoots is not None
    assert max(overshoots) < 45.0


def test_a_known_top_speed_leaves_to_x_u_au_what_the_files_have_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begin("vessel", "skiff", tmp_path)
    # 320 N ahead; X_u takes 20 N per m/s of it
    assert main(["estimate", str(folder), "--top-speed", "2.5"]) == 0
    expected = (320 - 20 * 2.5) / 2.5**2
    assert f"X_u_au: {-expected:.4g}; the files have -40" in capsys.readouterr().out
    assert main(["estimate", str(folder), "--top-speed", "20"]) == 0
    assert "other damping has 400 N at 20 m/s, and the thrust is 320 N" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("skiff --length 3", "--length: expected no folder beside it"),
        ("--length 3 --breadth 1 --mass 90 --top-speed 2", "expected --thrust or --power, too"),
        ("--length 3 --breadth 1 --mass 90 --power 20", "--power 20: expected --top-speed, too"),
        ("--length 3 --output x", "expected --breadth, --mass, --top-speed, --thrust or --power"),
        ("--thrust 3 --power 4 --top-speed 1", "--power: expected it without --thrust"),
        (
            "--length 2 --breadth 0.3 --mass 200 --top-speed 1 --thrust 9 --output x",
            "GM_T -.* m: expected a boat that floats upright",
        ),
    ],
)
def test_options_of_an_estimate_belong_together(
    options: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["estimate", *options.split()]) == 2
    assert re.search(expected, capsys.readouterr().err)


def test_a_range_that_does_not_hold_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "--length", "2", "--breadth", "1", "--mass", "100"]) == 0
    said = capsys.readouterr().out
    assert said.count("C_b 0.5 to 0.9, L/B 4 to 10") == 1
    assert "block coefficient: 0.5\n" in said  # no unit
    assert re.search(r"added mass, surge: 1\d\.\d+ kg \[1\]\n    hydro\S+: X_ud: -1\d\.", said)


def test_every_estimate_has_a_source_and_a_range_and_is_checked_against_it() -> None:
    ship = of_hull(of_dimensions(160.0, 23.0, 8.0, block=0.6, KG=8.5))
    boat = of_hull(of_dimensions(2.0, 1.1, 0.3, mass=55.0))
    assert all(each.source and each.valid for each in (*ship.estimates, *boat.estimates))
    inside = {each.name: each.inside for each in ship.estimates}
    assert inside["Clarke's Y_v"] is True
    assert {each.name: each.inside for each in boat.estimates}["Clarke's Y_v"] is False
    assert "GM_T, GM_L, GZ: they need CG of geometry.yml" in boat.lacking


def test_clarkes_derivatives_are_those_of_the_published_model() -> None:
    # L 50 m, B 7 m, T 5 m, U 2 m/s: Y_v' = -S (1 + 0.4 Cb B/T), S = pi (T/L)^2
    hull = of_dimensions(50.0, 7.0, 5.0, block=0.6, density=1025.0)
    sheet = of_hull(hull, cruise=2.0)
    prime = -pi * 0.01 * (1 + 0.4 * 0.6 * 7 / 5)
    assert sheet.value("Clarke's Y_v") == pytest.approx(prime * 0.5 * 1025 * 2500 * 2.0)


def test_missing_input_is_reported_and_a_partial_folder_is_enough(tmp_path: Path) -> None:
    (tmp_path / "geometry.yml").write_text("length: 4\nbreadth: 1.6\n")
    with pytest.raises(InvalidValue, match="too little to estimate from"):
        of_folder(tmp_path)
    (tmp_path / "inertia.yml").write_text("mass: 700\n")
    (tmp_path / "geometry.yml").write_text("length: 4\nbreadth: 1.6\ndraft: 0.35\n")
    sheet = of_folder(tmp_path)
    assert sheet.value("displaced volume") == pytest.approx(700 / 1025)


def test_the_tool_gives_data_of_a_folder_with_a_mesh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mesh = box(8.0, 2.0, 1.0, 0.5)
    corners = [f"v {x} {y} {z}" for x, y, z in mesh.vertices]
    faces = [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles]
    (tmp_path / "hull.obj").write_text("\n".join([*corners, *faces]))
    (tmp_path / "geometry.yml").write_text("mesh: {file: hull.obj}\nCG: {position: [0, 0, -0.1]}\n")
    (tmp_path / "inertia.yml").write_text("mass: 8000\n")
    assert main(["estimate", str(tmp_path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    keys = {each["key"] for each in data["estimates"]}
    assert {"hydrodynamics.Y_vd", "geometry.gyration.1", "inertia.mass"} <= keys
    assert data["gz"][0] == [0.0, pytest.approx(0.0, abs=1e-6)]
