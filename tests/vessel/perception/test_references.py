"""LiDAR, depth camera, sonar and lenses against closed forms that know nothing of this project."""

from __future__ import annotations

import numpy as np
from looking import chances, device, view_of
from ray_scenes import SCENES, columns_of

from steerageway.vessel.perception.camera import Camera
from steerageway.vessel.perception.lidar import Lidar
from steerageway.vessel.perception.optics import OPENCV, UV, Lens
from steerageway.vessel.perception.sonar import Sonar


def test_a_lidars_beams_are_those_of_the_reference_and_its_points_lie_at_their_ranges() -> None:
    exact = "range_rms=0, water=solid, least_reflectance=0, range_max=100"
    lidar = device(f"sensor_type=LiDAR, columns=64, {exact}")
    assert isinstance(lidar, Lidar)
    np.testing.assert_allclose(lidar.elevations, SCENES["lidar"]["elevations_deg"], atol=1e-12)
    reference = columns_of("lidar_16x64.csv")
    rays = (64 * reference["channel"] + reference["column"]).astype(int)
    view = view_of("lidar", "scene_above", wet=True)
    hits, _ = lidar.cast(view)
    np.testing.assert_allclose(hits.ranges[rays], reference["range_with_sea"], atol=1e-7, rtol=0)
    np.testing.assert_array_equal(hits.numbers[rays], reference["object"])
    ((_, cloud),) = lidar.sense(view, chances())
    met = np.isfinite(hits.ranges)
    np.testing.assert_allclose(
        np.linalg.norm(cloud.data[:, :3], axis=1), hits.ranges[met], rtol=1e-6
    )


def test_a_depth_cameras_image_is_depth_along_its_axis() -> None:
    camera = device(
        "sensor_type=DepthCamera, width=64, height=48, fx=60, range_min=0, range_max=100"
    )
    assert isinstance(camera, Camera)
    hits = camera.cast(view_of("depth_camera", "scene_above", wet=True))
    depths = (hits.ranges * camera.axis_shares).reshape(48, 64)
    reference, labels = columns_of("depth_64x48.csv"), columns_of("depth_labels_64x48.csv")
    rows = reference.pop("v").astype(int)
    labels.pop("v")
    np.testing.assert_allclose(
        depths[rows], np.array(list(reference.values())).T, atol=1e-6, rtol=0
    )
    numbers = hits.numbers.reshape(48, 64)[rows]
    np.testing.assert_array_equal(numbers, np.array(list(labels.values())).T)


def test_a_sonars_beams_range_along_their_axes_and_to_the_nearest_in_their_aperture() -> None:
    sonar = device("sensor_type=Sonar, rays=201")
    assert isinstance(sonar, Sonar)
    reference, view = columns_of("sonar_120.csv"), view_of("sonar", "scene_below", wet=False)
    np.testing.assert_allclose(sonar.azimuths, reference["azimuth_deg"], atol=1e-9)
    printed = 5e-7  # the table's last digit
    np.testing.assert_allclose(
        sonar.axis(view), reference["range_axis"], atol=1e-7 + printed, rtol=0
    )
    ranges, elevations = sonar.nearest(view)
    np.testing.assert_allclose(ranges, reference["range_nearest"], atol=1e-3, rtol=0)
    found = np.isfinite(ranges)
    apart = np.abs(elevations - reference["elevation_of_nearest_deg"])[found]
    assert np.median(apart) < 0.02


def test_opencvs_lens_bends_there_and_back() -> None:
    reference = columns_of("distortion_opencv.csv")
    for number, camera in enumerate(SCENES["opencv_cameras"]):
        of_it = reference["camera"] == number
        x, y = reference["x"][of_it], reference["y"][of_it]
        lens = Lens(
            OPENCV, (camera["k1"], camera["k2"], camera["k3"]), (camera["p1"], camera["p2"])
        )
        a, b = lens.distorted(x, y)
        np.testing.assert_allclose(a, reference["x_distorted"][of_it], atol=1e-9)
        np.testing.assert_allclose(b, reference["y_distorted"][of_it], atol=1e-9)
        u = camera["fx"] * a + camera["cx"]
        np.testing.assert_allclose(u, reference["u_pixel"][of_it], atol=1e-6)
        back_x, back_y, there = lens.undistorted(a, b)
        assert there.all()
        np.testing.assert_allclose(np.stack((back_x, back_y)), np.stack((x, y)), atol=1e-11)


def test_the_thesis_lens_reads_its_source() -> None:
    reference = columns_of("distortion_thesis_uv.csv")
    for number, given in enumerate(SCENES["thesis_sets"]):
        of_it = reference["set"] == number
        lens = Lens(UV, (given["K1"], given["K2"], given["K3"]), (given["P1"], given["P2"]))
        s, t, inside = lens.source(reference["u_d"][of_it], reference["v_d"][of_it])
        np.testing.assert_allclose(s, reference["u_rect"][of_it], atol=1e-10)
        np.testing.assert_allclose(t, reference["v_rect"][of_it], atol=1e-10)
        np.testing.assert_array_equal(inside, reference["inside"][of_it] > 0)
