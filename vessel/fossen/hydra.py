"""Added mass from HydRA's JSON: at zero frequency; heave, roll, pitch at natural frequency.

The file's frame is z up, with the bow along +x (or +y); its matrices are about the drawing's
origin. They are rotated to BODY, all four blocks, made symmetric and moved to CO. Couplings of
heave, roll and pitch are scaled with their diagonal entries, so A remains positive definite.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np

from steerageway.declarations import json_of
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.world.arrays import Floats
from steerageway.world.numbers import lines_of

NAMES = ("w", "AM", "M", "C")
TO_BODY = {
    "x": np.diag([1.0, -1.0, -1.0]),
    "y": np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]]),
}
SWEEPS = 50


def added_mass(path: Path, co: Floats, bow: str = "x") -> Floats:
    """Return M_A (6, 6) about CO in BODY.

    Args:
        path: path of the file.
        co: (3,) CO in the drawing frame, in BODY's directions [m].
        bow: axis of the file towards the bow, ``x`` or ``y``.

    Raises:
        InvalidValue: a key is missing or of another shape; or the added mass in surge exceeds that
            in sway, as if the bow were along the other axis.
    """
    w, AM, M, C = _matrices(path)
    by_frequency = {float(at): AM[i, :, :, 0, 0] for i, at in enumerate(w) if at >= 0}
    if 0.0 not in by_frequency:
        raise InvalidValue(f"w: {list(w)}: expected the frequency 0 among them", str(path))
    still = by_frequency[0.0]
    scale = np.ones(6)
    for i in (2, 3, 4):
        added = _at_natural_frequency(by_frequency, M[i, i], C[i, i], i)
        scale[i] = sqrt(added / still[i, i]) if added > 0 and still[i, i] > 0 else 1.0
    A = scale[:, None] * still * scale
    R = np.kron(np.eye(2), TO_BODY[bow])
    turned = R @ A @ R.T
    if turned[0, 0] > turned[1, 1]:
        other = "y" if bow == "x" else "x"
        raise InvalidValue(
            f"{path}: added mass {turned[0, 0]:.4g} kg in surge and {turned[1, 1]:.4g} in sway: "
            f"the bow does not lie along the file's {bow} axis; expected hydra_bow: {other}"
        )
    H = Hmtrx(-co)
    moved: Floats = H.T @ (0.5 * (turned + turned.T)) @ H
    return moved


def hull_of(path: Path) -> tuple[float, float]:
    """Return the mass [kg] and the pitch radius of gyration [m] of the hull in a file."""
    _, _, M, _ = _matrices(path)
    mass = float(M[0, 0])
    return mass, sqrt(max(float(M[4, 4]), float(M[3, 3])) / mass) if mass > 0 else 0.0


def as_panisim(path: Path) -> Floats:
    """Return the matrix (6, 6) that Panisim derives from the file, about its origin, unmodified.

    The second frequency is taken as zero; heave, roll and pitch have no couplings;
    only the two diagonal blocks are rotated, as if the bow were along +y.
    """
    w, AM, M, C = _matrices(path)
    A = AM[1, :, :, 0, 0].copy()
    by_frequency = {float(at): AM[i, :, :, 0, 0] for i, at in enumerate(w) if i > 0}
    alone = [_at_natural_frequency(by_frequency, M[i, i], C[i, i], i) for i in (2, 3, 4)]
    A[2:5, 2:5] = np.diag(alone)
    for half in (slice(0, 3), slice(3, 6)):
        A[half, half] = TO_BODY["y"] @ A[half, half] @ TO_BODY["y"].T
    return np.asarray(A, np.float64)


def _matrices(path: Path) -> tuple[Floats, Floats, Floats, Floats]:
    w, AM, M, C = arrays_of(path, NAMES)
    if AM.ndim != 5 or AM.shape[:3] != (w.size, 6, 6) or M.shape != (6, 6) or C.shape != (6, 6):
        raise InvalidValue(
            f"{path}: AM is {AM.shape}, M {M.shape}, C {C.shape}: expected ({w.size}, 6, 6, "
            "speeds, headings), (6, 6), (6, 6)"
        )
    return w, AM, M, C


def arrays_of(path: Path, names: Sequence[str]) -> list[Floats]:
    """Return arrays of a file by their keys.

    Raises:
        InvalidValue: it is not JSON, a key is missing, or a value is not a finite number.
    """
    found = []
    try:
        data = json_of("\n".join(lines_of(path)))
        for name in names:
            found.append(np.array(data[name], np.float64))
            if not np.isfinite(found[-1]).all():
                raise ValueError(f"{name} has a value that is not finite")
    except (ValueError, KeyError, TypeError) as error:
        expected = f"expected HydRA's JSON, with {', '.join(names)}"
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidValue(f"{error}: {expected}", f"{path}{line}") from error
    return found


def _at_natural_frequency(by_frequency: dict[float, Floats], m: float, c: float, i: int) -> float:
    """Return A at the natural frequency w = sqrt(C / (M + A(w))), by iteration."""
    frequencies = sorted(by_frequency)
    values = [by_frequency[w][i, i] for w in frequencies]
    added = values[0]
    for _ in range(SWEEPS):
        if m + added <= 0 or c <= 0:
            return float(values[0])
        added = float(np.interp(sqrt(c / (m + added)), frequencies, values))
    return float(added)
