"""WAMIT's .gdf files: panels of a hull's wetted surface, and sections for strip theory.

In the file x points along the hull, z up from the water, lengths in metres; here vectors are in
BODY, from the file's origin.

Source: WAMIT User Manual, chapter 6, "The geometric data file".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import lines_of, read_finite

HEADER = 4
TO_BODY = np.array([1.0, -1.0, -1.0])


def read(path: str | Path) -> Floats:
    """Return the panels (n, 4, 3) of a file [m], with those omitted by its symmetry.

    Raises:
        InvalidValue: the file is not of the low-order form; the error names the line.
    """
    lines = lines_of(Path(path))
    if len(lines) < HEADER:
        raise InvalidValue(f"{len(lines)} lines: expected a header of {HEADER}", str(path))
    mirrored_x, mirrored_y = (_integer(path, lines, 3, word) for word in (0, 1))
    count = _integer(path, lines, 4, 0)
    numbers = [number for i in range(HEADER, len(lines)) for number in _row(path, lines, i)]
    if len(numbers) < 12 * count:
        raise InvalidValue(
            f"the file ends after {len(numbers)} numbers: expected 12 for each of {count} panels",
            f"{path}:{len(lines)}",
        )
    panels: Floats = np.array(numbers[: 12 * count]).reshape(count, 4, 3) * TO_BODY
    if mirrored_x:
        panels = np.concatenate((panels, panels * [-1.0, 1.0, 1.0]))
    if mirrored_y:
        panels = np.concatenate((panels, panels * [1.0, -1.0, 1.0]))
    return panels


def _integer(path: str | Path, lines: list[str], line: int, word: int) -> int:
    words = lines[line - 1].split()
    try:
        return int(words[word])
    except (IndexError, ValueError):
        raise InvalidValue(
            f"{lines[line - 1]!r}: expected a whole number as word {word + 1}",
            f"{path}:{line}",
        ) from None


def _row(path: str | Path, lines: list[str], index: int) -> list[float]:
    return [read_finite(word, f"{path}:{index + 1}") for word in lines[index].split()]


def sections(panels: Floats, strips: int = 20) -> tuple[Floats, Floats, Floats, Floats]:
    """Cut a hull into strips of equal width: positions x, widths, beams and drafts (n,) [m].

    Panels above the water are ignored; a fully submerged hull has the height of its sections.

    Args:
        panels: (n, 4, 3) as returned by ``read``.
        strips: number of strips.

    Raises:
        InvalidValue: nothing is below the water.
    """
    wet = panels[(panels[:, :, 2] >= -1e-9).all(axis=1)]
    if not len(wet):
        raise InvalidValue("no panel lies below the water: expected a mesh with z < 0 in the file")
    ends = wet[:, :, 0].min(), wet[:, :, 0].max()
    edges = np.linspace(*ends, strips + 1)
    x, dx = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    cuts = [_extent(wet, place) for place in x]
    beams, drafts = np.array(cuts).T
    return x, dx, beams, drafts


def _extent(panels: Floats, x: float) -> tuple[float, float]:
    """Return beam and draft of the cut of the panels' edges by the plane at ``x``."""
    start, end = panels.reshape(-1, 3), np.roll(panels, -1, axis=1).reshape(-1, 3)
    crossing = (start[:, 0] <= x) != (end[:, 0] <= x)
    start, end = start[crossing], end[crossing]
    share = (x - start[:, 0]) / (end[:, 0] - start[:, 0])
    points = start + share[:, np.newaxis] * (end - start)
    beam, draft = np.ptp(points[:, 1:], axis=0)
    return float(beam), float(draft)
