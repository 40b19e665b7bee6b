"""missions/dataset: labels, poses and clouds of a run agree with each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.apps.logs.dataset.command import main as export
from steerageway.launcher.command import main as launch
from steerageway.moos.alog import read_entries
from steerageway.moos.values import by_key
from steerageway.vessel.perception.files import read_png
from steerageway.world.rotation import rotation

pytest.importorskip("embreex")
MISSION = Path(__file__).parents[2] / "missions" / "dataset"
SECONDS, RATE = 14, 2
NOBODYS = {"sea", "bottom"}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run and its dataset, made by the command of the mission's README."""
    folder = tmp_path_factory.mktemp("dataset")
    run = ["--warp", "max", "--for", str(SECONDS), "--log", str(folder / "run")]
    assert launch([str(MISSION), *run, "--placement", "one"]) == 0
    assert export([str(folder / "run"), "-o", str(folder / "set")]) == 0
    return folder


@pytest.fixture(scope="module")
def coco(made: Path) -> Any:
    """Return its labels."""
    return json.loads((made / "set" / "annotations.json").read_text())


def files(made: Path, part: str) -> list[Path]:
    return sorted((made / "set" / part).iterdir())


def test_every_instant_has_an_image_its_masks_and_a_cloud(made: Path) -> None:
    sensors = json.loads((made / "set" / "dataset.json").read_text())["sensors"]
    instants = sensors["BOW"]["instants"]
    assert SECONDS * RATE - 2 <= instants <= SECONDS * RATE
    for part in ("images/BOW", "depth/BOW", "semantic/BOW", "instance/BOW"):
        names = [f"{number:06d}.png" for number in range(instants)]
        assert [file.name for file in files(made, part)] == names
    assert len(files(made, "clouds/TOP")) == sensors["TOP"]["instants"] == instants
    for name in ("BOW", "TOP"):
        times = np.loadtxt(made / "set" / "times" / f"{name}.txt")
        np.testing.assert_allclose(np.diff(times), 1.0 / RATE, atol=1e-6)


def test_boxes_are_the_extents_of_the_masks(made: Path, coco: Any) -> None:
    names = {row["id"]: row["name"] for row in coco["categories"]}
    labelled = {names[row["category_id"]] for row in coco["annotations"]}
    assert {"quay", "buoy", "vessel"} <= labelled
    assert not NOBODYS & labelled
    numbers = [row["id"] for row in coco["annotations"]]
    assert numbers == list(range(1, len(numbers) + 1))
    for image in coco["images"][::20]:
        file = Path(image["file_name"]).name
        mask = read_png((made / "set" / "instance" / "BOW" / file).read_bytes())
        classes = read_png((made / "set" / "semantic" / "BOW" / file).read_bytes())
        assert mask.shape == (image["height"], image["width"]) == classes.shape
        seen = 0
        for row in (one for one in coco["annotations"] if one["image_id"] == image["id"]):
            rows, columns = np.nonzero(mask == row["instance_id"])
            u, v = int(columns.min()), int(rows.min())
            size = [int(columns.max()) - u + 1, int(rows.max()) - v + 1]
            assert (row["bbox"], row["area"]) == ([u, v, *size], len(rows))
            assert set(np.unique(classes[rows, columns])) == {row["category_id"]}
            seen += 1
        assert seen > 3


