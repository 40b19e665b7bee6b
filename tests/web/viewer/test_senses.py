"""Sensor measurements in the viewer: point clouds on the map, images as PNG."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from viewer_stage import Viewer, stand

from steerageway.apps.logs.mcap_logger.recording import Recording
from steerageway.bus import NANO
from steerageway.vessel.perception.files import read_png
from steerageway.vessel.perception.measurement import Measurement, pack
from steerageway.web.viewer.log_set import read_logs

pytestmark = pytest.mark.process

FIELDS = ("x", "y", "z", "intensity", "ring")
POSE = (100.0, 20.0, -2.0, 0.0, 0.0, np.pi / 2)  # it looks east
POINTS = np.array([[10.0, 0.0, 1.0, 0.5, 0.0], [0.0, 5.0, -3.0, 0.5, 1.0]], "<f4")
COLOURS = np.arange(36, dtype="u1").reshape(3, 4, 3)


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory, finished: Path) -> Iterator[Viewer]:
    """Return a viewer of a run with measurements of a LiDAR and a camera next to its log."""
    folder = tmp_path_factory.mktemp("senses") / "run"
    shutil.copytree(finished, folder)
    recording = Recording(folder / "alpha.mcap", "zstd", 10**7)
    epoch = round(read_logs(folder).epoch * NANO)
    for second in range(10, 20):
        at = epoch + second * NANO
        moved = (POSE[0] + second, *POSE[1:])
        recording.write("LIDAR_TOP", pack(Measurement(second, "TOP", POINTS, moved, FIELDS)), at)
        recording.write("RGB_BOW", pack(Measurement(second, "BOW", COLOURS, moved)), at)
    recording.close()
    with stand(folder.parent) as stage:
        viewer = stage.view(folder)
        viewer.handshake()
        viewer.page()
        yield viewer


def shown(viewer: Viewer, rest: str) -> tuple[int, str, bytes]:
    """Return the response about the default source: status, type and body."""
    source = viewer.get("/api/home")["default"]
    answer = viewer.request("GET", f"/api/source/{source}/{rest}", Cookie=viewer.cookie)
    return answer.status, answer.headers["content-type"], answer.body


def test_outward_looking_sensors_are_listed(viewer: Viewer) -> None:
    source = viewer.get("/api/home")["default"]
    assert viewer.get(f"/api/source/{source}/senses?t=15")["senses"] == [
        {"community": "alpha", "name": "LIDAR_TOP", "kind": "lidar"},
        {"community": "alpha", "name": "RGB_BOW", "kind": "rgb"},
    ]


def test_a_cloud_is_where_it_was_at_the_time(viewer: Viewer) -> None:
    """What is ahead of a sensor that looks east is east of it; to starboard is south."""
    status, kind, body = shown(viewer, "sense/alpha/LIDAR_TOP?t=15.5")
    assert (status, kind) == (200, "application/octet-stream")
    points = np.frombuffer(body, "<f4").reshape(-1, 3)
    assert points == pytest.approx(np.array([[30.0, 115.0, 1.0], [20.0, 110.0, 5.0]]), abs=1e-4)


def test_an_image_is_a_png(viewer: Viewer) -> None:
    status, kind, body = shown(viewer, "sense/alpha/RGB_BOW?t=12")
    assert (status, kind) == (200, "image/png")
    assert (read_png(body) == COLOURS).all()


@pytest.mark.parametrize("rest", ["sense/alpha/LIDAR_TOP?t=90", "sense/alpha/LIDAR_AFT?t=15"])
def test_unmeasured_frames_have_no_content(viewer: Viewer, rest: str) -> None:
    source = viewer.get("/api/home")["default"]
    answer = viewer.request("GET", f"/api/source/{source}/{rest}", Cookie=viewer.cookie)
    assert (answer.status, answer.body) == (204, b"")


def test_invalid_clouds_and_images_are_not_found(viewer: Viewer) -> None:
    status, _, body = shown(viewer, "sense/alpha/NAV_X?t=15")
    assert status == 404
    assert b"neither a cloud nor an image" in body
