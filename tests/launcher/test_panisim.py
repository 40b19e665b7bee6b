"""Panisim's main file: the effect of its keys, and of a vessel's guidance and control files."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.bus import run
from steerageway.geometry.geodesy import Datum
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.peers.panisim.launching import with_missions

ROOT = Path(__file__).parents[2]
REAL = ROOT / "tests" / "reference" / "panisim" / "simulation_input.yml"
MAIN = """\
sim_time: 30
time_step: 0.1
density: 1000
gravity: 9.80665
world_size: [100, 200, Inf]
gps_datum: [12.993, 80.239, -87.0]
nagents: 1
agents:
  - name: sookshma
    type: usv
    U: 0.5
    maintain_speed: true
    active_dof: [1,1,1,1,1,1]
    geometry: /workspaces/mavlab/inputs/{name}/geometry.yml
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a main file and a vessel as people have them."""
    shutil.copytree(ROOT / "inputs" / "sookshma", tmp_path / "sookshma")
    (tmp_path / "main.yml").write_text(MAIN)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def texts(world: Path, *options: str, main: str = MAIN) -> tuple[Any, list[str], list[str]]:
    """Return the options, mission files and behavior files a main file leads to."""
    (world / "main.yml").write_text(main)
    found = with_missions(parse_options([str(world / "main.yml"), *options]))
    paths = [Path(mission) for mission in found.missions]
    bhvs = [p.with_suffix(".bhv") for p in paths]
    return found, [p.read_text() for p in paths], [p.read_text() for p in bhvs if p.exists()]


slow = pytest.mark.slow  # compiles, unless the cache is warm


def test_vessels_without_files_are_all_named(world: Path) -> None:
    more = MAIN.replace("nagents: 1", "nagents: 3") + "  - name: evader\n  - name: chaser\n"
    with pytest.raises(LaunchError, match=r"main.yml:\d+: agents: .*evader.*chaser"):
        texts(world, main=more)


@slow
def test_vessels_beyond_their_number_are_left_out_with_a_warning(world: Path) -> None:
    main = MAIN + "  - name: evader\n    geometry: nowhere/geometry.yml\n  - name: sookshma\n"
    found, missions, _ = texts(world, main=main)
    assert len(missions) == 1
    assert Path(found.missions[0]).stem == "sookshma"
    warnings = " ".join(map(str, found.warnings[found.missions[0]]))
    assert "nagents: 1: the first of 3 agents, without evader, sookshma" in warnings


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("sim_time: 30", "sim_tim: 30", "sim_time"),
        ("nagents: 1", "nagents: 2", "expected a whole number from 1 to 1"),
        ("nagents: 1", "nagents: 0", "expected a whole number from 1 to 1"),
        ("nagents: 1", "nagents: 0.5", "expected a whole number from 1 to 1"),
        ("density: 1000", "density: -3", "from 100 to 2000"),
        ("time_step: 0.1\n", "", "time_step is missing"),
        ("    U: 0.5", "    Uu: 0.5", "unknown key"),
        ("[100, 200, Inf]", "[100, Inf]", "three lengths"),
        ("nagents: 1", "nagents: 1\ngeofence: [[1, 2], [3, 4]]", "three or more"),
    ],
)
def test_an_invalid_line_is_reported(world: Path, old: str, new: str, expected: str) -> None:
    with pytest.raises(LaunchError, match=expected):
        texts(world, main=MAIN.replace(old, new))


def test_a_missing_file_is_reported(world: Path) -> None:
    main = MAIN + "    thrusters: engines/two.yml\n"
    with pytest.raises(LaunchError, match=r"main.yml:15: .*thrusters: engines/two.yml: no such fi"):
        texts(world, main=main)


@slow
def test_a_vessels_files_may_lie_in_several_folders(world: Path) -> None:
    """One hull with another's engine: it goes as it does with all in one folder."""
    engine = "thrusters:\n- {thruster_location: [-1, 0, 0], n_max: 900, ahead: [0, 0.01, 0]}\n"
    (world / "engines").mkdir()
    (world / "engines" / "two.yml").write_text(engine)
    shutil.move(world / "sookshma" / "inertia.yml", world / "engines" / "light.yml")
    shutil.move(world / "sookshma" / "HydRA", world / "engines" / "HydRA")
    shutil.move(world / "sookshma" / "hydrodynamics.yml", world / "engines")
    main = MAIN + "    thrusters: engines/two.yml\n    inertia: /far/engines/light.yml\n"
    main += "    hydrodynamics: engines/hydrodynamics.yml\n"
    (world / "sookshma" / "control.yml").write_text("thruster_control_type: fixed_rpm\nrpm: 600")
    _, (moos,), _ = texts(world, main=main)
    assert f"vessel_file = thrusters = {world}/engines/two.yml" in moos
    words = [str(world / "main.yml"), "--placement", "one", "--warp", "max", "--no-log"]
    words += ["--until", "NAV_SPEED > 0.8", "--for", "60"]
    outcome = run(plan_launch(with_missions(parse_options(words))).plan, lambda progress: None)
    assert outcome.failures == []
    assert outcome.exit_reason == "until"
    (world / "engines" / "two.yml").write_text(engine.replace("n_max: 900", "n_max: fast"))
    with pytest.raises(LaunchError, match=r"engines/two.yml:2: .*n_max = fast: expected a number"):
        texts(world, main=main)


