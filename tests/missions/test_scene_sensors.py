"""Scene sensors in missions: vessels and obstacles they see, and equal bytes in all placements."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.launcher import Mission
from steerageway.moos.alog import read_entries
from steerageway.vessel.perception.measurement import unpack

ROOT = Path(__file__).parents[2]
SWEEP = ROOT / "missions" / "reset_sweep"
HASHER = '''
"""An app that hashes every frame it gets."""

import hashlib
import json

from steerageway.bus import App


class Hasher(App):
    publishes = ("FRAMES", "HEARD")

    def on_start(self):
        self.register("LIDAR_*", "DEPTH_*", "RGB_*", "SEMANTIC_*", "INSTANCE_*", "COLOURED_*")
        self.register("SONAR_*", "ECHOES_*")
        self.digest, self.count, self.heard = hashlib.sha256(), 0, {}

    def on_mail(self, mail):
        for message in mail:
            self.digest.update(repr((message.name, message.time)).encode() + message.value)
            self.count += 1
            times = message.time, message.instant / 1e9
            self.heard.setdefault(message.name, []).append(times)

    def iterate(self):
        self.post("FRAMES", f"{self.count} {self.digest.hexdigest()}")
        self.post("HEARD", json.dumps(self.heard))
'''
SCENE = """
bottom: {depth: 8 m}
objects:
  - {name: quay, shape: box, size: [4, 80, 6], position: [0, 30, 0], class: quay}
  - {name: isle, shape: prism, points: [[-5,-5],[6,-4],[4,6],[-6,5]], height: 6 m, class: shore,
     position: [-30, 0, -2]}
vessels:
  - {name: ben, length: 12 m, class: vessel}
"""
LAUNCH = """
ServerHost = localhost
ServerPort = {port}
Community  = {name}
LatOrigin  = 59.9
LongOrigin = 10.7
ProcessConfig = ANTLER
{{
  MSBetweenLaunches = 100
  Run = MOOSDB
  Run = uSimMarineV22
  Run = uSceneSensors
  Run = pShare
  Run = pLogger
{more}
}}
ProcessConfig = pLogger
{{
  WildCardLogging = true
  WildCardOmitPattern = *_E*
}}
ProcessConfig = pShare
{{
  Input  = route = localhost:{listens}
  Output = src_name = SCENE_POSE, route = localhost:{tells}
}}
"""
OTTER = """
ProcessConfig = uSimMarineV22
{
  AppTick   = 5
  model     = fossen
  vessel    = inputs/otter
  start_pos = x=0, y=-20, heading=10, speed=1
  environment = sea.yml
}
ProcessConfig = uSceneSensors
{
  AppTick = 10
  scene   = scene.yml
{sensors}
}
"""
SENSORS = (
    "LiDAR, channels=8, columns=120, own_times=true, sensor_location=0:0:-1.5, dropout=0.1",
    "Camera, sensor_name=E, width=64, height=48, outputs=rgb:depth:semantic:instance:coloured, "
    "noise_gain=1, noise_bounds=0.8:1.2, sensor_location=0.5:0:-1.2, publish_rate=5",
    "Sonar, beams=20, rays=9, echoes=true, sensor_location=0:0:1, latency=0.2",
)
BEN = """
ProcessConfig = uSimMarineV22
{
  AppTick   = 10
  start_pos = x=9, y=2, heading=270, speed=1
}
ProcessConfig = uSceneSensors
{
  AppTick = 10
}
"""


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the files of two vessels, one of which has a sensor that sees the other."""
    folder = tmp_path_factory.mktemp("seen")
    (folder / "inputs").symlink_to(ROOT / "inputs")
    (folder / "scene.yml").write_text(SCENE)
    (folder / "sea.yml").write_text("waves: {Hs: 0.3 m, Tp: 3 s, direction_to: 40}\n")
    (folder / "hasher.py").write_text(HASHER)
    ports = {"listens": 9301, "tells": 9302}
    text = LAUNCH.format(port=9000, name="otter", more="  Run = hasher:Hasher", **ports)
    sensors = "\n".join(f"  sensor = sensor_type={line}" for line in SENSORS)
    (folder / "otter.moos").write_text(text + OTTER.replace("{sensors}", sensors))
    text = LAUNCH.format(port=9001, name="ben", more="", listens=9302, tells=9301)
    (folder / "ben.moos").write_text(text + BEN)
    return [str(folder / "otter.moos"), str(folder / "ben.moos")]


