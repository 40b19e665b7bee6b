"""Scenes: files, generated scenes, and errors by file, line and key."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import yaml

from steerageway.world import shapes
from steerageway.world.__main__ import main
from steerageway.world.environment import Environment
from steerageway.world.errors import InvalidValue
from steerageway.world.mesh import Mesh, checked
from steerageway.world.rays.caster import Caster
from steerageway.world.rays.forms import HeightField, Solid
from steerageway.world.reading import load as load_environment
from steerageway.world.scene import document
from steerageway.world.scene.document import bottom_of, load
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import Item, Scene
from steerageway.world.scene.shaping import frustum, hull
from steerageway.world.scene.synthetic import KINDS, scene_text
from steerageway.world.scene.water import Waters
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState
from steerageway.world.tide import Tide


def scene_of(folder: Path, text: str) -> Scene:
    """Return the scene of a YAML text, in a folder with a closed and an open mesh."""
    box = shapes.box(4.0, 2.0, 1.0)
    shapes.write_stl(box, folder / "box.stl")
    shapes.write_stl(Mesh(box.vertices, box.triangles[1:]), folder / "open.stl")
    (folder / "scene.yml").write_text(text)
    return load(folder / "scene.yml")


def test_a_scene_describes_its_objects(tmp_path: Path) -> None:
    scene = scene_of(
        tmp_path,
        """
bottom: {depth: 9 m}
light: {sun_azimuth: 90, sun_elevation: 0, visibility: 0.5 km}
classes: [crane]
objects:
  - {name: quay, shape: box, size: [10, 4, 3], position: [20, 30, 1], heading: 90, class: quay}
  - {name: hoist, shape: mesh, file: box.stl, unit: cm, position: [0, 50, 2], class: crane,
     material: yellow, obstacle: ob_9}
vessels:
  - {name: Ben, file: box.stl}
""",
    )
    assert [item.name for item in scene.items] == ["bottom", "quay", "hoist"]
    np.testing.assert_allclose(scene.light.direction, [0.0, 1.0, 0.0], atol=1e-12)
    assert scene.light.visibility == 500.0
    index = Index(scene)
    hoist, ben = index.of_obstacle("ob_9"), index.of_contact("BEN")
    assert hoist is not None
    assert ben is not None
    assert (hoist.name, hoist.kind, hoist.number, ben.number, index.sea) == (
        "hoist",
        "crane",
        2,
        3,
        4,
    )
    down = np.array([0.0, 0.0, 1.0])
    places = np.array([[30.0, 24.9, -50.0], [30.0, 25.1, -50.0], [50.01, 0.0, -50.0]])
    hits = Caster(scene.standing()).cast(places, np.tile(down, (3, 1)), 0.0, 100.0)
    np.testing.assert_array_equal(hits.numbers, [1, 0, 2])  # a box of 10 m that lies to the east
    np.testing.assert_allclose(hits.ranges, [50.0 - 2.5, 59.0, 48.0 - 0.005], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_scene_of_a_seed_is_read_and_its_lane_is_free_at_the_ends(
    kind: str, tmp_path: Path
) -> None:
    text = scene_text(kind, 7)
    assert text == scene_text(kind, 7) != scene_text(kind, 8)
    (tmp_path / "made.yml").write_text(text)
    scene = load(tmp_path / "made.yml")
    assert len(scene.items) > 10
    caster = Caster(scene.standing())
    angles = np.linspace(0.0, 2.0 * np.pi, 90)
    ways = np.stack((np.cos(angles), np.sin(angles), np.zeros(90)), 1)
    for place in ([0.0, 0.0, -0.3], [200.0, 0.0, -0.3]):
        assert np.nanmin(caster.cast(np.array(place), ways, 0.0, 500.0).ranges, initial=99.0) > 12.0
    labels = [item.obstacle for item in scene.items if item.obstacle]
    assert len(labels) == len(set(labels)) > 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_seeds_draw_the_sun_the_fog_and_the_buoys(kind: str) -> None:
    made = [yaml.load(scene_text(kind, seed), Loader=yaml.CSafeLoader) for seed in range(20)]
    lights = [one["light"] for one in made]
    assert len({light["sun_azimuth"] for light in lights}) == 20
    assert all(12.0 <= light["sun_elevation"] <= 65.0 for light in lights)
    seen = [light["visibility"] for light in lights if "visibility" in light]
    assert 4 <= len(seen) <= 16  # every other one, at 3 sigma
    assert all(150 <= visibility <= 2000 for visibility in seen)
    buoys = [
        str([thing["position"] for thing in one["objects"] if thing["class"] == "buoy"])
        for one in made
    ]
    assert len(set(buoys)) == 20


@pytest.mark.slow
def test_the_command_writes_a_scene_and_draws_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "port.yml"
    assert main(["scene", "harbour", "--seed", "3", "--output", str(path)]) == 0
    assert "13 of them obstacles" in capsys.readouterr().out
    assert path.with_suffix(".png").stat().st_size > 10_000


@pytest.mark.slow
def test_the_command_reports_an_invalid_scene_and_a_failed_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, nowhere = tmp_path / "port.yml", tmp_path / "nowhere"
    path.write_text("objects: [{name: a, shape: sphere, radius: 1}]\n")
    for wrong, expected in (
        (
            [str(tmp_path / "none.yml")],
            "no such file; expected a scene file, .* one of harbour, river",
        ),
        ([str(path), "--picture", str(nowhere / "port.png")], "port.png: .* No such file"),
        ([str(path), "--picture", str(tmp_path / "port.xyz")], "port.xyz: expected .* port.png: "),
        (["harbour", "--output", str(nowhere / "port.yml")], "port.yml: cannot be written: "),
    ):
        assert main(["scene", *wrong]) == 2
        assert re.search(expected, capsys.readouterr().err)


@pytest.mark.slow
def test_without_matplotlib_a_scene_is_written_and_the_missing_package_reported(
    tmp_path: Path,
) -> None:
    code = """
