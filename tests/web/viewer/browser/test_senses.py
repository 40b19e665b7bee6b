"""The sensors panel: a point cloud and tracks on the map, an image in the panel."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from steerageway.apps.logs.mcap_logger.recording import Recording
from steerageway.bus import NANO
from steerageway.vessel.perception.measurement import Measurement, pack
from steerageway.web.viewer.log_set import read_logs
from tests.web.viewer.browser.conftest import Page, Viewer
from tests.web.viewer.browser.logs import straight, write_log

FIELDS = ("x", "y", "z", "intensity", "ring")
POINTS = np.array([[30.0, 0.0, -8.0, 0.5, 0.0]], "<f4")  # ahead, so high that it is drawn in red
COLOURS = np.full((6, 8, 3), 90, "u1")
TRACK = {"id": 7, "x": 20, "y": 10, "vx": 1, "vy": 0, "length": 8, "breadth": 3, "angle": 90}
AT = """
const canvas = document.getElementById("map");
const ratio = canvas.width / canvas.clientWidth;
const camera = probe.plan.camera;
const [u, v] = [camera.column(given[0]) * ratio, camera.row(given[1]) * ratio].map(Math.round);
return [...canvas.getContext("2d").getImageData(u, v, 1, 1).data.slice(0, 3)];
"""
PINK_NEAR = """
const canvas = document.getElementById("map");
const ratio = canvas.width / canvas.clientWidth;
const camera = probe.plan.camera;
const [u, v] = [camera.column(given[0]) * ratio, camera.row(given[1]) * ratio].map(Math.round);
const { data } = canvas.getContext("2d").getImageData(u - 2, v - 2, 5, 5);
for (let i = 0; i < data.length; i += 4) {
  if (data[i] > 180 && data[i + 1] < 140 && data[i + 2] > 110) return true;
}
return false;
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log of a vessel that goes east, and what its sensors measured in second 10."""
    message = {"time": 10.0, "tracks": [{**TRACK, "moving": True, "seen": 10.0}]}
    text = json.dumps(message, separators=(",", ":"))
    folder = write_log(tmp_path / "log", [*straight(20.0), (10.0, "TRACKS", text)])
    recording = Recording(folder / "abe.mcap", "zstd", 10**7)
    at = round(read_logs(folder).epoch * NANO) + 10 * NANO
    pose = (0.0, 10.0, -2.0, 0.0, 0.0, np.pi / 2)
    recording.write("LIDAR_TOP", pack(Measurement(10.0, "TOP", POINTS, pose, FIELDS)), at)
    recording.write("RGB_BOW", pack(Measurement(10.0, "BOW", COLOURS, pose)), at)
    recording.close()
    return folder


def test_a_cloud_is_drawn_on_the_plan_and_an_image_in_the_panel(
    page: Page, viewer: Viewer, log: Path
) -> None:
    page.open(viewer(log))
    page.seek(10.5)
    page.run("await probe.open('senses');")
    page.until("document.querySelector('#panel').textContent.includes('1 returns')")
    page.until("document.querySelector('#panel img.sense')?.naturalWidth === 8")
    assert page.see("document.querySelector('#panel img.sense').alt") == "rgb image of RGB_BOW"
    assert "1 tracks, 1 of them move" in page.words("#panel")
    page.run("probe.plan.look_at(20, 0, 6);")
    page.drawn()
    red, green, blue = page.run(AT, 40.0, 0.0)
    assert red > 150 > max(green, blue)
    for box in page.driver.find_elements("css selector", "#panel input[type=checkbox]"):
        box.click()
    page.drawn()
    assert page.run(AT, 40.0, 0.0) != [red, green, blue]
    page.until("document.querySelector('#panel img.sense').hidden")


def test_a_track_is_a_box_with_its_way_ahead(page: Page, viewer: Viewer, log: Path) -> None:
    page.open(viewer(log))
    page.seek(10.5)
    page.run("await probe.open('senses');")
    page.until("document.querySelector('#panel').textContent.includes('1 tracks')")
    page.drawn()
    for x, y in ((18.0, 11.5), (22.0, 8.5), (16.0, 9.0), (24.0, 11.0)):  # 8 m east, 3 m north
        assert page.run(PINK_NEAR, x, y), (x, y)
    assert page.run(PINK_NEAR, 28.0, 10.0)  # 1 m/s to the east, ten seconds ahead
    assert not page.run(PINK_NEAR, 32.0, 10.0)
    assert not page.run(PINK_NEAR, 18.0, 14.0)


def test_a_run_without_such_sensors_reports_it(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(20.0))))
    page.run("await probe.open('senses');")
    page.until("document.querySelector('#panel').textContent.includes('There are no measurements')")