@slow
def test_control_may_lie_in_another_folder(world: Path) -> None:
    (world / "route").mkdir()
    control = "control_surface_control_type: fixed_rudder\nrudder_angle: 12.3\n"
    (world / "route" / "mine.yml").write_text(control)
    _, moos, _ = texts(world, main=MAIN + "    control: /far/away/route/mine.yml\n")
    assert "cs_1=12.3" in moos[0]


@slow
def test_the_authors_own_file_is_read_unmodified(world: Path) -> None:
    main = REAL.read_text()
    with pytest.raises(LaunchError, match=r"sookshma2 .*sookshma3 .*evader"):
        texts(world, main=main)
    for name in ("sookshma2", "sookshma3", "evader"):
        shutil.copytree(world / "sookshma", world / name)
    options, moos, _ = texts(world, main=main)
    assert options.stop_at == 100_000_000_000
    assert [Path(m).stem for m in options.missions] == [
        *("sookshma", "sookshma2", "sookshma3", "evader", "shoreside")
    ]
    fenced = [" : ".join(["fence = 12.993496,80.239007", "12.9935"]) in text for text in moos]
    assert fenced == [True] * 4 + [False]


@slow
def test_the_world_reaches_every_vessel(world: Path) -> None:
    options, (moos,), _ = texts(world)
    assert options.stop_at == 30_000_000_000
    for line in (
        *("LatOrigin = 12.993", "LongOrigin = 80.239", "time_step = 0.1"),
        *("vessel_override = vessel.density = 1000", "world_north = 100", "world_east = 200"),
        *("vessel_override = vessel.U = 0.5", "vessel_override = vessel.maintain_speed = true"),
        "vessel_override = vessel.active_dof = [1,1,1,1,1,1]",
    ):
        assert f"  {line}\n" in moos or f"{line}\n" in moos, line
    assert "default_water_depth" not in moos
    assert "default_water_depth = 9" in texts(world, main=MAIN.replace("Inf", "9"))[1][0]
    assert texts(world, "--for", "5")[0].stop_at == 5_000_000_000


@slow
def test_equal_names_are_made_distinct(world: Path) -> None:
    agent = MAIN.partition("\nagents:\n")[2]
    options, _, _ = texts(world, main=MAIN.replace("nagents: 1", "nagents: 2") + agent)
    names = [Path(m).stem for m in options.missions]
    assert names == ["sookshma_00", "sookshma_01", "shoreside"]


@slow
def test_waypoints_of_every_kind_are_followed(world: Path) -> None:
    guidance = world / "sookshma" / "guidance.yml"
    plane = Datum(12.993, 80.239)
    lat, lon = plane.to_latlon(20.0, 10.0)
    rows = {"XYZ": "[10, 20, 0]", "NED": "[10, 20, 0]", "LLA": f"[{lat}, {lon}, -87]"}
    for kind, row in rows.items():
        guidance.write_text(f"waypoints: [{row}]\nwaypoints_type: {kind}\n")
        (bhv,) = texts(world)[2]
        x, y = (float(n) for n in bhv.partition("points = ")[2].partition("\n")[0].split(","))
        assert (x, y) == pytest.approx((20.0, 10.0), abs=1e-3)
    guidance.write_text(
        "waypoints: [[0, 0, 0], [9, 9, 3]]\nlookahead_distance: 4\nacceptance_radius: 1.5\n"
    )
    (bhv,) = texts(world)[2]
    assert bhv.count("capture_radius = 1.5") == 2
    assert bhv.count("lead = 4") == 1
    assert "depth = 3" in bhv
    assert "endflag = MISSION = complete" in bhv
    guidance.write_text(guidance.read_text() + "guidance_type: pure_pursuit\n")
    assert "lead" not in texts(world)[2][0]


@slow
def test_its_own_square_is_sailed_point_by_point(world: Path) -> None:
    """Sookshma, 88 m off, has to reach the corners of its 10 m square, not to pass by them."""
    _, _, (bhv,) = texts(world)
    assert bhv.count("Behavior = BHV_Waypoint") == bhv.count("slip_radius = 0") == 5
    words = [str(world / "main.yml"), "--placement", "one", "--warp", "max", "--no-log"]
    words += ["--until", "MISSION = complete", "--for", "400"]
    outcome = run(plan_launch(with_missions(parse_options(words))).plan, lambda progress: None)
    assert outcome.failures == []
    assert outcome.exit_reason == "until"
    way = np.hypot(50, 73) + 4 * 10 - 5 * 2 * 3  # within 3 m of each
    assert outcome.simulated_seconds > way / 0.5