import sys
sys.modules["matplotlib"] = None
from steerageway.world.__main__ import main
sys.exit(main(["scene", "harbour", "--seed", "3"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (
        2,
        "a picture needs matplotlib: pip install 'steerageway[plot]'\n",
    )
    assert load(tmp_path / "harbour.yml").items


def test_bodies_over_polygons_and_hulls_are_closed() -> None:
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for points in (square, square[::-1]):
        assert frustum(points, 0.0, 3.0).volume == pytest.approx(12.0)
        assert frustum(points, -1.0, 2.0, 0.5).volume == pytest.approx(3.0 * 7.0 / 3.0)
    boat = hull(10.0, 3.0, 0.8, 1.0)
    assert checked(boat, "hull").volume > 10.0
    low, high = boat.extent
    np.testing.assert_allclose([low[0], high[0], high[1], high[2]], [-5.0, 5.0, 1.5, 0.8])


def test_the_waters_field_is_the_seas_elevation_with_the_tide() -> None:
    states = [SeaState("jonswap", 0.6, 4.0, direction=40.0, spreading="cos2s")]
    sea = Sea.of(states, 3)
    waters = Waters(sea, Tide(range=2.0), level=0.3, spacing=0.5, reach=30.0)
    field = waters.surface(12.0, 100.0, -40.0)
    assert isinstance(field, HeightField)
    rows, columns = field.down.shape
    n = field.south + 0.5 * np.arange(rows)[:, None] + np.zeros(columns)
    e = field.west + 0.5 * np.arange(columns) + np.zeros((rows, 1))
    expected = sea.elevation(n, e, 12.0) + Tide(range=2.0).level(12.0) + 0.3
    np.testing.assert_allclose(-field.down, expected, atol=1e-9)
    assert min(100.0 - n.min(), n.max() - 100.0, -40.0 - e.min(), e.max() + 40.0) >= 30.0
    near = waters.surface(12.0, 101.0, -39.0)
    assert isinstance(near, HeightField)
    np.testing.assert_array_equal(near.down, field.down)  # it is the world's, not the vessel's


def test_obstacles_of_the_simulators_file_become_bodies(tmp_path: Path) -> None:
    (tmp_path / "field.txt").write_text(
        "# a field\nregion = pts={-60,-60:60,-60:60,60:-60,60}\nmin_size = 4 // of others\n"
        "poly = pts={10,20:14,20:14,24:10,24}\npoly = pts={30,20:34,20:34,24:30,24},label=ob_9\n"
    )
    scene = scene_of(tmp_path, "obstacles: {file: field.txt, height: 4 m}\n")
    assert [(item.name, item.kind, item.obstacle) for item in scene.items] == [
        (label, "obstacle", label) for label in ("ob_0", "ob_9")
    ]
    ahead = Caster(scene.standing()).cast(
        np.array([0.0, 12.0, -1.0]), np.array([1.0, 0.0, 0.0]), 0.0, 99.0
    )
    assert ahead.ranges[0] == pytest.approx(20.0)


@pytest.mark.parametrize(
    "polygon", ["pts={0,0:x,0:1,1}", "pts={0,0:1,0}", "radial::x=0", "{1,2,3}"]
)
def test_an_invalid_polygon_of_the_simulators_file_is_reported_by_its_line(
    tmp_path: Path, polygon: str
) -> None:
    (tmp_path / "field.txt").write_text(f"min_size = 4\npoly = {polygon}\n")
    with pytest.raises(InvalidValue, match=r"field.txt:2: .*expected"):
        scene_of(tmp_path, "obstacles: {file: field.txt}\n")
    (tmp_path / "field.txt").write_text("min_size = 4\n")
    with pytest.raises(InvalidValue, match=r"obstacles.file: field.txt: expected lines of obst"):
        scene_of(tmp_path, "obstacles: {file: field.txt}\n")


EASTS = range(-40, 41, 10)
SLOPING = "\n".join(
    [
        *("ncols 9", "nrows 9", "xllcenter -40", "yllcenter -40", "cellsize 10"),
        *(
            " ".join("-9999" if x == y == 40 else f"{9 + 0.1 * x - 0.05 * y}" for x in EASTS)
            for y in range(40, -41, -10)
        ),
    ]
)


def depths_of(items: Sequence[Item], places: np.ndarray) -> np.ndarray:
    """Return the depth of the items' bottoms at places (n, 2), north and east [m]."""
    origins = np.column_stack((places, np.zeros(len(places))))
    down = np.tile([0.0, 0.0, 1.0], (len(places), 1))
    standing = Scene(items=list(items)).standing()
    return Caster(standing).cast(origins, down, 0.0, 99.0).ranges


def test_the_bottom_is_a_scenes_own_grid_or_the_environments(tmp_path: Path) -> None:
    (tmp_path / "bed.asc").write_text(SLOPING)
    (tmp_path / "sea.yml").write_text("ground: {file: bed.asc}\n")
    places = np.array([[0.0, 0.0], [-33.0, 12.0], [27.5, -38.0]])
    expected = 9.0 + 0.1 * places[:, 1] - 0.05 * places[:, 0]
    own = scene_of(tmp_path, "bottom: {file: bed.asc}\n")
    np.testing.assert_allclose(depths_of(own.items, places), expected, atol=1e-9)
    deepest = 9.0 + 0.1 * 40.0 + 0.05 * 40.0
    (corner,) = depths_of(own.items, np.array([[39.999, 39.999]]))
    assert corner == pytest.approx(deepest, abs=1e-2)  # where nothing is known
    environment = load_environment(tmp_path / "sea.yml", 0)
    assert bottom_of(own, environment) is None
    bottom = bottom_of(Scene(), environment)
    assert bottom is not None
    np.testing.assert_allclose(depths_of([bottom], places), expected, atol=1e-9)


def test_a_level_bottom_is_the_environments_depth(tmp_path: Path) -> None:
    (tmp_path / "sea.yml").write_text("water: {depth: 12 m}\n")
    bottom = bottom_of(Scene(), load_environment(tmp_path / "sea.yml", 0))
    assert bottom is not None
    np.testing.assert_allclose(depths_of([bottom], np.array([[700.0, -3e3]])), 12.0, atol=1e-9)
    assert bottom_of(Scene(), Environment()) is None is bottom_of(Scene(), None)


def test_a_plane_is_at_its_position(tmp_path: Path) -> None:
    plane = "shape: plane, position: [0, 20, 0], normal: [0, -1, 1]"
    scene = scene_of(tmp_path, f"objects: [{{name: slip, {plane}}}]\n")
    ahead = np.array([1.0, 0.0, 0.0])
    hits = Caster(scene.standing()).cast(np.array([0.0, 5.0, -3.0]), ahead, 0.0, 99.0)
    assert hits.ranges[0] == pytest.approx(23.0)  # the slip rises away to the north


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "shape: mesh, file: none.stl",
            r"scene.yml:2: objects.1.file: none.stl: expected an existing file",
        ),
        ("shape: mesh, file: open.stl", r"objects.1.file: open.stl: .*belongs to one triangle"),
        (
            "shape: mesh, file: box.stl, unit: furlong",
            r"objects.1.unit = furlong: expected one of m",
        ),
        ("shape: mesh, file: box.stl, unit: nmi", r"objects.1.unit: nmi: .*its unit"),
        (
            "shape: sphere, radius: 2 kg",
            r"objects.1.radius = 2 kg: expected one of the units m, km",
        ),
        ("shape: sphere, radius: 0", r"objects.1.radius = 0: expected a number above 0"),
        ("shape: box, size: [1, 0, 1]", r"objects.1.size: .*: expected length, breadth and height"),
        ("shape: sphere, radius: 1, class: bouy", r"class: bouy: expected one of bottom.*is buoy"),
        ("file: none.stl", r"objects.1.file: none.stl: expected an existing file"),
        ("shape: prism, height: 1, points: [[0, 0], [1, 0]]", r"objects.1.points: 2 points"),
        ("shape: plane, normal: [0, 0, 0]", r"objects.1.normal: 0, 0, 0: expected a direction"),
        ("shape: ball", r"objects.1.shape = ball: expected one of sphere, box"),
        ("shape: sphere, radius: 1, colour: [2, 0, 0]", r"objects.1.colour: .*from 0 to 1"),
        ("shape: sphere, radus: 1", r"objects.1.radius is missing: .*objects.1.radus"),
    ],
)
def test_a_bad_scene_is_reported_by_file_line_and_key(
    tmp_path: Path, text: str, expected: str
) -> None:
    with pytest.raises(InvalidValue, match=expected):
        scene_of(tmp_path, f"objects:\n  - {{name: a, {text}}}\n")


