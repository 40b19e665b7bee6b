"""Plans, configurations and uploads: written files are read back by the reader that runs them."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import zipfile
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.peers.panisim.main_file import read_world
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.exchange import (
    Plan,
    Sailing,
    add_hydra,
    add_naca,
    left_out,
    missing_files,
    panisim_lacks,
    read_config,
    write_config,
    write_plan,
)
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.check import mistakes_of

INPUTS = Path(__file__).parents[3] / "inputs"
RING = ((59.91, 10.70), (59.92, 10.70), (59.92, 10.71234567890123))
PLAN = Plan(
    (59.9, 10.7, 0.5),
    (
        Sailing("otter", waypoints=((0.0, 0.0, 0.0), (60.0, 0.1, 0.0)), speed=1.5, lookahead=8.0),
        Sailing("barge", "../box_barge", maintain_speed=False, active_dof=(1, 1, 0, 0, 0, 1)),
    ),
    sim_time=150.0,
    time_step=0.05,
    density=1000.25,
    gravity=9.80665,
    size=(1000.0, 500.5, inf),
    geofence=RING,
)


def test_a_plan_is_read_back_as_written(tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    folder.mkdir()
    shutil.copytree(INPUTS / "box_barge", tmp_path / "box_barge")
    files = write_plan(PLAN, folder)
    assert [path.name for path in files] == ["simulation_input.yml", "otter_guidance.yml"]
    world = read_world(files[0])
    assert (world.sim_time, world.time_step, world.datum) == (150.0, 0.05, PLAN.datum)
    assert (world.size, world.geofence, world.obstacle) == (PLAN.size, RING, ())
    otter, barge = world.agents
    assert otter.waypoints == PLAN.agents[0].waypoints
    assert otter.lookahead == 8.0
    assert otter.overrides["vessel.density"] == "1000.25"
    assert float(otter.overrides["vessel.U"]) == 1.5
    assert barge.folder.resolve() == (tmp_path / "box_barge").resolve()
    assert barge.overrides["vessel.active_dof"] == "[1,1,0,0,0,1]"


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (Plan((0, 0, 0), ()), "without vessels"),
        (Plan((0, 0, 0), (Sailing("a"), Sailing("a"))), "a: used twice"),
        (Plan((0, 0, 0), (Sailing("a b"),)), "a name of letters"),
        (Plan((0, 0, 0), (Sailing("a"),), sim_time=0.0), "sim_time 0"),
        (Plan((0, 0, 0), (Sailing("a"),), geofence=RING[:2]), "2 points: expected 3"),
        (Plan((0, 0, 0), (Sailing("a", waypoints=((inf, 0, 0),)),)), "a waypoint is no number"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(tmp_path: Path, plan: Plan, expected: str) -> None:
    with pytest.raises(InvalidValue, match=expected):
        write_plan(plan, tmp_path)
    assert list(tmp_path.iterdir()) == []


def config() -> dict[str, Any]:
    return {
        "name": "boat",
        "type": "usv",
        "geometry": {
            "length": 2.0,
            "breadth": 1.0,
            "depth": 0.5,
            "CO": [0, 0, 0],
            "CG": [0.02894159583, 0, 0.1],
            "CB": [0.02894159583, 0, 0.05],
            "gyration": [0.35, 0.5, 0.5],
            "scale": [1, 1, 1],
            "geometry_file": "",
        },
        "inertia": {"mass": 50, "inertia_matrix": [[5, 0, 0], [0, 10, 0], [0, 0, 12]]},
        "hydrodynamics": {"dim_flag": True, "X_u_u": -0.5, "Y_v": -20.0, "N_r": -10.0},
        "control_surfaces": {
            "naca_number": "0015",
            "control_surfaces": [
                {
                    "control_surface_type": "Rudder",
                    "control_surface_id": 1,
                    "control_surface_area": 0.02,
                    "control_surface_delta_max": 20,
                    "control_surface_deltad_max": 15,
                    "control_surface_T": 0,
                    "control_surface_NACA": "0012",
                    "control_surface_hydrodynamics": {"Y_delta": 1.5, "N_delta": -1.0},
                }
            ],
        },
        "thrusters": {
            "thrusters": [
                {
                    "thruster_id": 1,
                    "thruster_location": [-1, 0, 0],
                    "T_prop": 0,
                    "tp": 0,
                    "D_prop": 0.2,
                    "n_max": 900,
                    "KT_at_J0": 0.4,
                }
            ]
        },
        "sensors": {
            "sensors": [
                {
                    "sensor_type": "GPS",
                    "sensor_id": 1,
                    "sensor_location": [0, 0, 0.1],
                    "publish_rate": 1,
                }
            ]
        },
        "guidance": {
            "guidance_type": "waypoint",
            "waypoints": [{"x": 1, "y": 2, "z": 0, "psi": 0}],
        },
        "simulation": {"sim_time": 100},
        "meshData": "AAAA",
    }


def test_values_entered_in_panisims_configurator_are_read_back_as_entered(tmp_path: Path) -> None:
    made = read_config(json.dumps(config()).encode())
    made.write(tmp_path)
    assert mistakes_of(tmp_path) == []
    boat = load(tmp_path)
    rudder, thruster = boat.commands
    assert np.degrees(rudder.high) == pytest.approx(20.0)
    assert thruster.high == pytest.approx(900 * np.pi / 30)
    assert made.simulation == {"sim_time": 100}
    assert [warning.split(":")[0] for warning in made.remarks] == [
        "geometry.scale",
        "inertia.inertia_matrix",
        "sensors.sensors.1.sensor_id",
        "guidance.guidance_type",
        "meshData",
    ]
    again = json.loads(write_config(tmp_path, made.simulation))
    assert again["geometry"]["CG"] == [0.02894159583, 0, 0.1]
    surface = again["control_surfaces"]["control_surfaces"][0]
    given = config()["control_surfaces"]["control_surfaces"][0]
    assert surface == given
    assert again["thrusters"] == config()["thrusters"]
    assert again["guidance"]["waypoints"] == [[1, 2, 0]]


def test_moments_of_inertia_about_cg_become_a_matrix_about_co(tmp_path: Path) -> None:
    made = read_config(json.dumps(config()).encode())
    made.write(tmp_path)
    again = json.loads(write_config(tmp_path))
    matrix = np.array(again["inertia"]["inertia_matrix"])
    assert matrix[0, 0] == 50
    assert matrix[3, 3] == pytest.approx(5 + 50 * 0.1**2)  # the parallel axis theorem
    assert matrix[5, 5] == pytest.approx(12 + 50 * 0.02894159583**2)


@pytest.mark.parametrize("vessel", ["sookshma", "mavymini"])
def test_a_vessel_of_panisims_has_no_key_that_panisim_lacks(vessel: str) -> None:
    assert [line for line in left_out(INPUTS / vessel) if "has no such key" in line] == []


def test_keys_that_panisim_lacks_are_listed_once_for_a_list(tmp_path: Path) -> None:
    texts = {
        "geometry": "length: 2\nmesh: {file: a.stl, scale: 2}\nCG: {position: [0, 0, 0]}\n",
        "thrusters": "thrusters: [{thruster_id: 1, wake: 0.1}, {thruster_id: 2, wake: 0.2}]\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yml").write_text(text)
    assert [line.split(":")[0] for line in left_out(tmp_path)] == [
        "geometry.mesh",
        "thrusters.thrusters[].wake",
    ]


@pytest.mark.parametrize("vessel", ["sookshma", "otter", "remus100"])
def test_a_folder_as_one_file_is_the_same_vessel(tmp_path: Path, vessel: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(INPUTS / vessel, copy)
    made = read_config(write_config(INPUTS / vessel).encode())
    for path in copy.glob("*.yml"):
        if path.stem in made.files and path.stem != "vessel":
            path.write_text(made.files[path.stem])
    before, after = load(INPUTS / vessel), load(copy)
    assert after.initial.tolist() == before.initial.tolist()
    assert after.commands == before.commands
    for one, other in zip(before.parameters, after.parameters, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"name": 1}',
        b"[" * 100_000,
        b'{"name":"a","geometry":3,"inertia":{}}',
    ],
)
def test_an_invalid_configuration_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidValue, match=r"config\.json"):
        read_config(raw)


def zipped(**files: bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in files.items():
            into.writestr(name, data)
    return raw.getvalue()


def test_hydras_zip_gives_the_vessel_its_files(tmp_path: Path) -> None:
    hydra = INPUTS / "sookshma" / "HydRA"
    results = (hydra / "matlab" / "sookshma_hydra.json").read_bytes()
    mesh = (hydra / "input" / "sookshma.gdf").read_bytes()
    raw = zipped(**{"HydRA/matlab/a_hydra.json": results, "HydRA/input/a.gdf": mesh, "x.txt": b""})
    messages = add_hydra(raw, tmp_path)
    assert messages == {
        "hydrodynamics.hydra_file": "HydRA/matlab/a_hydra.json",
        "geometry.geometry_file": "HydRA/input/a.gdf",
    }
    assert (tmp_path / "HydRA" / "matlab" / "a_hydra.json").read_bytes() == results
    assert not list(tmp_path.rglob("*.txt"))


@pytest.mark.parametrize(
    "name", ["../a_hydra.json", "/a_hydra.json", "c:a_hydra.json", "a\\b.json"]
)
def test_nothing_outside_the_folder_is_written(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "vessel"
    inside.mkdir()
    with pytest.raises(InvalidValue, match="expected"):
        add_hydra(zipped(**{name: b"{}"}), inside)
    assert [path.name for path in tmp_path.rglob("*")] == ["vessel"]


def test_an_invalid_zip_is_refused(tmp_path: Path) -> None:
    damaged = bytearray(zipped(**{"a_hydra.json": b"{}" * 50}))
    damaged[45:60] = bytes(15)
    for raw in (b"", b"PK\x03\x04", zipped()[:10], zipped(a=b""), bytes(damaged)):
        with pytest.raises(InvalidValue, match=r"expected|not a readable zip"):
            add_hydra(raw, tmp_path)


def test_a_polar_is_taken_and_a_broken_one_changes_nothing(tmp_path: Path) -> None:
    polar = (INPUTS / "sookshma" / "NACA0015.csv").read_bytes()
    assert add_naca(polar, tmp_path, "NACA0015.csv") == {
        "control_surfaces.naca_file": "NACA0015.csv"
    }
    with pytest.raises(InvalidValue):
        add_naca(b"x,y\n0,0\n", tmp_path, "NACA0015.csv")
    assert (tmp_path / "NACA0015.csv").read_bytes() == polar
    with pytest.raises(InvalidValue, match=r"name of a \.csv file"):
        add_naca(polar, tmp_path, "../a.csv")


def test_missing_files_are_reported(tmp_path: Path) -> None:
    shutil.copytree(INPUTS / "wamv", tmp_path / "wamv")
    assert missing_files(tmp_path / "wamv") == []
    (tmp_path / "wamv" / "hull.stl").unlink()
    (missing,) = missing_files(tmp_path / "wamv")
    assert "mesh.file: hull.stl: no such file" in missing


def test_panisims_own_folders_have_all_that_its_reader_needs() -> None:
    assert panisim_lacks(INPUTS / "sookshma") == []
    assert panisim_lacks(INPUTS / "otter") == [
        *("control_surfaces.yml", "sensors.yml", "guidance.yml", "control.yml"),
    ]


@pytest.mark.slow
@pytest.mark.process
def test_a_written_plan_is_launched_and_sailed(tmp_path: Path) -> None:
    otter = Sailing("otter", waypoints=((0.0, 0.0, 0.0), (15.0, 0.0, 0.0)), speed=1.0)
    main = write_plan(Plan((59.9, 10.7, 0.0), (otter,)), tmp_path)[0]
    command = [sys.executable, str(INPUTS.parent / "launch.py"), str(main), "--warp", "max"]
    options = ["--placement", "one", "--until", "MISSION = complete", "--no-log", "--port", "auto"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
