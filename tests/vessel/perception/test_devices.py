"""Measurements of outward-looking sensors: clouds, images, boxes, noise, and invalid lines."""

from __future__ import annotations

import json

import numpy as np
import pytest
from looking import chances, device, view_into

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.perception.lidar import Lidar, spread
from steerageway.vessel.perception.measurement import Box, pack, unpack
from steerageway.vessel.perception.sonar import Sonar
from steerageway.vessel.perception.view import Moving
from steerageway.world import shapes
from steerageway.world.rays.caster import Body, Shape
from steerageway.world.rays.forms import Plane, Solid
from steerageway.world.rotation import rotation
from steerageway.world.scene.model import MATERIALS, Craft, Item, Light, Scene

CALM = Plane(np.zeros(3), np.array([0.0, 0.0, -1.0]))
WALL = Item(
    "wall", "quay", MATERIALS["concrete"], Solid.box(1.0, 400.0, 40.0), np.array([20.5, 0, 0])
)
MESH = shapes.box(1.0, 1.0, 1.0)
BUOY = Item("red", "buoy", MATERIALS["red"], Solid.sphere(1.0), np.array([10.0, 2.0, -2.0]))


def test_beams_are_at_both_edges_and_a_full_circle_has_none_twice() -> None:
    np.testing.assert_allclose(spread(30.0, 4), [-15.0, -5.0, 5.0, 15.0])
    around = spread(360.0, 8)
    assert len(set(np.mod(around, 360.0).tolist())) == 8
    np.testing.assert_allclose(np.diff(around), 45.0)


def test_a_lidar_has_the_documents_defaults() -> None:
    lidar = device("sensor_type=LiDAR")
    assert isinstance(lidar, Lidar)
    assert (len(lidar.azimuths), len(lidar.elevations)) == (500, 16)
    assert (lidar.near, lidar.far, lidar.description()["rate"]) == (0.3, 100.0, 10.0)
    flat = device("sensor_type=LiDAR2D, horizontal_fov=180, columns=181")
    assert isinstance(flat, Lidar)
    np.testing.assert_allclose(flat.elevations, [0.0])
    assert (flat.azimuths[0], flat.azimuths[-1]) == (-90.0, 90.0)


def test_noise_of_a_lidar_has_its_deviation_and_the_truth_is_recorded_too() -> None:
    line = "sensor_type=LiDAR, horizontal_fov=60, vertical_fov=20, range_rms=0.05, truth=true"
    lidar = device(line)
    (name, reported), (true_name, true) = lidar.sense(view_into(Scene(items=[WALL])), chances())
    assert (name, true_name) == ("LIDAR_LIDAR", "LIDAR_LIDAR_TRUTH")
    assert len(reported.data) == len(true.data) == 8000
    apart = np.linalg.norm(reported.data[:, :3], axis=1) - np.linalg.norm(true.data[:, :3], axis=1)
    assert abs(apart.mean()) < 0.002
    assert apart.std() == pytest.approx(0.05, rel=0.03)
    assert set(reported.data[:, 4].astype(int)) == set(range(16))
    np.testing.assert_allclose(true.data[:, 0], 20.0, atol=1e-4)


def test_a_lidars_channels_may_be_given_one_by_one() -> None:
    lidar = device("sensor_type=LiDAR, elevations=-30:-4:1:2.5, columns=4, range_rms=0")
    wall = Item("w", "quay", MATERIALS["concrete"], Solid.cylinder(20.0, 200.0))
    ((_, cloud),) = lidar.sense(view_into(Scene(items=[wall])), chances())
    x, y, z, _, ring = cloud.data.T
    elevations = np.degrees(np.arctan2(-z, np.hypot(x, y)))
    np.testing.assert_allclose(
        elevations, np.array([-30.0, -4.0, 1.0, 2.5])[ring.astype(int)], atol=1e-4
    )


def test_ranges_are_multiples_of_the_resolution_and_rays_are_lost() -> None:
    line = "sensor_type=LiDAR, range_resolution=0.25, ray_dropout=0.2, truth=true"
    wall = Item("w", "quay", MATERIALS["white"], Solid.cylinder(20.0, 200.0))
    measured, true = device(line).sense(view_into(Scene(items=[wall])), chances())
    ranges = np.linalg.norm(measured.measurement.data[:, :3].astype(float), axis=1)
    np.testing.assert_allclose(ranges, 0.25 * np.rint(ranges / 0.25), atol=1e-5)
    assert len(true.measurement.data) == 8000
    deviation = (0.2 * 0.8 / 8000) ** 0.5
    assert len(ranges) / 8000 == pytest.approx(0.8, abs=4 * deviation)


