"""3D geometry of vessels from their files."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from steerageway.web.viewer.hull import NoModel, VesselFiles, mesh_of, model_of
from steerageway.web.viewer.mission_facts import facts_of
from steerageway.web.viewer.views import actuators_in
from steerageway.world import shapes

INPUTS = Path(__file__).parents[3] / "inputs"
BOX = """\
a box, one side of it
1 9.81
0 1
3
0 0 -1   2 0 -1   2 1 -1   0 1 -1
0 1 -1   2 1 -1   2 1 0    0 1 0
2 0 -1   2 0 0    2 1 0    2 1 -1
"""


WITHOUT_LENGTH = ("frigate", "semisub", "zeefakkel")  # their models need none
FOLDERS = [folder for folder in sorted(INPUTS.iterdir()) if folder.name not in WITHOUT_LENGTH]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_vessel_with_a_length_has_a_shape(folder):
    model = model_of(VesselFiles(folder))
    assert model["length"] > 0
    assert model["beam"] > 0
    assert all(len(one["place"]) == len(one["axis"]) == 3 for one in model["actuators"])


def test_an_otter_has_a_propeller_on_either_side():
    model = model_of(VesselFiles(INPUTS / "otter"))
    port, starboard = model["actuators"]
    assert (model["length"], model["beam"]) == (2.0, 1.08)
    assert (port["kind"], port["name"]) == ("propeller", "th_1")
    assert (port["place"][1], starboard["place"][1]) == (-0.395, 0.395)
    assert port["axis"] == pytest.approx([1, 0, 0])


def test_a_mesh_is_in_body_with_the_keel_down(tmp_path):
    (tmp_path / "geometry.yml").write_text("length: 2\nbreadth: 2\ngeometry_file: box.gdf\n")
    (tmp_path / "box.gdf").write_text(BOX)
    numbers = array("f", mesh_of(VesselFiles(tmp_path)))
    assert len(numbers) == 9 * 2 * 3 * 2  # two triangles a panel, both sides
    z = numbers[2::3]
    assert (min(z), max(z)) == (0, 1)
    y = numbers[1::3]
    assert (min(y), max(y)) == (-1, 1)
    assert model_of(VesselFiles(tmp_path))["mesh"]


def test_a_missing_mesh_is_reported(tmp_path):
    with pytest.raises(NoModel, match="no mesh"):
        mesh_of(VesselFiles(INPUTS / "otter"))
    for folder in (tmp_path, *(INPUTS / name for name in WITHOUT_LENGTH)):
        with pytest.raises(NoModel):
            model_of(VesselFiles(folder))


def test_actuators_come_in_order_with_azimuths_behind_their_thrusters():
    state = "time=1,x=0,r_dot=0,cs_1=0.1,th_1=20,th_2=30,az_2=0.5"
    assert actuators_in(state) == [0.1, 20, 30, 0.5]
    assert actuators_in("time=1,x=0") == []


def test_a_configurators_hull_is_drawn_by_its_unit_and_axes(tmp_path):
    shapes.write_stl(shapes.box(2000.0, 800.0, 500.0), tmp_path / "box.stl")
    mesh = "mesh: {file: box.stl, scale: 0.001, axes: FLU, origin: [0.5, 0, 0]}"
    (tmp_path / "geometry.yml").write_text(f"length: 2\nbreadth: 0.8\n{mesh}\n")
    numbers = array("f", mesh_of(VesselFiles(tmp_path)))
    assert len(numbers) == 12 * 9
    assert (min(numbers[0::3]), max(numbers[0::3])) == pytest.approx((-1.5, 0.5))
    assert (min(numbers[1::3]), max(numbers[1::3])) == pytest.approx((-0.4, 0.4))
    assert model_of(VesselFiles(tmp_path))["mesh"]
    (tmp_path / "box.stl").unlink()
    assert not model_of(VesselFiles(tmp_path))["mesh"]


def test_files_elsewhere_and_overridden_values_of_a_block_are_the_vessels(tmp_path):
    (tmp_path / "long").mkdir()
    (tmp_path / "long" / "geometry.yml").write_text("length: 7\nbreadth: 2\n")
    block = "vessel = otter\nvessel_file = geometry = long/geometry.yml\n"
    block += "vessel_override = geometry.breadth = 3\n"
    mission = f"ProcessConfig = uSimMarineV22\n{{\n{block}}}\n"
    (tmp_path / "a.moos").write_text(mission)
    model = model_of(facts_of({"a": tmp_path / "a.moos"}).vessels["a"])
    assert (model["length"], model["beam"], len(model["actuators"])) == (7, 3, 2)
