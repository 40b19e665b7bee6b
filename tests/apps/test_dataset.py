"""Datasets: files written for measurements, and their agreement with the measurements."""

from __future__ import annotations

import gc
import json
import sys
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from looking import chances, device, view_into

from steerageway.apps.logs.dataset.coco import FAINT, Labels, Limits, Sight, contrast, run_lengths
from steerageway.apps.logs.dataset.command import main
from steerageway.apps.logs.dataset.export import Export
from steerageway.apps.logs.dataset.kitti import depth_image
from steerageway.apps.logs.logger.app import Logger
from steerageway.apps.logs.mcap_logger.app import McapLogger
from steerageway.apps.shared.foxglove import POSES
from steerageway.apps.shared.mcap_frames import Frame
from steerageway.apps.shared.mcap_topics import McapTopics, messages_in
from steerageway.apps.shared.measurements import Kind
from steerageway.vessel.perception.files import read_png
from steerageway.vessel.perception.measurement import (
    Box,
    Cuboid,
    Measurement,
    Visibility,
    pack,
)
from steerageway.world.rays.forms import Solid
from steerageway.world.scene.model import MATERIALS, Item, Light, Scene

FIELDS = ("x", "y", "z", "intensity", "ring")
CLOUD = np.array([[1, 2, 3, 0.5, 0], [4, -5, 6, 0.2, 2]], "<f4")
NONE = np.zeros((30, 30), bool)
INFO = {
    "width": 8,
    "height": 6,
    "distortion_model": "plumb_bob",
    "d": [0.1, 0, 0, 0, 0],
    "k": [9.0, 0, 3.5, 0, 9, 2.5, 0, 0, 1],
    "r": [1.0, 0, 0, 0, 1, 0, 0, 0, 1],
    "p": [9.0, 0, 3.5, 0, 0, 9, 2.5, 0, 0, 0, 1, 0],
}
NAMES = ("nothing", "buoy", "vessel", "bottom", "sea")
BOX = Box("buoy", 7, 1, 2, 3, 3)
CUBOID = Cuboid("buoy", 7, 6, 12.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
SHARES = (Visibility(7, 0.25, None), Visibility(9, 0.0, 0.5))


def camera(time: float) -> dict[str, bytes | str]:
    """Return the measurements of a camera that moves north at 2 m/s and looks east."""
    pose = (2.0 * time, 5.0, -1.0, 0.0, 0.0, np.pi / 2)
    classes, instances = np.zeros((6, 8), "<u2"), np.zeros((6, 8), "<u2")
    classes[2:4, 1:4], instances[2:4, 1:4] = 1, 7
    classes[5, 5:], instances[5, 5:] = 2, 9
    classes[5, :2], instances[5, :2] = 3, 1
    classes[4], instances[4] = 4, 12
    colours = np.full((6, 8, 3), 128, "u1")
    depth = np.full((6, 8), 12.5, "<f4")
    return {
        "RGB_BOW": pack(Measurement(time, "BOW", colours, pose)),
        "DEPTH_BOW": pack(Measurement(time, "BOW", depth, pose)),
        "SEMANTIC_BOW": pack(Measurement(time, "BOW", classes, pose, (), NAMES)),
        "INSTANCE_BOW": pack(
            Measurement(time, "BOW", instances, pose, (), (), [BOX], [CUBOID], visibility=SHARES)
        ),
        "CAMERA_INFO_BOW": json.dumps(INFO),
        "LIDAR_TOP": pack(Measurement(time, "TOP", CLOUD, pose, FIELDS)),
    }


@pytest.fixture
def run(drive: Callable, tmp_path: Path) -> Path:
    """Return the folder of a run of three instants."""
    driven = drive(McapLogger, "", log_folder=tmp_path / "run", epoch=1000.0)
    for k in range(3):
        driven.tick(0.5 + k, camera(0.5 + k))
    driven.stop(3.0)
    return tmp_path / "run"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, except the one that names its source."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "dataset.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def calibration_of(folder: Path) -> dict[str, list[float]]:
    """Return the rows of a camera's calibration file."""
    lines = (folder / "calibration" / "BOW.txt").read_text().splitlines()
    rows = [line.split() for line in lines]
    return {key: [float(number) for number in numbers] for key, *numbers in rows}


def test_boxes_in_space_are_those_of_kitti_and_nuscenes(drive: Callable, tmp_path: Path) -> None:
    """A vessel heads south, 10 m east of a camera that looks east, 1 m below and 2 m south."""
    east = (100.0, 20.0, -3.0, 0.0, 0.0, np.pi / 2)
    # In the axes of the camera: ahead 10, starboard (south) 2, down 1; its bow to starboard.
    one = Cuboid("work boat", 3, 4, 10.0, 2.0, 1.0, 6.0, 2.0, 1.5, 0.0, 0.0, np.pi / 2)
    points = np.array([[9, 2, 1, 0.5, 0, 2, 3], [30, 0, 3, 0.1, 1, 4, 5]], "<f4")
    mask = np.zeros((6, 8), "<u2")
    fields, box = (*FIELDS, "class", "instance"), Box("work boat", 3, 1, 2, 3, 4)
    driven = drive(McapLogger, "", log_folder=tmp_path / "run", epoch=1000.0)
    for time, seen in ((0.5, ()), (1.0, [Visibility(3, 0.6, 0.125)])):
        cloud = Measurement(time, "TOP", points[:, :7], east, fields, NAMES, (), [one])
        driven.tick(
            time,
            {
                "LIDAR_TOP": pack(cloud),
                "INSTANCE_BOW": pack(
                    Measurement(time, "BOW", mask, east, (), (), [box], [one], visibility=seen)
                ),
            },
        )
    driven.stop(3.0)
    assert main([str(tmp_path / "run"), "-o", str(tmp_path / "set")]) == 0
    folder = tmp_path / "set"
    words = np.frombuffer((folder / "labels/TOP/000001.label").read_bytes(), "<u4")
    assert (words & 0xFFFF).tolist() == [2, 4]
    assert words[0] >> 16 == 3
    name, *numbers = (folder / "label_2/BOW/000000.txt").read_text().split()
    assert name == "work_boat"
    assert numbers[:2] == ["-1", "3"]
    # at the second instant it is largely hidden, and an eighth of it outside of the image
    assert (folder / "label_2/BOW/000001.txt").read_text().split()[1:3] == ["0.12", "2"]
    # KITTI: alpha, box in the image, height width length, bottom centre right down ahead, and the
    # turn about the axis down: 0 if the bow points to the right, as here.
    alpha = -np.arctan2(2.0, 10.0)
    expected = [alpha, 1, 2, 3, 4, 1.5, 2.0, 6.0, 2.0, 1.75, 10.0, 0.0]
    assert list(map(float, numbers[2:])) == pytest.approx(expected, abs=1e-4)
    table = {
        name: json.loads((folder / f"nuscenes/{name}.json").read_text())
        for name in ("category", "instance", "sample", "sample_annotation")
    }
    first, second = table["sample_annotation"]
    # ENU: 10 m east of (20, 98), 3 - 1 m up; its bow points south: a turn of -90 degrees.
    assert first["translation"] == pytest.approx([30.0, 98.0, 2.0])
    assert first["size"] == [2.0, 6.0, 1.5]
    half = np.sqrt(0.5)
    assert np.abs(np.dot(first["rotation"], [half, 0, 0, -half])) == pytest.approx(1.0)
    assert (first["next"], second["prev"]) == (second["token"], first["token"])
    assert first["num_lidar_pts"] == 4
    (instance,) = table["instance"]
    assert (instance["nbr_annotations"], instance["category_token"]) == (2, "work boat")
    assert [row["timestamp"] for row in table["sample"]] == [1000500000, 1001000000]


def test_labels_are_the_boxes_of_the_masks(run: Path, tmp_path: Path) -> None:
    assert main([str(run), "-o", str(tmp_path / "set")]) == 0
    coco = json.loads((tmp_path / "set" / "annotations.json").read_text())
    assert [row["name"] for row in coco["categories"]] == ["buoy", "vessel"]
    assert [row["file_name"] for row in coco["images"]][2] == "images/BOW/000002.png"
    assert len(coco["annotations"]) == 6
    buoy, vessel = coco["annotations"][:2]
    assert (buoy["bbox"], buoy["area"], buoy["category_id"]) == ([1, 2, 3, 2], 6, 1)
    assert (vessel["bbox"], vessel["area"], vessel["instance_id"]) == ([5, 5, 3, 1], 3, 9)
    masks = {7: np.zeros((6, 8), bool), 9: np.zeros((6, 8), bool)}
    masks[7][2:4, 1:4] = masks[9][5, 5:] = True
    for one in (buoy, vessel):  # as pycocotools reads them: run lengths, column by column
        rows, columns = one["segmentation"]["size"]
        counts = one["segmentation"]["counts"]
        flat = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
        assert (masks[one["instance_id"]] == flat.reshape(columns, rows).T).all()
    corner = np.array([[True, False], [True, True]])
    assert run_lengths(corner) == {"size": [2, 2], "counts": [0, 2, 1, 1]}


def encoded(linear: float) -> int:
    """Return a linear value as sRGB's byte (IEC 61966-2-1)."""
    return round(255.0 * (1.055 * linear ** (1 / 2.4) - 0.055))


def test_the_contrast_of_an_object_falls_with_range_in_fog_as_koschmieder_says() -> None:
    """L = L0 exp(-3 R / V) + Lh (1 - exp(-3 R / V)): a dark hull before the horizon's light."""
    shown = np.zeros((30, 30), bool)
    shown[10:20, 8:22] = True
    fog, hull, visibility = 0.6, 0.05, 100.0
    found = []
    for away in (1e-9, 50.0, 100.0, 200.0):
        through = np.exp(-3.0 * away / visibility)
        image = np.full((30, 30, 3), encoded(fog), "u1")
        image[shown] = encoded(hull * through + fog * (1.0 - through))
        found.append(contrast(image, shown, NONE))
    assert found[0] == pytest.approx((encoded(fog) - encoded(hull)) / 255)
    # where it is small, the bytes are as linear light: the slope of sRGB at the horizon's light
    slope = 1.055 / 2.4 * fog ** (1 / 2.4 - 1.0)
    for value, away in zip(found[2:], (100.0, 200.0), strict=True):
        expected = slope * (fog - hull) * np.exp(-3.0 * away / visibility)
        assert value == pytest.approx(expected, abs=0.5 / 255)
    assert found[2] < 0.02 < found[1]  # faint from the visibility on
    assert contrast(np.full((30, 30, 3), 2, "u1"), shown, NONE) == 0.0  # darkness


def test_an_object_between_a_light_sky_and_dark_water_has_a_contrast_to_both() -> None:
    """Its grey is the mean of theirs, 200 and 40: 80 levels from each, and none from their mean."""
    image, shown = np.full((24, 20, 3), 200, "u1"), np.zeros((24, 20), bool)
    image[12:] = 40
    shown[8:16, 5:15] = True
    image[shown] = 120
    nothing = np.zeros_like(shown)
    assert contrast(image, shown, nothing) == pytest.approx(80 / 255, abs=25 / 255)
    assert contrast(image, np.ones_like(shown), nothing) is None  # nothing surrounds it


def test_the_edge_of_a_nearer_object_is_no_contrast_of_the_one_behind() -> None:
    """A hull that fog hides, level with the sky, ends at a dark one 10 m away."""
    instances = np.zeros((24, 30), "u2")
    instances[8:16, 5:20], instances[6:18, 15:25] = 1, 2
    colours = np.full((24, 30, 3), 200, "u1")
    colours[instances == 2] = 50
    depths = np.where(instances == 2, 10.0, np.where(instances == 1, 90.0, np.inf))
    labels = Labels(frozenset({"nothing"}), Limits(contrast=FAINT))
    sight = Sight(instances, np.minimum(instances, 1), colours, depths)
    assert labels.annotate(1, sight, ("nothing", "vessel")) == {2}


@pytest.mark.slow
def test_the_contrast_of_a_label_in_fog_falls_with_range_as_beer_and_lambert_say(
    drive: Callable, tmp_path: Path
) -> None:
    """A camera sees dark boxes before the horizon's light: exp(-3 R / V), in linear light."""
    fog, ranges = 120.0, (20.0, 60.0, 100.0)
    boxes = [
        Item(f"{away}", "buoy", MATERIALS["black"], Solid.box(0.01, 0.2 * away, 0.2 * away),
             np.array([away, (k - 1) * 0.35 * away, -2.0 - 0.2 * away]))
        for k, away in enumerate(ranges)
    ]  # fmt: skip
    view = view_into(Scene(items=boxes, light=Light(visibility=fog)))
    camera = device(
        "sensor_type=Camera, sensor_name=BOW, outputs=rgb:semantic:instance, width=160, height=120"
    )
    driven = drive(McapLogger, "", log_folder=tmp_path / "run", epoch=1000.0)
    measured = {name: pack(one) for name, one in camera.sense(view, chances())}
    driven.tick(0.5, measured | camera.constants())
    driven.stop(3.0)
    assert main([str(tmp_path / "run"), "-o", str(tmp_path / "set")]) == 0
    rows = json.loads((tmp_path / "set" / "annotations.json").read_text())["annotations"]

    def linear(byte: float) -> float:
        return ((byte / 255.0 + 0.055) / 1.055) ** 2.4  # IEC 61966-2-1

    horizon = max(Light().horizon)
    levels = [linear(encoded(horizon) - 255.0 * row["contrast"]) for row in rows]
    found = np.log([(horizon - level) / horizon for level in levels])
    away = [float(np.linalg.norm(box.position - view.position)) for box in boxes]
    assert np.diff(found) == pytest.approx(-3.0 / fog * np.diff(away), abs=0.08)  # one of 10 levels


def test_boxes_say_what_is_cut_and_hidden_and_faint_ones_may_be_left_out(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def labelled(name: str, *options: str) -> list[dict[str, object]]:
        assert main([str(run), "-o", str(tmp_path / name), *options]) == 0
        return json.loads((tmp_path / name / "annotations.json").read_text())["annotations"]

    buoy, vessel, *_ = labelled("all")  # the image of the run is grey all over
    assert (buoy["truncated"], vessel["truncated"]) == (False, True)
    assert (buoy["occlusion"], vessel["occlusion"]) == (0.25, 0.0)
    assert ("truncation" in buoy, vessel["truncation"]) == (False, 0.5)
    assert buoy["contrast"] == 0.0
    assert "6 boxes have a contrast below 0.02" in capsys.readouterr().err
    assert {row["area"] for row in labelled("large", "--least-area", "4")} == {6}
    assert labelled("seen", "--least-contrast", "0.02") == []
    assert {row["instance_id"] for row in labelled("free", "--most-occlusion", "0.2")} == {9}
    lines = [(tmp_path / name / "label_2/BOW/000002.txt").read_text() for name in ("all", "free")]
    assert (lines[0].split()[0], lines[1]) == ("buoy", "")
    assert {row["instance_id"] for row in labelled("whole", "--most-truncation", "0.4")} == {7}
    with pytest.raises(SystemExit):
        main([str(run), "-o", str(tmp_path / "no"), "--least-contrast", "2"])
    assert "expected a number" in capsys.readouterr().err


@pytest.mark.slow
def test_only_the_latest_masks_without_an_image_are_kept(tmp_path: Path) -> None:
    export, held = Export(tmp_path, "pcd"), []
    for k in range(5):
        for kind in (Kind.SEMANTIC, Kind.INSTANCE):
            one = Measurement(float(k), "BOW", np.zeros((6, 8), "<u2"), (0.0,) * 6)
            held.append(weakref.ref(one.data))
            export.take(Frame(f"{kind.value}BOW", kind, k, one, {}))
    del one
    gc.collect()
    assert [reference() is not None for reference in held] == [False] * 8 + [True] * 2


def test_poses_are_those_of_the_camera_against_its_first(run: Path, tmp_path: Path) -> None:
    """The camera looks east and moves north: to port, which is -x of its optical frame."""
    main([str(run), "-o", str(tmp_path / "set")])
    poses = np.loadtxt(tmp_path / "set" / "poses" / "BOW.txt").reshape(-1, 3, 4)
    assert poses[:, :, :3] == pytest.approx(np.broadcast_to(np.eye(3), (3, 3, 3)), abs=1e-9)
    assert poses[:, :, 3] == pytest.approx(np.array([[0, 0, 0], [-2, 0, 0], [-4, 0, 0]]), abs=1e-9)
    times = (tmp_path / "set" / "times" / "BOW.txt").read_text().split()
    assert times[0] == "1000.500000000"


def test_images_and_depths_are_unchanged(run: Path, tmp_path: Path) -> None:
    main([str(run), "-o", str(tmp_path / "set")])
    folder = tmp_path / "set"
    assert (read_png((folder / "images/BOW/000001.png").read_bytes()) == 128).all()
    assert (read_png((folder / "depth/BOW/000001.png").read_bytes()) == 12.5 * 256).all()
    assert json.loads((folder / "calibration/BOW.json").read_text())["K"] == INFO["k"]
    rows = calibration_of(folder)
    assert list(rows) == ["P0:", "P1:", "P2:", "P3:", "R0_rect:", "Tr_velo_to_cam:"]
    assert rows["P2:"] == INFO["p"]
    # Camera and LiDAR are at one place: x right, y down, z ahead of x ahead, y left, z up.
    turn = np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0]])
    assert rows["Tr_velo_to_cam:"] == pytest.approx(turn.ravel().tolist(), abs=1e-9)
    assert (folder / "clouds/TOP/000001.pcd").read_bytes().startswith(b"# .PCD v0.7")


