"""Poses, calibration, labels, depth images and point clouds in KITTI's formats.

Source: A. Geiger et al. (2013), Vision meets robotics: the KITTI dataset, and its development kits
of odometry (poses), depth completion (depth images) and object detection (labels, calibration);
J. Behley et al. (2019), SemanticKITTI (labels of points).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, pi

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.foxglove import OPTICAL
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.perception.measurement import Box, Cuboid, Visibility

Floats = NDArray[np.float64]
DEPTH_SCALE = 256.0  # values of a depth image per metre
MAX_DEPTH = 65535 / DEPTH_SCALE
UNKNOWN = "-1 3"  # KITTI's numbers for a truncation and an occlusion that are not known
PARTLY, LARGELY = 0.05, 0.5  # occlusion from which on KITTI's number is 1, and 2: it has no limits


def transform(pose: Sequence[float], axes: Floats) -> Floats:
    """Return the transform (4, 4) from a sensor's frame to NED.

    Args:
        pose: north, east, down [m], roll, pitch, yaw [rad].
        axes: of its frame in FRD, by columns.
    """
    whole = np.eye(4)
    whole[:3, :3] = eul_to_rotm(pose[3:]) @ axes
    whole[:3, 3] = pose[:3]
    return whole


def pose_line(first: Floats, now: Floats) -> str:
    """Return a line of a file of poses: the pose relative to the first, 3 x 4, by rows."""
    # The inverse of the first transform, times the present one.
    relative = np.linalg.solve(first, now)[:3]
    return " ".join(f"{number:.9e}" for number in relative.ravel()) + "\n"


def depth_image(depth: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Return depths [m] as a depth image; 0 for no depth, or more than 255.99 m."""
    held = np.isfinite(depth) & (depth > 0.0) & (depth <= MAX_DEPTH)
    return np.where(held, np.round(np.where(held, depth, 0.0) * DEPTH_SCALE), 0).astype(np.uint16)


def velodyne(values: NDArray[np.floating]) -> bytes:
    """Return a cloud as KITTI's ``.bin``: x ahead, y to port, z up, intensity, as float32.

    Args:
        values: (n, k) in FRD: x, y, z, intensity and more; NaN for no return.
    """
    whole = values[np.isfinite(values[:, :3]).all(axis=1), :4]
    return (whole * (1.0, -1.0, -1.0, 1.0)).astype("<f4").tobytes()


def point_labels(classes: NDArray[np.floating], instances: NDArray[np.floating]) -> bytes:
    """Return the labels of a cloud's points (n,), (n,) as SemanticKITTI's ``.label``."""
    words = np.asarray(classes.astype("<u4") | instances.astype("<u4") << 16, "<u4")
    return words.tobytes()


def label_line(box: Box, one: Cuboid, seen: Visibility | None) -> str:
    """Return a line of KITTI's labels: the box of an object in an image, and in the camera's frame.

    Args:
        box: in the image [pixels].
        one: in the sensor's axes, FRD.
        seen: how much of it the image shows; None: not known.
    """
    shares = UNKNOWN
    if seen is not None:
        hidden = int(seen.occlusion >= PARTLY) + int(seen.occlusion >= LARGELY)
        shares = f"{-1 if seen.truncation is None else round(seen.truncation, 2):g} {hidden}"
    turned = OPTICAL.T @ eul_to_rotm((one.roll, one.pitch, one.yaw))  # to the optical frame
    ahead, down = turned[:, 0], turned[:, 2]
    centre = OPTICAL.T @ [one.x, one.y, one.z]
    x, y, z = centre + 0.5 * one.height * down
    heading = atan2(-ahead[2], ahead[0])
    alpha = (heading - atan2(x, z) + pi) % (2 * pi) - pi
    name = one.kind.replace(" ", "_")
    numbers = (
        *(box.u0, box.v0, box.u1, box.v1),
        *(one.height, one.breadth, one.length, x, y, z, heading),
    )
    return f"{name} {shares} {alpha:.4f} {' '.join(f'{n:.4f}' for n in numbers)}\n"


def calibration(
    projection: Sequence[float], rectification: Sequence[float], lidar: Floats | None
) -> str:
    """Return a calibration file of object detection, for one camera in all four places.

    Args:
        projection, rectification: of the camera, P (3, 4) and R (3, 3), by rows.
        lidar: (4, 4) from the LiDAR's frame to the camera's; None: there is no LiDAR.
    """
    rows = {**{f"P{k}": projection for k in range(4)}, "R0_rect": rectification}
    if lidar is not None:
        rows["Tr_velo_to_cam"] = lidar[:3].ravel().tolist()
    lines = (f"{key}: {' '.join(f'{n:.9e}' for n in row)}\n" for key, row in rows.items())
    return "".join(lines)
