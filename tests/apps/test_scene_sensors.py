"""uSceneSensors' block: a vessel's own files, and errors reported by line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from steerageway.apps.sensing.scene_sensors.app import SceneSensors
from steerageway.apps.sensing.scene_sensors.poses import Pose, Poses
from steerageway.bus import NANO, Config, ConfigError, Message, Setting
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.perception.device import Stance
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.sensors.reading import Reader
from steerageway.vessel.sensors.sensor import Aboard
from steerageway.world.rotation import rotation

PANISIM = """
sensors:
  - sensor_type: IMU
    sensor_topic: /vessel/imu
    sensor_location: [0.0, 0.0, 0.0]
    sensor_orientation: [0.0, 0.0, 0.0]
    publish_rate: 50
    use_custom_covariance: false
  - sensor_type: LiDAR
    sensor_topic: /vessel/lidar
    sensor_location: [0.5, 0.0, -1.0]
    sensor_orientation: [0.0, 0.0, 0.0]
    publish_rate: 10
    use_custom_covariance: false
    custom_covariance: None
  - sensor_type: Camera
    sensor_topic: /vessel/camera
    sensor_location: [0.5, 0.0, -1.0]
    sensor_orientation: [0.0, 0.0, 0.0]
    publish_rate: 5
  - sensor_type: Sonar
    publish_rate: 2