def test_boxes_in_space_are_around_the_points_of_their_objects(made: Path) -> None:
    """Among them is the vessel Cal, under way; numbers of points are those of the labels."""
    folder = made / "set" / "nuscenes"
    table = {path.stem: json.loads(path.read_text()) for path in folder.iterdir()}
    kinds = {row["token"]: row["category_token"] for row in table["instance"]}
    assert {"vessel", "buoy", "quay"} <= set(kinds.values())
    vessels = [
        row for row in table["sample_annotation"] if kinds[row["instance_token"]] == "vessel"
    ]
    moving = [row for row in vessels if row["translation"] != vessels[0]["translation"]]
    sizes = [row["size"] for row in moving if row["size"][:2] == pytest.approx([4.0, 12.0])]
    assert len(sizes) > 10  # Cal's hull in the scene: 12 by 4 m
    number = int(vessels[0]["sample_token"].rpartition("-")[2])
    file = made / "set" / "labels" / "TOP" / f"{number:06d}.label"
    words = np.frombuffer(file.read_bytes(), "<u4")
    instance = int(vessels[0]["instance_token"].rpartition("-")[2])
    assert (words >> 16 == instance).sum() == vessels[0]["num_lidar_pts"] > 0
    labels = [path.read_text() for path in files(made, "label_2/BOW")]
    rows = [line.split() for text in labels for line in text.splitlines()]
    ahead = [float(row[13]) for row in rows if row[0] == "vessel"]
    assert ahead
    assert min(ahead) > 0.0
    calibration = (made / "set" / "calibration" / "BOW.txt").read_text().splitlines()
    shift = [float(word) for word in calibration[-1].split()[1:]][3::4]
    # From the LiDAR to the camera 0.8 m ahead and 0.2 m below it: right, down, ahead.
    assert shift == pytest.approx([0.0, -0.2, -0.8], abs=1e-6)


def test_poses_are_those_of_the_simulator(made: Path) -> None:
    """The camera's motion over ground is the vessel's, apart from the motion of the mast."""
    poses = np.loadtxt(made / "set" / "poses" / "BOW.txt").reshape(-1, 3, 4)
    np.testing.assert_allclose(poses[0], np.eye(4)[:3], atol=1e-9)
    for turn in poses[:, :, :3]:
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-8)
        assert np.linalg.det(turn) == pytest.approx(1.0)
    (log,) = (made / "run").rglob("*.alog")
    ship = [
        [float(value) for key, value in by_key(str(entry.value)).items() if key in ("n", "e")]
        for entry in read_entries(log)
        if entry.name == "SCENE_POSE"
    ]
    gone = float(np.hypot(*(np.array(ship[-1]) - ship[0])))
    assert gone > 12.0
    assert float(np.linalg.norm(poses[-1, :, 3])) == pytest.approx(gone, abs=1.5)


def test_depths_agree_with_the_cloud_of_the_same_instant(made: Path) -> None:
    """LiDAR points transformed into the image have the distances of the depth image."""
    record = json.loads((made / "set" / "dataset.json").read_text())["sensors"]
    info = json.loads((made / "set" / "calibration" / "BOW.json").read_text())
    fx, _, cx, _, fy, cy, *_ = info["K"]
    lidar, camera = (np.array(record[name]["first_pose"]) for name in ("TOP", "BOW"))
    np.testing.assert_allclose(lidar[3:], camera[3:], atol=1e-9)
    data = files(made, "clouds/TOP")[0].read_bytes()
    head, _, rest = data.partition(b"DATA binary\n")
    (fields,) = (line.split() for line in head.split(b"\n") if line.startswith(b"FIELDS"))
    width = len(fields) - 1
    points = np.frombuffer(rest, "<f4").reshape(-1, width)[:, :3].astype(float)
    turned = rotation(*np.degrees(lidar[3:]))
    seen = points + (lidar[:3] - camera[:3]) @ turned
    seen = seen[seen[:, 0] > 2.0]
    u, v = fx * seen[:, 1] / seen[:, 0] + cx, fy * seen[:, 2] / seen[:, 0] + cy
    inside = (u > 0) & (u < info["width"] - 1) & (v > 0) & (v < info["height"] - 1)
    depth = read_png(files(made, "depth/BOW")[0].read_bytes()) / 256.0
    there = depth[np.rint(v[inside]).astype(int), np.rint(u[inside]).astype(int)]
    apart = np.abs(there - seen[inside, 0])
    assert inside.sum() > 30
    assert np.median(apart) < 0.3