@slow
def test_fixed_commands_take_the_helms_place(world: Path) -> None:
    control = world / "sookshma" / "control.yml"
    control.write_text(
        "control_surface_control_type: fixed_rudder\nthruster_control_type: fixed_rpm\n"
    )
    _, (moos,), bhvs = texts(world)
    assert "actuator_cmd = cs_1=15" in moos
    assert bhvs == []
    assert "pHelmIvP" not in moos
    control.write_text("control_surface_control_type: fixed_rudder\nrudder_angle: -5\n")
    assert "actuator_cmd = cs_1=-5" in texts(world)[1][0]


@slow
def test_a_vessel_that_leaves_its_fence_is_reported(world: Path) -> None:
    (world / "sookshma" / "control.yml").write_text("controller_type: pid\n")
    (world / "sookshma" / "guidance.yml").write_text("waypoints: [[50, 150, 0]]\n")
    plane = Datum(12.993, 80.239)
    corners = [plane.to_latlon(x, y) for x, y in ((60, 40), (80, 40), (80, 60), (60, 60))]
    fence = "geofence: [" + ", ".join(f"[{lat!r}, {lon!r}]" for lat, lon in corners) + "]\n"
    (world / "main.yml").write_text(MAIN.replace("\nagents:", f"\n{fence}agents:"))
    words = [str(world / "main.yml"), "--placement", "one", "--warp", "max", "--no-log"]
    words += ["--until", "GEOFENCE_BREACH = true", "--for", "200"]
    outcome = run(plan_launch(parse_options(words)).plan, lambda progress: None)
    assert outcome.failures == []
    assert outcome.exit_reason == "until"


@slow
def test_bundled_vessels_replace_missing_folders(world: Path) -> None:
    """By name, whatever container their paths are in; they and their missing parts are reported."""
    agents = "".join(
        f"    {key}: /workspaces/mavlab/inputs/{{name}}/{key}.yml\n"
        for key in ("geometry", "inertia", "control_surfaces", "thrusters", "sensors")
    )
    main = MAIN.partition("\nagents:")[0] + f"\nagents:\n  - name: otter\n{agents}"
    found, (moos,), bhvs = texts(world, main=main)
    assert f"vessel = {ROOT / 'inputs' / 'otter'}\n" in moos
    assert bhvs == []
    (warnings,) = map(str, found.warnings[found.missions[0]])
    assert re.search(
        r"main.yml:9: .*otter: not below .*; it has no control_surfaces, sens", warnings
    )
    assert any(warnings in warning for warning in plan_launch(found).warnings)
    with pytest.raises(LaunchError, match=r"main.yml:10: .*guidance: route.yml: no such file"):
        texts(world, main=f"{main.partition('otter')[0]}otter\n    guidance: route.yml\n")


@slow
def test_a_main_file_in_a_vessels_folder_finds_the_neighbouring_vessel(world: Path) -> None:
    """Its neighbour is reported, and there is no second copy of the vessel next to the file."""
    shutil.copytree(world / "sookshma", world / "heavy")
    (world / "heavy" / "inertia.yml").write_text("mass: 9\n")
    (world / "geometry.yml").write_text("length: wrong\n")  # nobody's
    main = world / "sookshma" / "main.yml"
    path = "    geometry: /workspaces/mavlab/inputs/{name}/geometry.yml\n"
    main.write_text(MAIN.replace("nagents: 1", "nagents: 2") + f"  - name: heavy\n{path}")
    found = with_missions(parse_options([str(main)]))
    own, other = (Path(mission) for mission in found.missions[:2])
    assert f"vessel = {world / 'sookshma'}\n" in own.read_text()
    assert f"vessel = {world / 'heavy'}\n" in other.read_text()
    assert not any(
        "taken from" in warning for warning in map(str, found.warnings.get(str(own), ()))
    )
    assert any(
        f"taken from {world / 'heavy'}" in text for text in map(str, found.warnings[str(other)])
    )


@slow
@pytest.mark.parametrize(
    ("name", "more", "fate"),
    [
        ("sookshma", "maintain_speed: true", "maintain_speed keeps it going, after a stop, too"),
        ("sookshma", "maintain_speed: false", "loses the speed it starts with"),
        ("mavymini", "type: auv", "stays where it is"),
    ],
)
def test_a_vessel_without_propulsion_is_reported(
    world: Path, name: str, more: str, fate: str
) -> None:
    (world / "sookshma" / "guidance.yml").write_text("")
    main = MAIN.partition("\nagents:")[0] + f"\nagents:\n  - name: {name}\n    {more}\n"
    warnings = texts(world, main=main)[0].warnings.values()
    assert fate in " ".join(map(str, next(iter(warnings))))