@pytest.mark.slow
def test_frames_are_the_same_in_every_placement(
    mission: list[str], launch: Callable[..., Any]
) -> None:
    found = []
    for placement in ("one", "community", "process"):
        words = ("--for", "4", "--warp", "max", "--placement", placement)
        ended = launch(Path(mission[0]), mission[1], *words)
        assert ended.code == 0, ended.said
        (log,) = (
            path
            for path in ended.folder.rglob("*.alog")
            if "otter" in str(path.relative_to(ended.folder))
        )
        count, digest = [e.value for e in read_entries(log) if e.name == "FRAMES"][-1].split()
        hashes = [one["log_sha256"] for one in ended.summary["communities"].values()]
        found.append((int(count), digest, *hashes))
    assert found[0][0] > 60
    assert found == [found[0]] * 3


@pytest.mark.slow
def test_frames_after_a_reset_are_those_of_a_run_begun(mission: list[str]) -> None:
    with Mission(mission[0], seed=3) as run:
        found = []
        for _ in range(3):
            run.run_until(3.0)
            found.append(run.get("FRAMES"))
            run.reset()
    assert int(found[0].split()[0]) > 20
    assert found == [found[0]] * 3


@pytest.mark.slow
def test_measurements_come_at_their_rate_after_their_latency_and_some_never(
    mission: list[str],
) -> None:
    with Mission(mission[0]) as run:
        run.run_until(10.0)
        record = json.loads(run.get("HEARD"))
    kept = np.array([taken for taken, _ in record["LIDAR_LIDAR"]])
    np.testing.assert_allclose(10.0 * kept, np.rint(10.0 * kept), atol=1e-6)
    assert len(set(kept)) == len(kept)
    deviation = (0.1 * 0.9 / 100) ** 0.5
    assert len(kept) / 100 == pytest.approx(0.9, abs=4 * deviation)
    ticks = 0.2 + 0.1  # of the simulator, and of the sensors' app
    for name, latency, rate in (("LIDAR_LIDAR", 0, 10), ("RGB_E", 0, 5), ("SONAR_FLS", 0.2, 5)):
        delays = np.array([posted - taken for taken, posted in record[name]])
        assert latency - 1e-6 <= delays.min() <= delays.max() <= latency + ticks + 1e-6
        assert name == "LIDAR_LIDAR" or len(delays) == pytest.approx(10 * rate, abs=4)


@pytest.mark.slow
def test_a_camera_sees_the_other_vessel_where_it_is(mission: list[str]) -> None:
    with Mission(*mission) as run:
        run.run_until(6.0)
        image = unpack(run.get("INSTANCE_E", community="otter"))
        index = json.loads(run.get("SCENE_INDEX", community="otter"))
        pose = run.get("SCENE_POSE", community="ben")
    (ben,) = (one for one in index if one["contact"] == "ben")
    (box,) = (box for box in image.boxes if box.instance == ben["instance"])
    north, east = (float(part.split("=")[1]) for part in pose.split(",")[2:4])
    bearing = np.degrees(np.arctan2(east - image.pose[1], north - image.pose[0]))
    focal = 32.0 / np.tan(np.radians(30.0))
    column = 31.5 + focal * np.tan(np.radians(bearing) - image.pose[5])
    assert box.u0 - 3 <= column <= box.u1 + 3
    assert "isle" in {one["name"] for one in index}


@pytest.mark.slow
def test_a_simulated_obstacle_is_added_to_the_scene_and_removed(
    mission: list[str],
) -> None:
    with Mission(mission[0], config=["uSceneSensors.obstacles=true"]) as run:
        run.run_until(3.0)
        text = "pts={-2,-12:2,-12:2,-8:-2,-8},label=ob_7"
        run.post("KNOWN_OBSTACLE", text)
        run.run_until(4.0)
        index = json.loads(run.get("SCENE_INDEX"))
        (number,) = (one["instance"] for one in index if one["obstacle"] == "ob_7")
        assert number in {box.instance for box in unpack(run.get("INSTANCE_E")).boxes}
        run.post("KNOWN_OBSTACLE_CLEAR", "ob_7")
        run.run_until(5.0)
        assert number not in {box.instance for box in unpack(run.get("INSTANCE_E")).boxes}


@pytest.mark.slow
def test_sensors_are_added_to_a_mission_that_has_none(tmp_path: Path) -> None:
    """Alpha's vessel waits 20 m south of the datum; the wall's face is 28 m north of it."""
    scene = tmp_path / "wall.yml"
    wall = "{name: wall, shape: box, size: [4, 400, 20], position: [0, 30, 0]}"
    scene.write_text(f"objects:\n- {wall}\n")
    words = [f"uSceneSensors.scene={scene}", "uSceneSensors.sensor=sensor_type=LiDAR, channels=1"]
    with Mission(str(ROOT / "missions" / "alpha"), app=["uSceneSensors"], config=words) as run:
        run.run_until(4.0)
        cloud = unpack(run.get("LIDAR_LIDAR"))
    north = cloud.placed()[:, 0]
    assert len(north) > 50
    np.testing.assert_allclose(north, 28.0, atol=0.2)
