"""Bathymetry: water depth on a regular grid.

``read`` accepts two formats. ESRI ASCII (``.asc``): ``ncols``, ``nrows``, ``xllcorner`` or
``xllcenter``, ``yllcorner`` or ``yllcenter``, ``cellsize``, ``NODATA_value``, then rows from north
to south. CSV: a header ``x,y,depth``, a line for each point of a full, equally spaced grid. x is
east and y north of the datum [m]. Depths are positive down from the mean level; between points
they are interpolated bilinearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite
from pathlib import Path

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import read_finite

MOST_CELLS = 10_000_000
UPWARD, DOWNWARD = "height", "depth"
HEAD = ("ncols", "nrows", "cellsize")
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
        u, v = column - j, row - i
        corners = self.depths[i : i + 2, j : j + 2]
        depth = float(
            (1 - v) * ((1 - u) * corners[0, 0] + u * corners[0, 1])
            + v * ((1 - u) * corners[1, 0] + u * corners[1, 1])
        )
        if not isfinite(depth):
            raise InvalidValue(
                f"{self.name}: x = {x:g}, y = {y:g} lies among cells without data: expected a grid "
                "with depths wherever vessels go"
            )
        return depth

    @property
    def memory(self) -> int:
        """Return the size of the grid in memory [bytes]."""
        return self.depths.nbytes


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
    text = path.read_text("utf-8", "replace")
    ground = _read_esri(text, str(path)) if suffix == ".asc" else _read_csv(text, str(path))
    if vertical == DOWNWARD:
        return ground
    return Ground(ground.name, ground.west, ground.south, ground.spacing, -ground.depths)


def _read_esri(text: str, name: str) -> Ground:
    lines = text.splitlines()
    head: dict[str, float] = {}
    while lines and len(head) < len(lines) and lines[len(head)][:1].isalpha():
        words = lines[len(head)].split()
        if len(words) != 2:
            raise InvalidValue(f"{name}:{len(head) + 1}: {lines[len(head)]!r}: expected KEY NUMBER")
        head[words[0].lower()] = read_finite(words[1], f"{name}:{len(head) + 1}")
    for key in HEAD:
        if key not in head:
            raise InvalidValue(f"{name}: {key} is missing: expected an ESRI ASCII grid's header")
    columns, rows, spacing = int(head["ncols"]), int(head["nrows"]), head["cellsize"]
    _check_size(rows, columns, name)
    numbers = np.array(" ".join(lines[len(head) :]).split(), np.float64)
    if numbers.size != rows * columns:
        raise InvalidValue(f"{name}: {numbers.size} numbers: expected {rows} rows of {columns}")
    depths = numbers.reshape(rows, columns)[::-1].copy()
    depths[depths == head.get("nodata_value", -9999.0)] = np.nan
    half = 0.5 * spacing
    west = head["xllcenter"] if "xllcenter" in head else head.get("xllcorner", 0.0) + half
    south = head["yllcenter"] if "yllcenter" in head else head.get("yllcorner", 0.0) + half
    return Ground(name, west, south, spacing, depths)


def _read_csv(text: str, name: str) -> Ground:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    columns = [word.strip().lower() for word in lines[0].split(",")] if lines else []
    if sorted(columns) != ["depth", "x", "y"]:
        raise InvalidValue(f"{name}:1: expected a header x,y,depth")
    if len(lines) - 1 > MOST_CELLS:
        _check_size(len(lines) - 1, 1, name)
    places = [columns.index(key) for key in ("x", "y", "depth")]
    points = np.empty((len(lines) - 1, 3))
    for i, line in enumerate(lines[1:]):
        words = line.split(",")
        if len(words) != 3:
            raise InvalidValue(f"{name}:{i + 2}: {line!r}: expected three numbers")
        points[i] = [read_finite(words[k], f"{name}:{i + 2}") for k in places]
    xs, ys = np.unique(points[:, 0]), np.unique(points[:, 1])
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) != len(points):
        raise InvalidValue(
            f"{name}: {len(points)} points: expected a full grid, {len(xs)} x by {len(ys)} y"
        )
    spacing = float(xs[1] - xs[0])
    gaps = np.concatenate((np.diff(xs), np.diff(ys)))
    if np.abs(gaps - spacing).max() > EQUAL * spacing:
        raise InvalidValue(f"{name}: expected equally spaced points in x and in y")
    order = np.lexsort((points[:, 0], points[:, 1]))
    depths = points[order, 2].reshape(len(ys), len(xs))
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
