"""Worlds of Panisim's main file: several vessels, its document's own, fences, ticks, a filter."""

from __future__ import annotations

import re
import shutil
from itertools import combinations
from math import cos, dist, pi, sin
from pathlib import Path

import pytest
import yaml

from steerageway.bus import run
from steerageway.launcher import Mission
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.peers.panisim.launching import with_missions
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import chosen, load
from steerageway.vessel.perception.measurement import unpack
from steerageway.vessel.tools.check import mistakes_of

ROOT = Path(__file__).parents[2]
COMPLETE = ROOT / "tests" / "reference" / "panisim" / "complete"
WORLD = {
    "sim_time": 120,
    "time_step": 0.1,
    "density": 1025,
    "gravity": 9.81,
    "gps_datum": [59.9, 10.7, 0],
    "world_size": ["Inf", "Inf", "Inf"],
}

slow = pytest.mark.slow  # compiles, unless the cache is warm


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for a main file; generated files are there, too."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def written(folder: Path, **changed: object) -> Path:
    """Write a main file of one Otter, with keys changed."""
    main = folder / "main.yml"
    world = WORLD | {"agents": [{"name": "otter", "U": 1.0}]} | changed
    main.write_text(yaml.safe_dump(world).replace("'Inf'", "Inf"))
    return main


def missions(main: Path) -> tuple[dict[str, str], list[str]]:
    """Return the mission files of a main file by name, and its warnings."""
    found = with_missions(parse_options([str(main)]))
    texts = {Path(mission).stem: Path(mission).read_text() for mission in found.missions}
    return texts, [str(warning) for some in found.warnings.values() for warning in some]


def meeting(folder: Path, count: int) -> list[dict[str, object]]:
    """Return Otters that would all meet in the middle of a ring."""
    agents: list[dict[str, object]] = []
    for k in range(count):
        angle = 2 * pi * k / count
        north, east = 30 * cos(angle), 30 * sin(angle)
        heading = (angle + pi) % (2 * pi)
        start = {"start_location": [north, east, 0], "start_orientation": [0, 0, heading]}
        start["start_velocity"] = [1.0, 0, 0, 0, 0, 0]
        (folder / f"start_{k}.yml").write_text(yaml.safe_dump(start))
        (folder / f"way_{k}.yml").write_text(f"waypoints: [[{-north}, {-east}, 0]]")
        files = {"initial_conditions": f"start_{k}.yml", "guidance": f"way_{k}.yml"}
        agents.append({"name": "otter", "U": 1.0, **files})
    return agents


def closest(main: Path, log: Path) -> float:
    """Return how close two vessels of a world come in 70 s [m]."""
    words = [str(main), "--placement", "one", "--warp", "max", "--for", "70", "--log", str(log)]
    outcome = run(plan_launch(parse_options(words)).plan, lambda progress: None)
    assert outcome.failures == []
    tracks = []
    for path in sorted(log.glob("otter_*/**/*.alog")):
        rows = [line.split() for line in path.read_text().splitlines() if "NAV_" in line]
        xs, ys = (
            {row[0]: float(row[3]) for row in rows if row[1] == name} for name in ("NAV_X", "NAV_Y")
        )
        tracks.append([(xs[time], ys[time]) for time in xs if time in ys])
    assert len(tracks) == 3
    return min(
        dist(a, b) for one, two in combinations(tracks, 2) for a, b in zip(one, two, strict=False)
    )


@slow
def test_three_vessels_of_a_main_file_keep_clear_if_requested(folder: Path) -> None:
    """Two lengths of 2 m are the least; without it they would run each other down."""
    agents = meeting(folder, 3)
    requested = written(folder, agents=agents, collision_avoidance=True)
    assert closest(requested, folder / "log") > 4.0


@slow
def test_vessels_receive_reports_of_each_other_and_avoid_only_where_requested(folder: Path) -> None:
    agents = meeting(folder, 3)
    agents[1]["collision_avoidance"] = "colregs"
    texts, _ = missions(written(folder, agents=agents))
    assert list(texts) == ["otter_00", "otter_01", "otter_02", "shoreside"]
    for name in list(texts)[:3]:
        assert "Run = pContactMgrV20" in texts[name]
        assert f"src_name = NODE_REPORT_{name.upper()}" in texts["shoreside"]
    found = with_missions(parse_options([str(folder / "main.yml")]))
    kinds = [Path(mission).with_suffix(".bhv").read_text() for mission in found.missions[:3]]
    assert ["BHV_AvdColregsV22" in text for text in kinds] == [False, True, False]
    assert not any("BHV_AvoidCollision" in text for text in kinds)
    texts, _ = missions(written(folder, agents=agents, nagents=1))
    assert list(texts) == ["otter"]
    assert "pShare" not in texts["otter"]
    with pytest.raises(LaunchError, match=r"collision_avoidance = maybe: expected one of false"):
        missions(written(folder, collision_avoidance="maybe"))