def test_points_have_class_and_instance_and_objects_their_oriented_boxes() -> None:
    """A barge, 6 by 3 by 2 m, lies 12 m ahead and 30 degrees to starboard; the quay behind it."""
    turn = rotation(0.0, 0.0, 30.0)
    hull = Shape(shapes.box(6.0, 3.0, 2.0))
    place = np.array([12.0, 1.0, -2.0])
    barge = Moving(Body(1, hull, place, turn))
    scene = Scene(items=[WALL], craft=[Craft("ben", "vessel", MATERIALS["steel"], MESH)])
    view = view_into(scene, moving=[barge], surface=CALM, position=(2.0, -1.0, -3.0))
    line = "vertical_fov=40, horizontal_fov=90, range_rms=0, labels=true, water=solid"
    ((_, cloud),) = device(f"sensor_type=LiDAR, {line}").sense(view, chances())
    again = unpack(pack(cloud))
    assert again.fields[-2:] == ("class", "instance")
    kinds, instances = again.data[:, -2].astype(int), again.data[:, -1].astype(int)
    named = {(again.classes[k], i) for k, i in zip(kinds.tolist(), instances.tolist(), strict=True)}
    assert named == {("quay", 1), ("vessel", 2), ("sea", 3)}
    box = {one.kind: one for one in again.cuboids}
    assert set(box) == {"quay", "vessel"}  # the water has no box
    vessel = box["vessel"]
    assert vessel.rays == (instances == 2).sum() > 50
    assert vessel[3:] == pytest.approx((10.0, 2.0, 1.0, 6.0, 3.0, 2.0, 0.0, 0.0, np.pi / 6))
    # The points of the vessel lie on the faces of its box.
    own = (again.data[instances == 2, :3] - (10.0, 2.0, 1.0)) @ turn / (3.0, 1.5, 1.0)
    np.testing.assert_allclose(np.abs(own).max(axis=1), 1.0, atol=1e-5)
    with pytest.raises(InvalidValue, match=r"labels.*instance among its outputs"):
        device("sensor_type=Camera, labels=true")


def test_calm_water_reflects_a_lidar_only_straight_down_and_fog_hides_distant_points() -> None:
    view = view_into(Scene(), surface=CALM)
    line = "sensor_type=LiDAR, vertical_fov=180, channels=91, columns=36, range_rms=0"
    ((_, mirror),) = device(line).sense(view, chances())
    steepest = np.degrees(np.arccos(mirror.data[:, 2] / np.linalg.norm(mirror.data[:, :3], axis=1)))
    assert len(mirror.data) > 0
    assert steepest.max() <= 20.001
    ((_, solid),) = device(f"{line}, water=solid").sense(view, chances())
    ((_, dry),) = device(f"{line}, water=none").sense(view, chances())
    assert len(solid.data) > len(mirror.data) > len(dry.data) == 0
    clear, fog = (
        device("sensor_type=LiDAR, least_reflectance=0.1")
        .sense(view_into(Scene(items=[WALL], light=light)), chances())[0]
        .measurement.data
        for light in (Light(), Light(visibility=30.0))
    )
    assert len(fog) < len(clear)
    assert fog[:, 3].max() < clear[:, 3].max()


def test_rays_at_their_own_times_see_a_turning_sensors_walls_where_they_are() -> None:
    walls = [
        Item(
            "n",
            "quay",
            MATERIALS["concrete"],
            Plane(np.array([30.0, 0, 0]), np.array([-1.0, 0, 0])),
        )
    ]
    view = view_into(Scene(items=walls), velocity=(8.0, 0.0, 0.0), rate=(0.0, 0.0, 0.5))
    lidar = device("sensor_type=LiDAR2D, own_times=true, range_rms=0")
    ((_, cloud),) = lidar.sense(view, chances())
    x, y, t = cloud.data[:, 0], cloud.data[:, 1], cloud.data[:, 5]
    assert t.min() >= -0.1 - 1e-7
    assert t.max() < 0.0
    turned = 0.5 * t.astype(np.float64)
    north = 8.0 * t + np.cos(turned) * x - np.sin(turned) * y
    np.testing.assert_allclose(north, 30.0, atol=1e-3)


