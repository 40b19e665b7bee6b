"""uSceneSensors' block: a vessel's own files, and what is wrong told by the line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from steerageway.apps.sensing.scene_sensors import SceneSensors
from steerageway.bus import Config, ConfigError, Setting
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.sensors.reading import Reader
from steerageway.vessel.sensors.sensor import Aboard

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
    """Give the app of a block."""
    config = Config([(key, value, f"m.moos:{k}") for k, (key, value) in enumerate(lines, 1)])
    app = SceneSensors(Setting("uSceneSensors", "abe", config=config, folder=folder))
    app.configure()
    return app


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


def test_sensors_of_one_kind_have_numbers(tmp_path: Path) -> None:
    app = app_of(tmp_path, ("sensor", "sensor_type=LiDAR"), ("sensor", "sensor_type=LiDAR"))
    assert {"LIDAR_LIDAR", "LIDAR_LIDAR_2"} <= set(app.publishes)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (("scene", "none.yml"), r"m.moos:1: .*none.yml.*no such file; expected a scene"),
        (("sensor", "sensor_type=LiDAR, columns=0"), r"m.moos:1: .*columns: 0: expected a number"),
        (("sensors_file", "none.yml"), r"m.moos:1: .*no such file in"),
        (("obstacle_height", "0"), r"m.moos:1: .*obstacle_height"),
    ],
)
def test_a_wrong_line_is_told(tmp_path: Path, line: tuple[str, str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        app_of(tmp_path, line)


def test_a_scene_of_triangles_asks_for_embree_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "embreex", None)
    (tmp_path / "plain.yml").write_text("objects: [{name: a, shape: sphere, radius: 1}]\n")
    (tmp_path / "hulls.yml").write_text("vessels: [{name: ben, length: 9 m}]\n")
    app_of(tmp_path, ("scene", "plain.yml"))
    told = r"m.moos:1: .*pip install 'steerageway\[rays\]'"
    with pytest.raises(ConfigError, match=told):
        app_of(tmp_path, ("scene", "hulls.yml"))