@slow
def test_the_documented_complete_vessel_launches_unchanged(folder: Path) -> None:
    """Its files, with warnings about three figures, stop neither it nor the others."""
    texts, warnings = missions(COMPLETE / "simulation_input.yml")
    messages = "\n".join(warnings)
    assert "is dim_flag: true meant?" in messages
    assert "hydrodynamics.json: no such file: without its added mass" in messages
    assert "NACA0015.csv" in messages
    assert "its chord lies across the hull" in messages
    assert "is it at the stern, with x below 0?" in messages
    assert "example_vessel: no helm, its waypoints are not followed" in messages
    words = [str(COMPLETE / "simulation_input.yml"), "--placement", "one", "--warp", "max"]
    plan = plan_launch(parse_options([*words, "--no-log", "--for", "5"])).plan
    outcome = run(plan, lambda progress: None)
    assert outcome.failures == []
    assert "pHelmIvP" not in texts["example_vessel"]


@slow
def test_the_documented_complete_vessel_follows_its_square(folder: Path) -> None:
    """With the causes of the three warnings corrected: units, and a rudder placed astern."""
    shutil.copytree(COMPLETE, folder / "complete")
    files = folder / "complete" / "inputs" / "example_vessel"
    for name, old, new in (
        ("hydrodynamics", "dim_flag: false", "dim_flag: true"),
        ("control_surfaces", "[0, 0, 1.57]", "[-1.5708, 0, 0]"),
        ("control_surfaces", "[2.4, 0.0, 0.0]", "[-2.4, 0.0, 0.0]"),
    ):
        path = files / f"{name}.yml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    main = folder / "complete" / "simulation_input.yml"
    words = [str(main), "--placement", "one", "--warp", "max", "--no-log", "--for", "200"]
    plan = plan_launch(parse_options([*words, "--until", "MISSION = complete"])).plan
    outcome = run(plan, lambda progress: None)
    assert outcome.failures == []
    assert outcome.exit_reason == "until"
    assert outcome.simulated_seconds == pytest.approx(115, abs=15)  # 200 m at 2 m/s, and corners


@slow
def test_files_at_the_margin_are_every_agents(folder: Path) -> None:
    """As the document's listing has them where a page ends."""
    shutil.copytree(ROOT / "inputs" / "otter", folder / "boat")
    thrusters = (folder / "boat" / "thrusters.yml").rename(folder / "other.yml")
    main = written(folder, agents=[{"name": "boat", "geometry": "boat/geometry.yml"}])
    main.write_text(f"{main.read_text()}thrusters: other.yml\n")
    texts, warnings = missions(main)
    assert f"vessel_file = thrusters = {thrusters}" in texts["boat"]
    assert "thrusters: stands at the margin" in warnings[0]


SENSORS = """\
sensors:
  - {sensor_type: IMU, publish_rate: 50}
  - {sensor_type: UWB, publish_rate: 4}
"""


@slow
def test_a_filter_gives_helm_and_controller_the_position(folder: Path) -> None:
    """From sensors whose app, and the simulator, tick as fast as the fastest of them."""
    (folder / "sensors.yml").write_text(SENSORS)
    (folder / "way.yml").write_text("waypoints: [[40, 0, 0]]")
    agent = {"name": "otter", "sensors": "sensors.yml", "guidance": "way.yml"}
    main = written(folder, agents=[agent], vessel_states_ekf=True)
    texts, _ = missions(main)
    assert texts["otter"].count("AppTick = 50\n") == 2
    words = [str(main), "--placement", "one", "--warp", "max", "--log", str(folder / "log")]
    outcome = run(plan_launch(parse_options([*words, "--for", "20"])).plan, lambda progress: None)
    assert outcome.failures == []
    (log,) = (folder / "log").rglob("*.alog")
    rows = [line.split(maxsplit=3) for line in log.read_text().splitlines()]
    sources = {row[1]: row[2] for row in rows if len(row) > 2 and row[1].startswith("NAV_")}
    assert sources["NAV_X"] == "uNavFilter"
    assert float(next(row[3] for row in reversed(rows) if row[1:2] == ["NAV_SPEED"])) > 0.5


