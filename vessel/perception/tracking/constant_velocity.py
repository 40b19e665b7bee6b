"""Kalman filter of a point with the (nearly) constant-velocity model: white-noise acceleration."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_POSITION = np.hstack((np.eye(2), np.zeros((2, 2))))  # measurement matrix: position of the state


class Belief(NamedTuple):
    """A state estimate.

    Attributes:
        mean: (4,) north, east [m], and their velocities [m/s].
        cov: (4, 4) covariance.
    """

    mean: Floats
    cov: Floats


def predicted(belief: Belief, dt: float, density: float) -> Belief:
    """Return the prediction over ``dt``.

    Args:
        belief: the present estimate.
        dt: [s], >= 0.
        density: power spectral density of the acceleration, on each axis [m²/s³].
    Source: Y. Bar-Shalom et al. (2001), Estimation with Applications to Tracking and Navigation,
    6.2.2.
    """
    motion = np.eye(4)
    motion[0, 2] = motion[1, 3] = dt
    noise = np.zeros((4, 4))
    noise[0, 0] = noise[1, 1] = density * dt**3 / 3.0
    noise[2, 2] = noise[3, 3] = density * dt
    noise[0, 2] = noise[2, 0] = noise[1, 3] = noise[3, 1] = density * dt**2 / 2.0
    return Belief(motion @ belief.mean, motion @ belief.cov @ motion.T + noise)


def updated(belief: Belief, place: Floats, noise: Floats) -> Belief:
    """Return the estimate updated by a position, in Joseph form, which keeps it symmetric.

    Args:
        belief: predicted to the time of the measurement.
        place: (2,) north, east [m].
        noise: (2, 2) its covariance [m²].
    Source: Bar-Shalom et al. (2001), 5.2.3 and 7.2.
    """
    innovation = _POSITION @ belief.cov @ _POSITION.T + noise
    gain = np.linalg.solve(innovation, _POSITION @ belief.cov).T
    left = np.eye(4) - gain @ _POSITION
    cov = left @ belief.cov @ left.T + gain @ noise @ gain.T
    return Belief(belief.mean + gain @ (place - belief.mean[:2]), cov)


def nis(belief: Belief, places: Floats, noises: Floats) -> tuple[Floats, Floats]:
    """Return the normalised innovation squared of candidate measurements, and log det S of each.

    Args:
        belief: predicted to the time of the measurements.
        places: (n, 2) [m].
        noises: (n, 2, 2) [m²].
    Returns:
        (n,) NIS, chi-squared with two degrees of freedom for a consistent estimate; (n,) log of
        the determinant of the innovation covariance S.
    """
    innovations = belief.cov[:2, :2] + noises
    off = places - belief.mean[:2]
    squares = np.einsum("ni,ni->n", off, np.linalg.solve(innovations, off[:, :, None])[:, :, 0])
    return squares, np.linalg.slogdet(innovations)[1]
