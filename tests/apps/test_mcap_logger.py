"""pMcapLogger: what it writes, read back, and by MCAP's own reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader

from steerageway.apps.logs.mcap_frames import frames_of
from steerageway.apps.logs.mcap_logger import McapLogger
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
    """Let the app write measurements of so many instants, ten a second."""
    driven = drive(McapLogger, block, log_folder=folder, epoch=1000.0)
    for k in range(1, count + 1):
        driven.tick(0.1 * k, mail(0.1 * k))
    driven.stop(0.1 * count)
    return folder / "alpha.mcap", driven


def test_measurements_come_back_as_they_were(drive: Callable, tmp_path: Path) -> None:
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
    """A point ahead of a sensor that looks east is east of it, in Foxglove's world, too."""
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


def test_a_quota_is_kept_and_told(drive: Callable, tmp_path: Path) -> None:
    path, driven = recorded(drive, tmp_path, "quota = 0.025", count=200)
    assert path.stat().st_size <= 25_000
    assert list(frames_of(path))
    assert "alpha.mcap has its quota of 0.025 MB" in " ".join(driven.app.run_warnings)


def test_the_size_of_a_minute_is_told_at_the_start(drive: Callable, tmp_path: Path) -> None:
    driven = drive(McapLogger, "log = LIDAR_*", log_folder=tmp_path)
    driven.tick(0.1, mail(0.1))
    told = driven.tick(0.2, mail(0.2))
    fields = dict(pair.split("=") for pair in str(told["MCAP_SUMMARY"]).split(","))
    (size,) = (one for one in [driven.app._streams["LIDAR_TOP"].size])
    assert float(fields["mb_per_minute"]) == pytest.approx(600 * size / 1e6, abs=0.06)
    assert float(fields["quota_mb"]) == 1000.0
    driven.stop(0.2)


def test_a_file_of_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.mcap"
    path.write_bytes(b"no such thing" * 100)
    with pytest.raises(FormatError, match="expected what pMcapLogger writes"):
        list(frames_of(path))


def test_without_a_log_folder_nothing_is_written(drive: Callable) -> None:
    driven = drive(McapLogger)
    assert not driven.registered
    assert list(driven.app.report()) == ["Not logging."]
