"""Bathymetry: water depth on a regular grid.

``read`` accepts two formats. ESRI ASCII (``.asc``): ``ncols``, ``nrows``, ``xllcorner`` or
``xllcenter``, ``yllcorner`` or ``yllcenter``, ``cellsize``, ``NODATA_value``, then rows from north
to south. CSV: a header ``x,y,depth``, a line for each point of a full, equally spaced grid. A depth
of ``nan`` is unknown in both. x is east and y north of the datum [m]. Depths are positive down from
the mean level; between points they are interpolated bilinearly. Without a grid the depth is that of
``environment``; a vessel is given None where it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, inf, isfinite, nan, sqrt
from pathlib import Path

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import lines_of, read_finite

MOST_CELLS = 10_000_000
UPWARD, DOWNWARD = "height", "depth"
WHOLE = ("ncols", "nrows")
HEAD = (
    *(*WHOLE, "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize"),
    "nodata_value",
)
NO_DATA = -9999.0
FARTHEST = 1e8  # number of a header beyond which it is no place, size or number of cells
_PLAIN = frozenset("0123456789+-.eEnaNA")
HIGHEST = 12_000.0  # height or depth [m] beyond which a number is no measurement
ROUNDED, SINGLE = 1e-3, 1e-7  # tolerances of the value for no data, as fractions of it
SHALLOW = 1e-7  # depth in the ground from which a way may start upwards: rounding [m]
EQUAL = 1e-6  # tolerance of equal spacing, as a fraction of it


@dataclass(frozen=True, eq=False)
class Ground:
    """A grid of depths.

    Attributes:
        name: name of the file, for errors.
        west, south: position of the first point [m].
        spacing: distance of the points [m].
        depths: (rows to the north, columns to the east) below the mean level [m]; nan: unknown.
    """

    name: str
    west: float
    south: float
    spacing: float
    depths: Floats

    def depth(self, x: float, y: float) -> float:
        """Return the depth [m] at a place east and north [m].

        Raises:
            InvalidValue: the place is off the grid, or in a cell without data.
        """
        column, row = (x - self.west) / self.spacing, (y - self.south) / self.spacing
        rows, columns = self.depths.shape
        if not (0.0 <= column <= columns - 1 and 0.0 <= row <= rows - 1):
            east, north = self.west + self.spacing * (columns - 1), self.south
            raise InvalidValue(
                f"{self.name}: x = {x:g}, y = {y:g} is off the grid: expected x from "
                f"{self.west:g} to {east:g} and y from {north:g} to "
                f"{north + self.spacing * (rows - 1):g}"
            )
        j, i = min(floor(column), columns - 2), min(floor(row), rows - 2)
        depth = self._between(i, j, column - j, row - i)
        if not isfinite(depth):
            raise InvalidValue(
                f"{self.name}: x = {x:g}, y = {y:g} lies among cells without data: expected a grid "
                "with depths wherever vessels go"
            )
        return depth

    def least(self, west: float, south: float, east: float, north: float) -> float:
        """Return the least depth of the points of all cells in a box [m]; inf without data."""
        i, j = floor((south - self.south) / self.spacing), floor((west - self.west) / self.spacing)
        top = ceil((north - self.south) / self.spacing) + 1
        right = ceil((east - self.west) / self.spacing) + 1
        some = self.depths[max(i, 0) : max(top, 0), max(j, 0) : max(right, 0)]
        return float(np.fmin.reduce(some, axis=None, initial=np.inf))

    def shoal(
        self, start: tuple[float, float], end: tuple[float, float], limit: float
    ) -> float | None:
        """Return the fraction of a straight way at which the depth falls to a limit.

        None: nowhere on the grid. A way that starts at the limit may lead to deeper water.

        Args:
            start, end: east and north [m]. limit: [m].
        """
        along = (start[0] - self.west) / self.spacing, (start[1] - self.south) / self.spacing
        step = (end[0] - start[0]) / self.spacing, (end[1] - start[1]) / self.spacing
        for s, t in pairwise(_cuts(along, step)):
            a, b, c = (self._above(along, step, s, t, share) - limit for share in (0.0, 0.5, 1.0))
            # along a line, depth in a cell is a parabola: a + slope z + bend z², z from 0 to 1
            slope, bend = 4.0 * b - 3.0 * a - c, 2.0 * (a - 2.0 * b + c)
            bottom = -slope / (2.0 * bend) if bend > 0.0 else 1.0
            dips = 0.0 < bottom < 1.0 and a + 0.5 * slope * bottom <= 0.0
            if a < -SHALLOW or c <= 0.0 or dips:
                if a <= 0.0:
                    return s
                root = sqrt(max(slope * slope - 4.0 * bend * a, 0.0))
                return s + (t - s) * min(2.0 * a / (root - slope), 1.0)
        return None

    def _above(
        self,
        along: tuple[float, float],
        step: tuple[float, float],
        s: float,
        t: float,
        share: float,
    ) -> float:
        """Return the depth at a share of the way from s to t, in the cell of its middle."""
        rows, columns = self.depths.shape
        column, row = (along[k] + 0.5 * (s + t) * step[k] for k in (0, 1))
        if not (0.0 <= column <= columns - 1 and 0.0 <= row <= rows - 1):
            return float("nan")
        j, i = min(floor(column), columns - 2), min(floor(row), rows - 2)
        z = s + share * (t - s)
        return self._between(i, j, along[0] + z * step[0] - j, along[1] + z * step[1] - i)

    def _between(self, i: int, j: int, u: float, v: float) -> float:
        """Return the depth at a place in a cell, by fractions to the east and to the north."""
        corners = self.depths[i : i + 2, j : j + 2]
        return float(
            (1 - v) * ((1 - u) * corners[0, 0] + u * corners[0, 1])
            + v * ((1 - u) * corners[1, 0] + u * corners[1, 1])
        )

    @property
    def memory(self) -> int:
        """Return the size of the grid in memory [bytes]."""
        return self.depths.nbytes


def _cuts(along: tuple[float, float], step: tuple[float, float]) -> Iterator[float]:
    """Yield the shares of a way, in grid units, at which it enters a cell: from 0 to 1."""
    found = {0.0, 1.0}
    for place, length in zip(along, step, strict=True):
        low, high = sorted((place, place + length))
        found |= {(line - place) / length for line in range(floor(low) + 1, ceil(high))}
    yield from sorted(found)


def read(path: Path, vertical: str = DOWNWARD) -> Ground:
    """Read a grid.

    Args:
        path: path of a ``.asc`` or ``.csv`` file.
        vertical: sign of the numbers: ``depth``, down from the mean level, or ``height``, up.

    Raises:
        InvalidValue: no such file, another format, or an invalid line.
    """
    suffix = path.suffix.lower()
    if suffix not in (".asc", ".csv") or not path.is_file():
        raise InvalidValue("expected a grid of depths in a .asc or .csv file", str(path))
    read_lines = _read_esri if suffix == ".asc" else _read_csv
    ground = read_lines(lines_of(path), str(path))
    if vertical == DOWNWARD:
        return ground
    return Ground(ground.name, ground.west, ground.south, ground.spacing, -ground.depths)


def _read_esri(lines: list[str], name: str) -> Ground:
    head, begin = _esri_head(lines, name)
    where = f"{name}:{max(begin, 1)}"
    columns, rows = (int(head[_given(head, where, key)]) for key in WHOLE)
    spacing = head[_given(head, where, "cellsize")]
    _check_size(rows, columns, name)
    corners = [_given(head, where, f"{axis}llcorner", f"{axis}llcenter") for axis in "xy"]
    west, south = (head[key] + (0.5 * spacing if "corner" in key else 0.0) for key in corners)
    none = head.get("nodata_value", NO_DATA)
    parts = [
        _depths(line.split(), none, f"{name}:{number}")
        for number, line in enumerate(lines[begin:], begin + 1)
    ]
    numbers = np.concatenate(parts) if parts else np.empty(0)
    if numbers.size != rows * columns:
        raise InvalidValue(
            f"{numbers.size} numbers: expected {rows} rows of {columns}", f"{name}:{len(lines)}"
        )
    return Ground(name, west, south, spacing, numbers.reshape(rows, columns)[::-1].copy())


def _esri_head(lines: list[str], name: str) -> tuple[dict[str, float], int]:
    """Return the values of a header by key, and the number of its lines."""
    head: dict[str, float] = {}
    count = 0
    for number, line in enumerate(lines, 1):
        words = line.lower().split()
        if words[:1] == ["nan"] or (words and not words[0][0].isalpha()):
            break  # the first row
        count, where = number, f"{name}:{number}"
        if not words:
            continue
        if words[0] not in HEAD or len(words) != 2 or words[0] in head:
            raise InvalidValue(f"{line.strip()!r}: expected {', '.join(HEAD)}, each once", where)
        key, text = words
        most = inf if key == "nodata_value" else FARTHEST
        none = (key, text) == ("nodata_value", "nan")
        head[key] = nan if none else read_finite(text, where, most)
        if key in WHOLE and not head[key].is_integer():
            raise InvalidValue(f"{key} {text}: expected a whole number", where)
        if key == "cellsize" and head[key] <= 0:
            raise InvalidValue(f"cellsize {text}: expected metres above 0", where)
    return head, count


def _given(head: Mapping[str, float], where: str, *keys: str) -> str:
    """Return the one of some keys that a header has."""
    given = [key for key in keys if key in head]
    if len(given) != 1:
        found = " and ".join(given) or f"{keys[0]} is missing"
        raise InvalidValue(f"{found}: expected {' or '.join(keys)} in the header", where)
    return given[0]


def _depths(words: list[str], none: float, where: str) -> Floats:
    """Return the numbers of a row, nan where there are no data."""
    try:
        numbers = np.array(words, np.float64)
    except ValueError:
        numbers = np.full(len(words), inf)
    if not _PLAIN.issuperset("".join(words)) or np.isinf(numbers).any():
        for word in words:  # raises for one of them, as 1_000
            if word.lower() != "nan":
                read_finite(word, where)
    # Programs that compute in single precision write the value for no data rounded.
    tolerance = abs(none) * (ROUNDED if abs(none) > HIGHEST else SINGLE)
    numbers[np.abs(numbers - none) <= tolerance] = nan
    wrong = np.abs(numbers) > HIGHEST
    if wrong.any():
        word = words[int(wrong.argmax())]
        raise InvalidValue(
            f"{word}: expected metres within {HIGHEST:g} of the level, or the value for no data, "
            f"{none:g}",
            where,
        )
    return numbers


def _read_csv(lines: list[str], name: str) -> Ground:
    numbered = [
        (f"{name}:{number}", line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    where, header = numbered[0] if numbered else (f"{name}:1", "")
    columns = [word.strip().lower() for word in header.split(",")]
    if sorted(columns) != ["depth", "x", "y"]:
        raise InvalidValue("expected a header x,y,depth", where)
    count = len(numbered) - 1
    if count > MOST_CELLS:
        _check_size(count, 1, name)
    x, y, depth = (columns.index(key) for key in ("x", "y", "depth"))
    points = np.empty((count, 3))
    for i, (where, line) in enumerate(numbered[1:]):
        words = line.split(",")
        if len(words) != 3:
            raise InvalidValue(f"{line!r}: expected three numbers, with decimal points", where)
        place = [read_finite(words[k], where, FARTHEST) for k in (x, y)]
        points[i] = *place, _depths([words[depth].strip()], nan, where)[0]
        if points[i, 2] == NO_DATA:
            raise InvalidValue(f"{line!r}: expected nan where the depth is unknown", where)
    return _gridded(points, name)


def _gridded(points: Floats, name: str) -> Ground:
    """Return the grid of points (n, 3) in any order."""
    xs, ys = np.unique(points[:, 0]), np.unique(points[:, 1])
    order = np.lexsort((points[:, 0], points[:, 1]))
    sorted_points = points[order]
    full = len(xs) >= 2 and len(ys) >= 2 and len(xs) * len(ys) == len(points)
    if not full or not np.array_equal(
        sorted_points[:, :2], np.column_stack((np.tile(xs, len(ys)), np.repeat(ys, len(xs))))
    ):
        raise InvalidValue(
            f"{name}: {len(points)} points: expected a full grid, each point once, "
            f"{len(xs)} x by {len(ys)} y"
        )
    spacing = float(xs[1] - xs[0])
    gaps = np.concatenate((np.diff(xs), np.diff(ys)))
    if np.abs(gaps - spacing).max() > EQUAL * spacing:
        raise InvalidValue(f"{name}: expected equally spaced points in x and in y")
    depths = sorted_points[:, 2].reshape(len(ys), len(xs))
    return Ground(name, float(xs[0]), float(ys[0]), spacing, depths)


def _check_size(rows: int, columns: int, name: str) -> None:
    if rows < 2 or columns < 2:
        raise InvalidValue(f"{name}: {rows} by {columns} points: expected at least two by two")
    if rows * columns > MOST_CELLS:
        memory = rows * columns * 8 / 1e6
        raise InvalidValue(
            f"{name}: {rows * columns} cells would take {memory:.0f} MB: expected at most "
            f"{MOST_CELLS} cells"
        )