def test_ten_million_triangles_are_refused_by_key(tmp_path: Path) -> None:
    with (tmp_path / "huge.stl").open("wb") as file:
        file.write(bytes(80) + (10**7).to_bytes(4, "little"))
        file.truncate(84 + 50 * 10**7)
    with pytest.raises(InvalidValue, match=r"scene.yml:1: objects.1.file: huge.stl: 10000000 tri"):
        scene_of(tmp_path, "objects: [{name: a, shape: mesh, file: huge.stl}]\n")


def test_triangles_of_all_meshes_together_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MOST_TRIANGLES", 20)
    box = "shape: mesh, file: box.stl"
    assert scene_of(tmp_path, f"objects: [{{name: a, {box}}}]\n").triangles == 12
    with pytest.raises(InvalidValue, match=r"scene.yml:1: objects: 24 triangles: .*at most 20"):
        scene_of(tmp_path, f"objects: [{{name: a, {box}}}, {{name: b, {box}}}]\n")


def test_names_are_unique_and_unknown_keys_have_a_nearest(tmp_path: Path) -> None:
    ball = "{name: a, shape: sphere, radius: 1}"
    with pytest.raises(InvalidValue, match="objects: duplicate name a"):
        scene_of(tmp_path, f"objects: [{ball}, {ball}]\n")
    with pytest.raises(InvalidValue, match="vesels: unknown key; did you mean vessels"):
        scene_of(tmp_path, "vesels: []\n")


def test_a_ball_of_the_scene_is_a_solid(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, "objects: [{name: a, shape: sphere, radius: 150 cm}]\n")
    form = scene.items[0].form
    assert isinstance(form, Solid)
    assert form.bound == 1.5