def test_a_moving_body_is_seen_where_it_is_in_the_middle_of_each_slice() -> None:
    hull = Shape(shapes.box(2.0, 40.0, 10.0))
    body = Moving(Body(0, hull, np.array([20.0, 0.0, 0.0]), np.eye(3)), np.array([-10.0, 0.0, 0.0]))
    lidar = device("sensor_type=LiDAR2D, own_times=true, range_rms=0, horizontal_fov=60")
    ((_, cloud),) = lidar.sense(view_into(Scene(items=[BUOY]), moving=[body]), chances())
    far = cloud.data[cloud.data[:, 0] > 12.0]
    np.testing.assert_allclose(far[:, 0] + 10.0 * far[:, 5], 19.0, atol=10.0 * 0.1 / 16)
    assert np.ptp(far[:, 0]) > 0.5


def test_one_output_of_a_camera_needs_no_list() -> None:
    assert device("sensor_type=Camera, outputs=depth").variables() == ["DEPTH_CAMERA"]


def test_a_camera_labels_classes_instances_and_boxes() -> None:
    line = "sensor_type=Camera, outputs=rgb:depth:semantic:instance:coloured, width=64, height=48"
    camera = device(f"{line}, horizontal_fov=60")
    outputs = dict(camera.sense(view_into(Scene(items=[WALL, BUOY]), surface=CALM), chances()))
    assert list(outputs) == camera.variables()
    semantic, instance = outputs["SEMANTIC_CAMERA"], outputs["INSTANCE_CAMERA"]
    names = np.array(semantic.classes)[semantic.data]
    assert set(names.ravel()) == {"quay", "buoy", "sea"}
    np.testing.assert_array_equal(instance.data == 2, names == "buoy")
    rows, columns = np.nonzero(instance.data == 2)
    ends = (columns.min(), rows.min(), columns.max(), rows.max())
    assert Box("buoy", 2, *map(int, ends)) in semantic.boxes
    assert [box.kind for box in semantic.boxes] == ["quay", "buoy"]
    depth, rgb = outputs["DEPTH_CAMERA"].data, outputs["RGB_CAMERA"].data
    np.testing.assert_allclose(depth[names == "quay"], 20.0, atol=1e-4)
    red = rgb[rows, columns].astype(int)
    assert (red[:, 0] > red[:, 1] + 30).all()
    cloud = outputs["COLOURED_CAMERA"]
    assert cloud.fields == ("x", "y", "z", "r", "g", "b")
    assert len(cloud.data) == np.isfinite(depth).sum()
    for measurement in outputs.values():
        assert unpack(pack(measurement)).data.dtype == measurement.data.dtype


def test_camera_info_is_ross_and_thinning_keeps_the_view() -> None:
    line = "sensor_type=DepthCamera, width=640, height=480, fx=500, distortion=opencv"
    camera = device(f"{line}, distortion_k=-0.2:0.05:0.01, distortion_p=0.001:0.002, thin=4")
    (text,) = camera.constants().values()
    info = json.loads(text)
    assert (info["width"], info["height"], info["distortion_model"]) == (160, 120, "plumb_bob")
    assert info["d"] == [-0.2, 0.05, 0.001, 0.002, 0.01]
    assert info["k"][0] == 125.0
    ((_, image),) = camera.sense(view_into(Scene(items=[WALL])), chances())
    assert image.data.shape == (120, 160)


def test_the_documents_lens_is_black_beyond_its_source_and_opencvs_curves_a_line() -> None:
    line = "sensor_type=Camera, width=80, height=60, outputs=rgb:depth"
    plain = dict(device(line).sense(view_into(Scene(items=[WALL])), chances()))
    lens = dict(
        device(f"{line}, distortion=uv, distortion_k=0.5:0:0").sense(
            view_into(Scene(items=[WALL])), chances()
        )
    )
    assert np.isfinite(plain["DEPTH_CAMERA"].data).all()
    corner = lens["DEPTH_CAMERA"].data[0, 0], lens["RGB_CAMERA"].data[0, 0]
    assert np.isnan(corner[0])
    assert corner[1].tolist() == [0, 0, 0]
    assert np.isfinite(lens["DEPTH_CAMERA"].data[30, 40])


def test_a_cameras_noise_multiplies_within_its_bounds() -> None:
    line = "sensor_type=DepthCamera, noise_gain=1, noise_bounds=0.9:1.1, truth=true"
    measured, true = device(line).sense(view_into(Scene(items=[WALL])), chances())
    factors = measured.measurement.data / true.measurement.data
    assert (factors.min(), factors.max()) == (pytest.approx(0.9), pytest.approx(1.1))
    inside = (factors > 0.9001) & (factors < 1.0999)
    assert inside.mean() == pytest.approx(0.0797, abs=0.005)  # of N(1, 1) within 0.1 of 1


