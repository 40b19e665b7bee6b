"""pMcapLogger: its files, read back by our reader and by MCAP's own."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

from steerageway.apps.logs.mcap_logger.app import McapLogger
from steerageway.apps.shared.mcap_frames import frames_of
from steerageway.moos.errors import FormatError
from steerageway.vessel.perception.measurement import Box, Measurement, pack

POSE = (10.0, -5.0, -2.0, 0.02, -0.03, 2.5)
FIELDS = ("x", "y", "z", "intensity", "ring")
CLOUD = np.array([[1, 2, 3, 0.5, 0], [np.nan, np.nan, np.nan, 0, 1], [4, -5, 6, 0.2, 2]], "<f4")
DEPTH = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.5]], "<f4")
COLOURS = np.arange(18, dtype="u1").reshape(2, 3, 3)
NAMES, BOXES = ("nothing", "buoy"), (Box("buoy", 7, 1, 0, 1, 0),)
CLASSES = np.array([[0, 1, 2], [3, 300, 5]], "<u2")


def packed(time: float, values: np.ndarray, fields: tuple[str, ...] = ()) -> bytes:
    return pack(Measurement(time, "TOP", values, POSE, fields))


def mail(time: float) -> dict[str, bytes]:
    return {
        "LIDAR_TOP": packed(time, CLOUD, FIELDS),
        "DEPTH_BOW": packed(time, DEPTH),
        "RGB_BOW": packed(time, COLOURS),
        "SEMANTIC_BOW": pack(Measurement(time, "BOW", CLASSES, POSE, (), NAMES, BOXES)),
    }


def recorded(drive: Callable, folder: Path, block: str = "", count: int = 5) -> tuple[Path, object]:
    """Let the app write measurements of a number of instants, ten a second."""
    driven = drive(McapLogger, block, log_folder=folder, epoch=1000.0)
    for k in range(1, count + 1):
        driven.tick(0.1 * k, mail(0.1 * k))
    driven.stop(0.1 * count)
    return folder / "alpha.mcap", driven


def test_measurements_come_back_unchanged(drive: Callable, tmp_path: Path) -> None:
    path, _ = recorded(drive, tmp_path)
    frames = list(frames_of(path))
    assert [frame.variable for frame in frames[:4]] == list(mail(0.0))
    assert [frame.at for frame in frames[::4]] == [10**12 + k * 10**8 for k in range(1, 6)]
    cloud, depth, colours, classes = (frame.one for frame in frames[:4])
    assert np.array_equal(cloud.data, CLOUD[[0, 2]])  # what did not return is left out
    assert tuple(cloud.fields) == FIELDS
    assert np.array_equal(depth.data, DEPTH, equal_nan=True)
    assert (colours.data == COLOURS).all()
    assert (classes.data == CLASSES).all()
    assert (tuple(classes.classes), tuple(classes.boxes)) == (NAMES, BOXES)
    for one in (cloud, depth):
        assert one.pose == pytest.approx(POSE)


def test_the_file_has_foxgloves_schemas_and_its_frames(drive: Callable, tmp_path: Path) -> None:
    """A point ahead of a sensor that looks east is east of it, also in Foxglove's world."""
    path = tmp_path / "alpha.mcap"
    driven = drive(McapLogger, "", log_folder=tmp_path)
    east = (0.0, 0.0, -2.0, 0.0, 0.0, np.pi / 2)
    driven.tick(0.1, {"LIDAR_TOP": pack(Measurement(0.1, "TOP", CLOUD[:1], east, FIELDS))})
    driven.stop(0.1)
    with path.open("rb") as file:
        found = {c.topic: (s, json.loads(m.data)) for s, c, m in make_reader(file).iter_messages()}
    schema, cloud = found["/LIDAR_TOP"]
    assert (schema.name, schema.encoding) == ("foxglove.PointCloud", "jsonschema")
    assert cloud["fields"][1] == {"name": "y", "offset": 4, "type": 7}
    schema, pose = found["/tf"]
    assert schema.name == "foxglove.FrameTransform"
    assert pose["translation"] == pytest.approx({"x": 0.0, "y": 0.0, "z": 2.0})
    assert pose["rotation"] == pytest.approx({"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})


def test_states_are_beside_the_clouds(drive: Callable, tmp_path: Path) -> None:
    fix = {"sensor": "GPS", "time": 0.1, "latitude": 59.9, "longitude": 10.7, "altitude": 0.5}
    north_is_worse = [9.0, 0, 0, 0, 4.0, 0, 0, 0, 1.0]
    texts = {
        "GPS_DATA": json.dumps({**fix, "position_covariance": north_is_worse}),
        "IMU_DATA": json.dumps({"sensor": "IMU", "time": 0.1, "angular_velocity": [0, 0, 0.1]}),
        "SCENE_POSE": "NAME=abe,TIME=0.1,N=1,E=2,D=0,ROLL=0,PITCH=0,YAW=90,VN=0,VE=1.5,VD=0",
    }
    block = "log = LIDAR_*, *_DATA, SCENE_POSE, NAV_SPEED"
    driven = drive(McapLogger, block, log_folder=tmp_path, epoch=1000.0)
    driven.tick(0.1, {**mail(0.1), **texts, "NAV_SPEED": 1.5})
    driven.tick(0.2, {"SCENE_POSE": "NAME=abe,TIME=0.1,N=here"})
    driven.stop(0.2)
    assert "SCENE_POSE" in " ".join(driven.app.run_warnings)
    with (tmp_path / "alpha.mcap").open("rb") as file:
        found = {
            c.topic: (s.name, json.loads(m.data)) for s, c, m in make_reader(file).iter_messages()
        }
    assert found["/IMU_DATA"][0] == "steerageway.Reading"
    assert found["/IMU_DATA"][1]["angular_velocity"] == [0, 0, 0.1]
    schema, place = found["/GPS_DATA/fix"]
    assert (schema, place["latitude"]) == ("foxglove.LocationFix", 59.9)
    assert place["position_covariance"] == [4.0, 0, 0, 0, 9.0, 0, 0, 0, 1.0]  # east, north, up
    schema, odometry = found["/SCENE_POSE"]
    assert schema == "foxglove.PoseInFrame"
    assert odometry["pose"]["position"] == pytest.approx({"x": 2, "y": 1, "z": 0})
    assert odometry["pose"]["orientation"] == pytest.approx({"x": 0, "y": 0, "z": 0, "w": 1})
    assert odometry["velocity"] == pytest.approx({"x": 1.5, "y": 0, "z": 0})  # heads east
    assert found["/NAV_SPEED"][1]["value"] == 1.5
    assert [frame.variable for frame in frames_of(tmp_path / "alpha.mcap")] == ["LIDAR_TOP"]


TIME, VECTOR = dict.fromkeys(("sec", "nsec"), int), dict.fromkeys("xyz", float)
QUATERNION = dict.fromkeys("xyzw", float)
HEAD = {"timestamp": TIME, "frame_id": str, "data": str}
NUMBERS = {key: [float] for key in "DKRP"}
PUBLISHED: dict[str, dict[str, Any]] = {
    "foxglove.PointCloud": {
        **HEAD,
        "pose": {"position": VECTOR, "orientation": QUATERNION},
        "point_stride": int,
        "fields": [{"name": str, "offset": int, "type": int}],
    },
    "foxglove.RawImage": {**HEAD, "width": int, "height": int, "encoding": str, "step": int},
    "foxglove.CompressedImage": {**HEAD, "format": str},
    "foxglove.CameraCalibration": {
        "timestamp": TIME,
        "frame_id": str,
        "width": int,
        "height": int,
        "distortion_model": str,
        **NUMBERS,
    },
    "foxglove.FrameTransform": {
        "timestamp": TIME,
        "parent_frame_id": str,
        "child_frame_id": str,
        "translation": VECTOR,
        "rotation": QUATERNION,
    },
}
"""The members that Foxglove's JSON schemas ask for, and their types; github.com/foxglove."""
PIXEL = {"8UC1": 1, "16UC1": 2, "32FC1": 4}  # bytes of each encoding that Foxglove draws
INFO = {
    "width": 3,
    "height": 2,
    "distortion_model": "plumb_bob",
    "d": [0.0] * 5,
    "k": [2.0, 0, 1, 0, 2, 0.5, 0, 0, 1],
    "r": [1.0, 0, 0, 0, 1, 0, 0, 0, 1],
    "p": [2.0, 0, 1, 0, 0, 2, 0.5, 0, 0, 0, 1, 0],
}


def lacks(value: Any, expected: Any, where: str) -> list[str]:
    """Return the members that a message lacks relative to a schema, or has of another type."""
    if isinstance(expected, dict):
        if not isinstance(value, dict):
            return [where]
        rows = (lacks(value.get(key), one, f"{where}.{key}") for key, one in expected.items())
        return [row for some in rows for row in some]
    if isinstance(expected, list):
        if not isinstance(value, list):
            return [where]
        return [row for one in value for row in lacks(one, expected[0], f"{where}[]")]
    kinds = (int, float) if expected is float else expected
    return [] if isinstance(value, kinds) and not isinstance(value, bool) else [where]


def test_every_message_has_the_fields_of_foxgloves_published_schemas(
    drive: Callable, tmp_path: Path
) -> None:
    driven = drive(McapLogger, "", log_folder=tmp_path, epoch=1000.0)
    driven.tick(0.1, {**mail(0.1), "CAMERA_INFO_BOW": json.dumps(INFO)})
    driven.stop(0.2)
    with (tmp_path / "alpha.mcap").open("rb") as file:
        found = list(make_reader(file, validate_crcs=True).iter_messages())
    by_name: dict[str, list[Any]] = {name: [] for name in PUBLISHED}
    for schema, channel, record in found:
        assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
        written, message = json.loads(schema.data), json.loads(record.data)
        assert written["title"] == schema.name
        assert PUBLISHED[schema.name].keys() <= written["properties"].keys()
        assert lacks(message, PUBLISHED[schema.name], schema.name) == []
        assert message["timestamp"] == {"sec": 1000, "nsec": 10**8}
        assert record.log_time == 1000 * 10**9 + 10**8
        by_name[schema.name].append(message)
    assert all(by_name.values())
    transforms = by_name.pop("foxglove.FrameTransform")
    assert {one["parent_frame_id"] for one in transforms} == {"map"}
    frames = {one["child_frame_id"] for one in transforms}
    assert {one["frame_id"] for some in by_name.values() for one in some} <= frames
    for cloud in by_name["foxglove.PointCloud"]:
        assert len(b64decode(cloud["data"])) % cloud["point_stride"] == 0
        assert {"x", "y", "z"} <= {field["name"] for field in cloud["fields"]}
    for image in by_name["foxglove.RawImage"]:
        assert image["step"] == image["width"] * PIXEL[image["encoding"]]
        assert len(b64decode(image["data"])) == image["height"] * image["step"]
    (camera,) = by_name["foxglove.CameraCalibration"]
    assert [len(camera[key]) for key in "KRP"] == [9, 9, 12]


def test_the_same_measurements_make_the_same_bytes(drive: Callable, tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        files.append(recorded(drive, tmp_path / name)[0].read_bytes())  # noqa: PERF401
    assert files[0] == files[1]


def test_a_stride_leaves_measurements_out(drive: Callable, tmp_path: Path) -> None:
    path, _ = recorded(drive, tmp_path, "stride = 3\nstride = LIDAR_*:1\nlog = LIDAR_*, RGB_*")
    variables = [frame.variable for frame in frames_of(path)]
    assert variables.count("LIDAR_TOP") == 5
    assert variables.count("RGB_BOW") == 2
    assert "DEPTH_BOW" not in variables


@pytest.mark.slow
def test_a_quota_is_kept_and_reported(drive: Callable, tmp_path: Path) -> None:
    path, driven = recorded(drive, tmp_path, "quota = 0.025", count=200)
    assert path.stat().st_size <= 25_000
    assert list(frames_of(path))
    assert "alpha.mcap has its quota of 0.025 MB" in " ".join(driven.app.run_warnings)


def test_the_size_of_a_minute_is_reported_at_the_start(drive: Callable, tmp_path: Path) -> None:
    driven = drive(McapLogger, "log = LIDAR_*", log_folder=tmp_path)
    driven.tick(0.1, mail(0.1))
    posted = driven.tick(0.2, mail(0.2))
    fields = dict(pair.split("=") for pair in str(posted["MCAP_SUMMARY"]).split(","))
    (size,) = (one for one in [driven.app._streams["LIDAR_TOP"].size])
    assert float(fields["mb_per_minute"]) == pytest.approx(600 * size / 1e6, abs=0.06)
    assert float(fields["quota_mb"]) == 1000.0
    driven.stop(0.2)


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.mcap"
    path.write_bytes(b"no such thing" * 100)
    with pytest.raises(FormatError, match="expected what pMcapLogger writes"):
        list(frames_of(path))


def test_without_a_log_folder_nothing_is_written(drive: Callable) -> None:
    driven = drive(McapLogger)
    assert not driven.registered
    assert list(driven.app.report()) == ["Not logging."]
