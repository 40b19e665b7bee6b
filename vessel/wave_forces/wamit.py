"""WAMIT's output files (.1 to .4, .8): radiation, excitation, motion RAOs, and mean drift.

In the file x is forward, y to port, z up, lengths over ULEN; phases are leads; the time factor is
e^{+iwt}. Headings and matrices are transformed to BODY.

Source: WAMIT User Manual, section 4.9 and table 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf, pi, radians
from pathlib import Path

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.wave_forces.table import TO_FRD, ForceRao, around
from steerageway.world.arrays import Floats
from steerageway.world.numbers import lines_of, read_finite

_NUMBER_LIKE = re.compile(r"[-+.\d]|nan$|inf$", re.IGNORECASE)  # a wrong one, too, is no header


def excitation(path: Path, weight: float, length: float = 1.0) -> ForceRao:
    """Read a ``.2`` or ``.3`` file.

    Args:
        path: path of the file.
        weight: specific weight rho g [N/m³].
        length: ULEN [m].

    Raises:
        InvalidValue: an invalid line.
    """
    return _responses(path, weight * length**2, weight * length**3)


def motions(path: Path, length: float = 1.0) -> ForceRao:
    """Read a ``.4`` file: motions per metre of amplitude, [1] and [rad/m]; arguments as above."""
    return _responses(path, 1.0, 1.0 / length)


def _responses(path: Path, linear: float, angular: float) -> ForceRao:
    """Read complex responses; ``linear`` is the unit of modes 1 to 3, ``angular`` of 4 to 6."""
    found: dict[tuple[float, float, int], complex] = {}
    for period, beta, mode, _, _, real, imaginary in _rows(path, (3,), 7):
        scale = linear if mode <= 3 else angular
        found[_frequency(period), -radians(beta), int(mode)] = scale * complex(real, imaginary)
    return _table(path, found)


def _table(path: Path, found: dict[tuple[float, float, int], complex]) -> ForceRao:
    """Return the table of values by frequency, heading and mode, in BODY."""
    omega = sorted({key[0] for key in found if 0.0 < key[0] < inf})
    headings = sorted({key[1] for key in found})
    if not omega:
        raise InvalidValue("expected at least one period above zero", str(path))
    X = np.zeros((len(omega), len(headings), 6), np.complex128)
    for i, w in enumerate(omega):
        for j, heading in enumerate(headings):
            for k in range(6):
                X[i, j, k] = found.get((w, heading, k + 1), 0.0) * TO_FRD[k]
    return around(np.array(omega), np.array(headings), X)


def radiation(path: Path, density: float, length: float = 1.0) -> tuple[Floats, Floats, Floats]:
    """Read a ``.1`` file: frequencies (n,) with 0 and inf, A and B (n, 6, 6) about the origin.

    Raises:
        InvalidValue: an invalid line.
    """
    added: dict[tuple[float, int, int], tuple[float, float]] = {}
    for period, i, j, A, *B in _rows(path, (2, 3), 4, 5):
        added[_frequency(period), int(i) - 1, int(j) - 1] = A, B[0] if B else 0.0
    omega = sorted({key[0] for key in added})
    matrices = np.zeros((2, len(omega), 6, 6))
    for (w, i, j), (A, B_bar) in added.items():
        power = 3 + (i >= 3) + (j >= 3)
        scale = density * length**power * TO_FRD[i] * TO_FRD[j]
        frequency = 0.0 if w == inf else w
        # in Capytaine, the source of most present files, the mode of motion is first
        matrices[:, omega.index(w), j, i] = scale * A, scale * frequency * B_bar
    return np.array(omega), matrices[0], matrices[1]


def drift(path: Path, weight: float, length: float = 1.0) -> ForceRao:
    """Read a ``.8`` file: mean forces for a wave of 1 m, real [N/m², N m/m²]; see above.

    Pairs of different headings (crossing seas) are omitted.
    """
    found: dict[tuple[float, float, int], complex] = {}
    for period, beta, other, mode, _, _, real, _ in _rows(path, (4,), 8):
        if beta == other:
            scale = weight * length ** (1 if mode <= 3 else 2)
            found[_frequency(period), -radians(beta), int(mode)] = complex(scale * real)
    return _table(path, found)


def _frequency(period: float) -> float:
    """Return the frequency of a period in WAMIT's convention: -1 is zero, 0 infinite frequency."""
    if period < 0.0:
        return 0.0
    return inf if period == 0.0 else 2.0 * pi / period


def _rows(path: Path, modes: tuple[int, ...], *counts: int) -> Iterator[list[float]]:
    """Return the numbers of each line after the header, the lines before the first number.

    Args:
        path: path of the file.
        modes: columns of modes, counted from 1.
        counts: permitted counts of numbers in a line.
    """
    begun = False
    for number, line in enumerate(lines_of(path), 1):
        words = line.split()
        begun = begun or any(map(_NUMBER_LIKE.match, words[:1]))
        if not words or not begun:
            continue
        numbers = [read_finite(word, f"{path}:{number}") for word in words]
        if len(numbers) not in counts:
            expected = " or ".join(str(count) for count in counts)
            raise InvalidValue(f"{line.strip()!r}: expected {expected} numbers", f"{path}:{number}")
        if wrong := [words[k - 1] for k in modes if numbers[k - 1] not in range(1, 7)]:
            raise InvalidValue(f"mode {wrong[0]}: expected one of 1 to 6", f"{path}:{number}")
        yield numbers