def test_the_dataset_of_a_log_is_that_of_the_mcap_file(
    run: Path, drive: Callable, tmp_path: Path
) -> None:
    log = drive(Logger, "WildCardLogging = true", log_folder=tmp_path / "log", epoch=1000.0)
    for k in range(3):
        log.tick(0.5 + k, camera(0.5 + k))
    log.stop(3.0)
    (alog,) = (tmp_path / "log").rglob("*.alog")
    for source, name in ((run, "one"), (alog, "other")):
        assert main([str(source), "-o", str(tmp_path / name)]) == 0
    one, other = (contents(tmp_path / name) for name in ("one", "other"))
    assert len(one) > 15
    assert other == one


def test_clouds_may_be_kittis(run: Path, tmp_path: Path) -> None:
    main([str(run), "-o", str(tmp_path / "set"), "--clouds", "bin"])
    data = (tmp_path / "set" / "clouds" / "TOP" / "000000.bin").read_bytes()
    expected = CLOUD[:, :4] * (1, -1, -1, 1)
    assert np.frombuffer(data, "<f4").reshape(-1, 4) == pytest.approx(expected)


def test_depths_that_do_not_fit_are_left_out() -> None:
    assert depth_image(np.array([[np.nan, 0.0, 1.0, 300.0]])).tolist() == [[0, 0, 256, 0]]