def test_fog_takes_contrast_and_the_sun_gives_it() -> None:
    def colour(light: Light) -> np.ndarray:
        camera = device("sensor_type=Camera, width=8, height=6, horizontal_fov=10")
        view = view_into(Scene(items=[WALL], light=light))
        return camera.sense(view, chances())[0].measurement.data[3, 4].astype(int)

    behind, ahead = colour(Light(azimuth=180.0)), colour(Light(azimuth=0.0))
    assert (behind > ahead).all()
    foggy = colour(Light(azimuth=180.0, visibility=20.0))
    haze = 255.0 * np.array(Light().horizon) ** (1 / 2.2)
    assert np.abs(foggy - haze).max() < np.abs(behind - haze).max()


def test_the_bins_of_a_sonar_hold_the_echoes_at_their_range() -> None:
    sonar = device("sensor_type=Sonar, speckle=false, noise_level=0, horizontal_fov=40, beams=40")
    assert isinstance(sonar, Sonar)
    wall = Item(
        "w", "quay", MATERIALS["rock"], Plane(np.array([20.0, 0, 0]), np.array([-1.0, 0, 0]))
    )
    ((_, image),) = sonar.sense(view_into(Scene(items=[wall])), chances())
    assert image.data.shape == (250, 40)
    loudest = image.data[:, 19].argmax()
    bounds = sonar.near + (sonar.far - sonar.near) / 250 * np.array([loudest, loudest + 1])
    assert bounds[0] <= 20.0 * 1.005
    assert bounds[1] >= 20.0
    assert image.data[:90].max() < image.data[loudest, 19] - 60.0


def test_a_sonars_truth_is_its_image_without_speckle_and_noise() -> None:
    line = "sensor_type=Sonar, beams=40, horizontal_fov=40, echoes=true"
    view = view_into(Scene(items=[WALL]))
    outputs = dict(device(f"{line}, truth=true").sense(view, chances()))
    assert list(outputs) == ["SONAR_FLS", "ECHOES_FLS", "SONAR_FLS_TRUTH"]
    plain = dict(device(f"{line}, speckle=false, noise_level=-300").sense(view, chances()))
    true = outputs["SONAR_FLS_TRUTH"].data
    loud = true > 0.0
    assert loud.sum() > 40
    np.testing.assert_allclose(plain["SONAR_FLS"].data[loud], true[loud], atol=1e-3)
    strength = 10.0 ** (0.1 * (outputs["SONAR_FLS"].data[loud] - true[loud]))
    assert strength.mean() == pytest.approx(1.0, abs=4.0 / loud.sum() ** 0.5)  # exponential


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sensor_type=LiDAR, columns=2.5", "columns = 2.5: expected a whole number"),
        ("sensor_type=Camera, noise_bounds=2:1", "noise_bounds: .*two numbers, ascending"),
        (
            "sensor_type=LiDAR, sensor_topic=a b",
            "sensor_topic: a b: expected .* without blanks",
        ),
        ("sensor_type=LiDAR, horizontal_fov=0", "m.moos:7: horizontal_fov = 0: expected .*above 0"),
        ("sensor_type=Camera, horizontal_fov=0 deg", "horizontal_fov = 0 deg: expected .*above 0"),
        ("sensor_type=Sonar, vertical_aperture=0", "vertical_aperture = 0: expected .*above 0"),
        (
            "sensor_type=LiDAR, range_max=100 kn",
            "range_max = 100 kn: expected one of the units m, km",
        ),
        ("sensor_type=LiDAR, range_max=0.1", "range_max: 0.1 m: expected more than range_min"),
        (
            "sensor_type=LiDAR, columns=100000, channels=4096",
            "columns: a measurement of .*thin = N keeps",
        ),
        ("sensor_type=Camera, width=10000, height=10000", "width: a measurement .*thin = N keeps"),
        ("sensor_type=Camera, outputs=rgb:heat", "outputs: heat: expected some of rgb, depth"),
        ("sensor_type=Camera, fx=100, horizontal_fov=60", "horizontal_fov: 60: expected it or fx"),
        ("sensor_type=Camera, noise_gain=2", "noise_gain: 2: expected noise_bounds beside it"),
        (
            "sensor_type=Sonar, frequency=100",
            "frequency = 100: expected a number from 50000 to 900000",
        ),
        ("sensor_type=Lidar", "sensor_type: Lidar: expected LiDAR, the nearest"),
        ("sensor_type=LiDAR, chanels=16", "chanels: unknown key; did you mean channels"),
    ],
)
def test_an_invalid_line_is_reported_by_its_key(line: str, expected: str) -> None:
    with pytest.raises(InvalidValue, match=expected):
        device(line)
