"""Poses, depth images and point clouds in KITTI's formats.

Source: A. Geiger et al. (2013), Vision meets robotics: the KITTI dataset, and its development kits
of odometry (poses) and depth completion (depth images).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_rotm

Floats = NDArray[np.float64]
DEPTH_SCALE = 256.0  # values of a depth image per metre
MAX_DEPTH = 65535 / DEPTH_SCALE


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