def test_a_folder_that_is_not_empty_is_unchanged(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("")
    assert main([str(run), "-o", str(tmp_path)]) == 2
    assert "expected a new or empty folder" in capsys.readouterr().err


def test_an_mcap_file_without_the_mcap_package_names_the_package(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcap"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcap", None)
    assert main([str(run), "-o", str(tmp_path / "set")]) == 2
    expected = "expected mcap to read it: pip install 'steerageway[mcap]'"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("topic", "member", "value"),
    [
        (POSES, "translation", {"x": float("nan"), "y": 0.0, "z": 0.0}),
        (POSES, "rotation", dict.fromkeys("wxyz", 0.0)),
        ("/INSTANCE_BOW", "cuboids", [[float("nan")] * len(CUBOID)]),
        ("/SEMANTIC_BOW", "classes", [["a"]]),
        ("/CAMERA_INFO_BOW", "P", True),
        ("/CAMERA_INFO_BOW", "D", [float("inf")]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_measurement_that_is_damaged_in_an_mcap_file_is_refused(
    run: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    topic: str,
    member: str,
    value: object,
) -> None:
    (whole,) = run.rglob("*.mcap")
    damaged = tmp_path / "damaged.mcap"
    with whole.open("rb") as old, damaged.open("wb") as new:
        topics = McapTopics(new, "none")
        for schema, channel, message in messages_in(old):
            assert schema is not None
            content = json.loads(message.data)
            if channel.topic == topic:
                assert member in content
                content[member] = value
            data = json.dumps(content).encode()
            topics.add(channel.topic, schema.name, schema.data, data, message.log_time)
        topics.close()
    assert main([str(damaged), "-o", str(tmp_path / "set")]) == 2
    assert capsys.readouterr().err.startswith("python -m apps.dataset: ")


def test_a_run_without_measurements_is_reported(
    drive: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drive(McapLogger, "", log_folder=tmp_path / "run").stop(1.0)
    assert main([str(tmp_path / "run"), "-o", str(tmp_path / "set")]) == 2
    assert "expected clouds or images in it, found none" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()