@slow
def test_a_lidar_in_the_sensors_of_a_main_file_sees_a_quay(folder: Path) -> None:
    """Its inner face stands 12 m north of the start, and the LiDAR is at the origin."""
    lidar = "sensor_type: LiDAR, publish_rate: 5, channels: 1, vertical_fov: 1, range_rms: 0"
    place = "sensor_location: [0, 0, -1], columns: 36"
    (folder / "sensors.yml").write_text(f"sensors:\n  - {{{lidar}, {place}}}\n")
    (folder / "quay.yml").write_text(
        "objects:\n"
        "  - {name: quay, class: quay, shape: box, position: [0, 14, 0], size: [4, 60, 8]}\n"
    )
    main = written(folder, agents=[{"name": "otter", "sensors": "sensors.yml"}])
    texts, _ = missions(main)
    assert "Run = uSensors" not in texts["otter"]  # nothing is left for it
    with Mission(main, config=[f"uSceneSensors.scene={folder / 'quay.yml'}"]) as mission:
        mission.register("LIDAR_*")
        mission.run_until(2.0)
        cloud = next(one.value for one in mission.fetch() if isinstance(one.value, bytes))
    points = unpack(cloud).placed()
    assert points[:, 0].max() == pytest.approx(12.0, abs=0.05)


@slow
def test_ticks_follow_the_time_step(folder: Path) -> None:
    texts, _ = missions(written(folder, time_step=0.02))
    simulator = texts["otter"].partition("ProcessConfig = uSimMarineV22")[2]
    assert "AppTick = 50\n" in simulator.partition("}")[0]


@slow
def test_a_route_is_shown_as_one_list(folder: Path) -> None:
    (folder / "way.yml").write_text("waypoints: [[0, 0, 0], [40, 6.97e-11, 0], [40, 9, 0]]")
    main = written(folder, agents=[{"name": "otter", "U": 1.0, "guidance": "way.yml"}])
    found = with_missions(parse_options([str(main)]))
    bhv = Path(found.missions[0]).with_suffix(".bhv").read_text()
    assert 'VIEW_SEGLIST = "pts={0,0:0.00000000007,40:9,40},label=otter_route"' in bhv or (
        'VIEW_SEGLIST = "pts={0,0:0,40:9,40},label=otter_route"' in bhv
    )


@slow
@pytest.mark.parametrize(
    ("fence", "expected"),
    [
        (
            [[-50, -50], [50, -50], [50, 50], [-50, 50]],
            r"read as north and east .* as latitudes and longitudes it is \d+ km",
        ),
        ([[-200, -50], [200, -50], [200, 50]], "they are no latitudes and longitudes"),
        ([[59.899, 10.699], [59.901, 10.699], [59.901, 10.701], [59.899, 10.701]], ""),
    ],
)
def test_a_fence_may_be_in_degrees_or_in_metres(
    folder: Path, fence: list[list[float]], expected: str
) -> None:
    texts, warnings = missions(written(folder, geofence=fence))
    ring = texts["otter"].partition("fence = ")[2].partition("\n")[0]
    corners = [tuple(map(float, corner.split(","))) for corner in ring.split(" : ")]
    assert len(corners) == len(fence)
    assert all(abs(lat - 59.9) < 0.01 and abs(lon - 10.7) < 0.01 for lat, lon in corners)
    messages = [one for one in warnings if "geofence" in one]
    assert [bool(re.search(expected, warning)) for warning in messages] == [True] * bool(expected)


def test_a_fence_nowhere_near_any_start_is_an_error(folder: Path) -> None:
    fence = [[12.0, 80.0], [12.001, 80.0], [12.001, 80.001]]
    start = {"start_location": [1e6, 0, 0]}
    (folder / "start.yml").write_text(yaml.safe_dump(start))
    agent = {"name": "otter", "initial_conditions": "start.yml"}
    with pytest.raises(LaunchError, match=r"geofence: .* km from every start"):
        missions(written(folder, agents=[agent], geofence=fence))


