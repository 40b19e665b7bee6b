"""Camera optics: pinhole projection with Brown's lens distortion, in two conventions.

OpenCV's, ROS' ``plumb_bob``: a point (x, y) of the normalised image plane is imaged at

    x L + 2 p1 x y + p2 (r² + 2 x²),  y L + p1 (r² + 2 y²) + 2 p2 x y
    with L = 1 + k1 r² + k2 r⁴ + k3 r⁶

The Unity thesis', here ``uv``: the pixel at (u, v) of the image, 0 to 1 from edge to edge, shows
what a camera without distortion shows at

    u + a (K1 r² + K2 r⁴ + K3 r⁶) + P1 (r² + 2 a²) + 2 P2 a b,  a = u - ½, b = v - ½, r² = a² + b²

and v likewise, with P1 and P2 exchanged; nothing beyond the edges of its image. The first maps true
to distorted points, the second distorted to true ones, so their coefficients differ.

Source: D. C. Brown (1966), Photogrammetric Engineering 32 (3); OpenCV's reference, calib3d.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.world.arrays import Floats

NO_DISTORTION, OPENCV, UV = "none", "opencv", "uv"
STEPS = 50  # maximum number of Newton steps
CLOSE = 1e-13  # step size at which Newton's method has converged


@dataclass(frozen=True)
class Lens:
    """A lens distortion.

    Attributes:
        model: one of the three above.
        k: radial coefficients; p: tangential ones.
    """

    model: str = NO_DISTORTION
    k: tuple[float, float, float] = (0.0, 0.0, 0.0)
    p: tuple[float, float] = (0.0, 0.0)

    def distorted(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the images of points of the normalised plane, by OpenCV's convention."""
        k1, k2, k3 = self.k
        p1, p2 = self.p
        r2 = x * x + y * y
        L = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return (
            x * L + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
            y * L + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
        )

    def undistorted(self, x: Floats, y: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the points that are imaged at x, y, by OpenCV's convention, and which exist.

        By Newton's method. There is none beyond the radius where a barrel distortion folds back.
        """
        k1, k2, k3 = self.k
        p1, p2 = self.p
        a, b = x.copy(), y.copy()
        for _ in range(STEPS):
            u, v = self.distorted(a, b)
            r2 = a * a + b * b
            L = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
            dL = 2.0 * (k1 + r2 * (2.0 * k2 + 3.0 * r2 * k3))
            aa = L + a * a * dL + 2.0 * p1 * b + 6.0 * p2 * a
            ab = a * b * dL + 2.0 * p1 * a + 2.0 * p2 * b
            bb = L + b * b * dL + 6.0 * p1 * b + 2.0 * p2 * a
            determinant = aa * bb - ab * ab
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                da = (bb * (x - u) - ab * (y - v)) / determinant
                db = (aa * (y - v) - ab * (x - u)) / determinant
                a, b = a + da, b + db
            if not np.abs(np.nan_to_num(np.concatenate((da, db)))).max(initial=0.0) > CLOSE:
                break
        with np.errstate(invalid="ignore", over="ignore"):
            u, v = self.distorted(a, b)
            r2 = a * a + b * b
            # Distorted radii have to increase with true ones: beyond their maximum they fold back.
            rising = 1.0 + r2 * (3.0 * k1 + r2 * (5.0 * k2 + r2 * 7.0 * k3)) > 0.0
            there = (np.hypot(u - x, v - y) < 1e-9) & rising
        return np.nan_to_num(a), np.nan_to_num(b), there

    def source(self, u: Floats, v: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the points (0 to 1) of an undistorted image that are imaged at u, v.

        By the thesis' convention; and which of them lie strictly within that image.
        """
        K1, K2, K3 = self.k
        P1, P2 = self.p
        a, b = u - 0.5, v - 0.5
        r2 = a * a + b * b
        radial = r2 * (K1 + r2 * (K2 + r2 * K3))
        s = u + a * radial + P1 * (r2 + 2.0 * a * a) + 2.0 * P2 * a * b
        t = v + b * radial + 2.0 * P1 * a * b + P2 * (r2 + 2.0 * b * b)
        return s, t, (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)


@dataclass(frozen=True, eq=False)
class Pinhole:
    """A pinhole camera with a lens; pixel centres are at integer (u, v).

    Attributes:
        width, height: [pixels]. fx, fy: focal lengths; cx, cy: principal point [pixels].
        lens: its distortion.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    lens: Lens = field(default_factory=Lens)

    @classmethod
    def of_view(cls, width: int, height: int, view: float, lens: Lens) -> Pinhole:
        """Return a camera by its horizontal field of view [deg]: square pixels, centred axis."""
        focal = 0.5 * width / tan(radians(0.5 * view))
        return cls(width, height, focal, focal, 0.5 * (width - 1), 0.5 * (height - 1), lens)

    def plane(self, thin: int = 1) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the points of the pixels on the normalised plane (rows, columns, 2): right, down.

        Args:
            thin: every ``thin``-th pixel of each row and column is used.

        Returns: the points, and a mask (rows, columns) of pixels within the lens.
        """
        u, v = np.meshgrid(
            np.arange(0, self.width, thin, dtype=np.float64),
            np.arange(0, self.height, thin, dtype=np.float64),
        )
        seen = np.ones(u.shape, bool)
        if self.lens.model == UV:
            s, t, seen = self.lens.source((u + 0.5) / self.width, (v + 0.5) / self.height)
            u, v = s * self.width - 0.5, t * self.height - 0.5
        x, y = (u - self.cx) / self.fx, (v - self.cy) / self.fy
        if self.lens.model == OPENCV:
            x, y, seen = self.lens.undistorted(x, y)
        return np.stack((x, y), -1), seen

    def info(self, thin: int, frame: str) -> dict[str, Any]:
        """Return the members of ROS' ``sensor_msgs/CameraInfo``.

        ROS has no ``distortion_model`` for the thesis' convention; it is ``uv`` here.
        """
        fx, fy = self.fx / thin, self.fy / thin
        cx, cy = self.cx / thin, self.cy / thin
        model = {NO_DISTORTION: "plumb_bob", OPENCV: "plumb_bob", UV: UV}[self.lens.model]
        k1, k2, k3 = self.lens.k
        return {
            "frame": frame,
            "width": -(-self.width // thin),
            "height": -(-self.height // thin),
            "distortion_model": model,
            "d": [k1, k2, *self.lens.p, k3],
            "k": [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0],
            "r": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            "p": [fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
        }