"""


def app_of(folder: Path, *lines: tuple[str, str]) -> SceneSensors:
    """Return the app of a block."""
    config = Config([(key, value, f"m.moos:{k}") for k, (key, value) in enumerate(lines, 1)])
    app = SceneSensors(Setting("uSceneSensors", "abe", config=config, folder=folder))
    app.configure()
    return app


@pytest.mark.slow
def test_a_sensors_file_of_panisims_is_shared_between_the_two_apps(tmp_path: Path) -> None:
    path = tmp_path / "sensors.yml"
    path.write_text(PANISIM)
    inward, outward = Reader(Aboard()), DeviceReader()
    inward.file(path)
    outward.file(path)
    assert [one.kind for one in inward.finish()] == ["IMU"]
    assert [one.rpartition(" ")[2] for one in inward.outward] == ["LiDAR", "Camera", "Sonar"]
    names = [(one.name, one.topic) for one in outward.finish()]
    assert names == [("LIDAR", "/vessel/lidar"), ("CAMERA", "/vessel/camera"), ("FLS", "")]
    app = app_of(tmp_path, ("sensors_file", "sensors.yml"))
    assert {"LIDAR_LIDAR", "/vessel/lidar", "CAMERA_INFO_CAMERA", "SONAR_FLS"} <= set(app.publishes)


@pytest.mark.parametrize(("wrong", "right"), [("Lidar", "LiDAR"), ("DepthCam", "DepthCamera")])
def test_a_misspelt_kind_is_reported_by_whichever_app_reads_the_file(
    tmp_path: Path, wrong: str, right: str
) -> None:
    path = tmp_path / "sensors.yml"
    path.write_text(f"sensors:\n  - {{sensor_type: {wrong}, publish_rate: 5}}\n")
    for reader in (Reader(Aboard()), DeviceReader()):
        with pytest.raises(InvalidValue, match=f"sensor_type: {wrong}: expected {right}, the near"):
            reader.file(path)


def test_a_user_defined_kind_is_ignored_by_this_app(tmp_path: Path) -> None:
    (tmp_path / "sensors.yml").write_text("sensors: [{sensor_type: Sextant, publish_rate: 1}]\n")
    reader = DeviceReader()
    reader.file(tmp_path / "sensors.yml")
    assert reader.finish() == []


@pytest.mark.slow
def test_sensors_of_one_kind_have_numbers(tmp_path: Path) -> None:
    app = app_of(tmp_path, ("sensor", "sensor_type=LiDAR"), ("sensor", "sensor_type=LiDAR"))
    assert {"LIDAR_LIDAR", "LIDAR_LIDAR_2"} <= set(app.publishes)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("scene", "none.yml"), r"m.moos:1: .*none.yml.*no such file; expected a scene"),
        (
            ("sensor", "sensor_type=LiDAR, columns=0"),
            r"m.moos:1: .*columns = 0: expected a whole number",
        ),
        (("sensors_file", "none.yml"), r"m.moos:1: .*no such file in"),
        (("obstacle_height", "0"), r"m.moos:1: .*obstacle_height"),
    ],
)
def test_an_invalid_line_is_reported(tmp_path: Path, line: tuple[str, str], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        app_of(tmp_path, line)


def message(name: str, value: str) -> Message:
    return Message(name, value, 5.0, "pTest", "", "ben", 5 * NANO)


def test_a_vessel_has_its_reported_position_or_pose_and_expires_when_silent() -> None:
    poses = Poses("abe", None, 1000.0)
    report = "NAME=ben,X=10,Y=20,SPD=2,HDG=90,DEP=0,TIME={}"
    poses.take(message("NODE_REPORT", report.format(1005)), 1005.0)
    ((name, pose),) = poses.around(7.0)
    assert name == "ben"
    np.testing.assert_allclose(pose.position, [20.0, 14.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(pose.R @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-9)
    reported = Pose(
        6.0, np.array([21.0, 12.0, 0.3]), np.array([1.0, 0.0, 0.0]), rotation(9, -4, 80)
    )
    poses.take(message("SCENE_POSE", reported.text("Ben")), 1006.0)
    poses.take(message("NODE_REPORT", report.format(1008)), 1008.0)
    poses.take(message("SCENE_POSE", reported.text("abe")), 1006.0)
    ((name, pose),) = poses.around(8.0)
    np.testing.assert_allclose(pose.position, [23.0, 12.0, 0.3], atol=1e-9)
    np.testing.assert_allclose(pose.R, reported.R, atol=1e-9)
    assert len(poses.around(16.0)) == 1
    assert poses.around(16.1) == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SCENE_POSE", "TIME=1,N=0", "NAME is missing"),
        ("SCENE_POSE", "NAME=ben,TIME=1,N=x", "x: expected a number"),
        ("KNOWN_OBSTACLE", "pts={0,0:4,0:x,4},label=a", r"expected pts=\{x,y:x,y:x,y\}"),
        ("KNOWN_OBSTACLE", "pts={0,0:4,0:4,4}", "label=NAME"),
        ("KNOWN_OBSTACLE", "pts={0,0:4,0},label=a", "2 points: expected a polygon"),
    ],
)
def test_invalid_mail_is_a_warning(tmp_path: Path, name: str, value: str, expected: str) -> None:
    app = app_of(tmp_path)
    app.on_mail([message(name, value)])
    (warning,) = app.run_warnings
    assert re.search(expected, warning)


def test_all_obstacles_are_cleared_at_once(tmp_path: Path) -> None:
    app = app_of(tmp_path, ("obstacles", "true"))
    app.on_mail([message("KNOWN_OBSTACLE", "pts={0,8:4,8:4,12:0,12},label=" + k) for k in "ab"])
    stance = Stance(np.zeros(3), np.zeros(3), np.eye(3), np.zeros(3))
    assert len(app._around.view(5.0, stance, None).moving) == 2
    app.on_mail([message("KNOWN_OBSTACLE_CLEAR", "all")])
    assert not app._around.view(5.0, stance, None).moving


def test_a_scene_of_triangles_requires_embree_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "embreex", None)
    (tmp_path / "plain.yml").write_text("objects: [{name: a, shape: sphere, radius: 1}]\n")
    (tmp_path / "hulls.yml").write_text("vessels: [{name: ben, length: 9 m}]\n")
    app_of(tmp_path, ("scene", "plain.yml"))
    expected = r"m.moos:1: .*pip install 'steerageway\[rays\]'"
    with pytest.raises(ConfigError, match=expected):
        app_of(tmp_path, ("scene", "hulls.yml"))