@slow
def test_code_next_to_the_main_file_is_found(folder: Path) -> None:
    """A kind of sensor that its sensors.yml names, and an app in the place of another."""
    source = next(
        block
        for block in (ROOT / "docs" / "sensors.md").read_text().split("```python\n")[1:]
        if "class Inclinometer" in block
    ).partition("```")[0]
    (folder / "inclinometer_beside.py").write_text(source)
    (folder / "own_reporter.py").write_text(
        "from steerageway.bus import App\n\n\nclass Quiet(App):\n    publishes = ()\n"
    )
    (folder / "sensors.yml").write_text(
        "sensor_class: inclinometer_beside:Inclinometer\n"
        "sensors:\n  - {sensor_type: Inclinometer, publish_rate: 5}\n"
    )
    main = written(folder, agents=[{"name": "otter", "sensors": "sensors.yml"}])
    words = [str(main), "--placement", "one", "--warp", "max", "--no-log", "--for", "3"]
    words += ["--app", "pNodeReporter=own_reporter:Quiet"]
    plan = plan_launch(parse_options(words)).plan
    assert run(plan, lambda progress: None).failures == []
    sensors = next(app.app for app in plan.apps if app.name == "uSensors")
    assert any(name.upper().startswith("INCLINOMETER") for name in sensors.publishes)


@slow
def test_load_reads_a_vessel_of_a_main_file_with_its_settings_there(folder: Path) -> None:
    agents = [{"name": "otter", "U": 1.5}, {"name": "sookshma", "active_dof": [1, 0, 0, 0, 0, 1]}]
    main = written(folder, agents=agents, density=1000)
    vessel = load(f"{main}@sookshma")
    assert vessel.name == "sookshma"
    moved = vessel.derivative(vessel.initial + 0.1, [0.0], vessel.surroundings())
    assert moved[7] == 0.0  # sway is held
    assert load(f"{main}@sookshma", overrides={"vessel.name": "mine"}).name == "mine"
    with pytest.raises(InvalidValue, match="expected one of otter, sookshma"):
        load(f"{main}@pursuer")
    with pytest.raises(InvalidValue, match=r"main.yml: expected one of its vessels: .*@otter"):
        load(main)

    def mistakes() -> list[str]:
        choice = chosen(f"{main}@otter")
        return [*map(str, mistakes_of(choice.folder, choice.overrides, choice.elsewhere))]

    assert mistakes() == []
    main.write_text(main.read_text().replace("U: 1.5", "U: -1"))
    (warning,) = mistakes()
    assert warning.startswith(f"{main}@otter: agent: U = -1: expected")


@slow
def test_two_lines_name_the_outputs_to_watch_and_how(folder: Path) -> None:
    launch = plan_launch(parse_options([str(COMPLETE / "simulation_input.yml"), "--no-log"]))
    what, how = launch.watch
    assert what.startswith("to watch: NAV_*, VESSEL_STATE")
    assert "/vessel/imu" in what
    assert "steerageway scope 'example_vessel:NAV_*'" in how
    of_alpha = plan_launch(parse_options([str(ROOT / "missions" / "alpha"), "--no-log"])).watch
    assert not any("to watch" in line for line in of_alpha)


@slow
def test_the_hint_at_commands_names_one_that_a_controller_does_not_undo(folder: Path) -> None:
    (folder / "way.yml").write_text("waypoints: [[40, 0, 0]]")
    for guided, expected in ((False, "ACTUATOR_CMD=..."), (True, "ACTUATOR_CMD_OVERRIDE=...")):
        agent = {"name": "otter", "U": 1.0}
        agents = [agent | ({"guidance": "way.yml"} if guided else {})]
        main = written(folder, agents=agents, gps_datum=[13.06, 80.28, 0])
        _, how = plan_launch(parse_options([str(main), "--no-log"])).watch
        assert expected in how
        assert ("ended by ACTUATOR_CMD_OVERRIDE=release" in how) == guided


@slow
def test_a_vessel_that_no_gains_steer_does_not_stop_the_others(folder: Path) -> None:
    files = COMPLETE / "inputs" / "example_vessel"
    (folder / "way.yml").write_text("waypoints: [[40, 0, 0]]")
    hopeless = {"name": "example_vessel", "U": 2.0, "guidance": "way.yml"}
    hopeless |= {"geometry": str(files / "geometry.yml"), "active_dof": [1, 1, 0, 0, 0, 1]}
    agents = [hopeless, {"name": "otter", "U": 1.0, "guidance": "way.yml"}]
    texts, warnings = missions(written(folder, agents=agents, gps_datum=[13.06, 80.28, 0]))
    assert "pHelmIvP" not in texts["example_vessel"]
    assert "pHelmIvP" in texts["otter"]
    assert any(warning.startswith("example_vessel: no helm, its waypoints") for warning in warnings)
