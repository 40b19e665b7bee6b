"""HydRA's JSON: wave excitation (Froude-Krylov and scattering) and motion RAOs.

Keys: ``w`` [rad/s], ``beta`` [rad], ``Fk_Re``, ``Fk_Im``, ``Fs_Re``, ``Fs_Im``, ``rao_Re``,
``rao_Im``, each [frequency, mode, heading, speed]. The frame is z up, with the bow along +x or +y;
headings are directions waves go to, from the file's x axis towards its y; the time factor is
e^{+iwt}: (-w² (M + AM) + iw BD + C) rao = Fk + Fs holds in the files to the last digit. All values
are about the drawing's origin, and are transformed to CO here.
"""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.hydra import TO_BODY, arrays_of
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.vessel.wave_forces.table import Complex, ForceRao, around
from steerageway.world.arrays import Floats
from steerageway.world.constants import GRAVITY


def excitation(path: Path, co: Floats, bow: str = "x", length: float = 1.0) -> ForceRao:
    """Return the wave excitation of a file about CO in BODY.

    Args:
        path: path of the file.
        co: (3,) CO in the drawing frame, in BODY's directions [m].
        bow: axis of the file towards the bow, ``x`` or ``y``.
        length: unit of length of the file [m]: 0.001 for a drawing in millimetres.

    Raises:
        InvalidValue: a key is missing or of another shape, or the file has no waves.
    """
    omega, headings, X = _read(path, ("Fk", "Fs"), bow)
    X[..., :3] *= length**2
    X[..., 3:] *= length**3
    moved: Complex = X @ Hmtrx(-co)  # forces and moments about CO
    return _shifted(omega / np.sqrt(length), headings, moved, co)


def motions(path: Path, co: Floats, bow: str = "x", length: float = 1.0) -> ForceRao:
    """Return the motion RAOs of a file for CO in BODY, per metre of amplitude; see above."""
    omega, headings, X = _read(path, ("rao",), bow)
    X[..., 3:] /= length
    # displacement of a point: that of the origin plus that due to rotation
    turned = X.copy()
    turned[..., :3] += np.cross(X[..., 3:], co)
    return _shifted(omega / np.sqrt(length), headings, turned, co)


def _read(path: Path, names: tuple[str, ...], bow: str) -> tuple[Floats, Floats, Complex]:
    """Return frequencies (n,), headings (h,) clockwise from the bow, and X (n, h, 6) in BODY."""
    keys = [f"{name}_{part}" for name in names for part in ("Re", "Im")]
    w, beta, *parts = arrays_of(path, ("w", "beta", *keys))
    w, beta = w.ravel(), beta.ravel()
    if len({part.shape for part in parts}) > 1:
        raise InvalidValue(f"expected {', '.join(keys)} of one shape", str(path))
    whole: Complex = np.sum(parts[::2], axis=0) + 1j * np.sum(parts[1::2], axis=0)
    if whole.ndim != 4 or whole.shape[:3] != (w.size, 6, beta.size):
        raise InvalidValue(
            f"{path}: {names[0]}_Re is {whole.shape}: expected ({w.size}, 6, {beta.size}, speeds)"
        )
    waves = w > 0.0
    if not waves.any():
        raise InvalidValue(
            f"{path}: w: {w.tolist()}: expected frequencies above 0: it has no waves"
        )
    order = np.argsort(w[waves])
    R = TO_BODY[bow]
    X = np.moveaxis(whole[waves][order, :, :, 0], 1, 2) @ np.kron(np.eye(2), R).T
    ahead, starboard, _ = R @ np.array([np.cos(beta), np.sin(beta), np.zeros_like(beta)])
    return w[waves][order], np.arctan2(starboard, ahead), X


def _shifted(omega: Floats, headings: Floats, X: Complex, co: Floats) -> ForceRao:
    """Refer phases to the elevation at CO, which lags that at the origin by k·co."""
    k = omega**2 / GRAVITY
    along = np.cos(headings) * co[0] + np.sin(headings) * co[1]
    phase = np.exp(1j * np.outer(k, along))
    turns = np.mod(headings, 2.0 * pi)
    return around(omega, turns, X * phase[:, :, None])
