"""Current fields: water velocity as a function of place, depth and time, read from a file.

``read`` accepts two formats, distinguished by the file's suffix.

``.csv``: a header line, then one line per point. Columns, in any order: ``x``, ``y`` (east and
north of the datum [m]), optionally ``depth`` [m] and ``t`` (simulated time [s]), and ``east``,
``north`` (the water's velocity [m/s]). The points must form a full grid; the lines may be in
any order, and the grid lines need not be equally spaced. Between points the velocity is linear in
every coordinate; beyond the grid it is that of the nearest edge. Lines that start with # are
comments.

``.cfd``: a format of MOOS-IvP, whose distribution has two examples; no document defines it.
``//`` starts a comment. ``FieldName: A`` (or ``field_name``) names the field,
``Radius: 15`` is the radius of influence of a vector [m] (default 20), ``render_hint: ...`` is for
viewers. Every other line is a vector, ``x,y,magnitude,direction`` or
``x=45,y=5,mag=2.4,ang=130`` with the compass direction the water flows to; further keys are for
viewers. The velocity at a point is the mean of all vectors nearer than the radius R, each
weighted by (1 - distance/R)**2; where no vector is within R, the water is still.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import hypot, inf
from pathlib import Path
from typing import Protocol

from steerageway.geometry.marine import components
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import lines_of, read_finite

DEFAULT_RADIUS = 20.0
FASTEST = 100.0  # speed [m/s] beyond which a number is no current, but a filling for no data


class CurrentField(Protocol):
    """A current that depends on place and time."""

    def at(self, x: float, y: float, depth: float, t: float) -> tuple[float, float]:
        """Return the water's velocity (east, north) [m/s].

        Args:
            x, y: east and north of the datum [m].
            depth: depth below the surface [m].
            t: simulated time [s].
        """


@dataclass(frozen=True, slots=True)
class Grid:
    """A current on a rectangular grid.

    Attributes:
        axes: the ascending values of x, y, depth and t; a coordinate without effect has one value.
        velocities: (east, north) of every point, t varying fastest and x slowest.
    """

    axes: tuple[tuple[float, ...], ...]
    velocities: tuple[tuple[float, float], ...]

    def at(self, x: float, y: float, depth: float, t: float) -> tuple[float, float]:
        """Return the velocity (east, north) [m/s], linear between points."""
        corners = [(0, 1.0)]
        for axis, value in zip(self.axes, (x, y, depth, t), strict=True):
            low, share = _place(axis, value)
            corners = [
                (corner * len(axis) + index, weight * part)
                for corner, weight in corners
                for index, part in ((low, 1 - share), (low + 1, share))
                if part
            ]
        east = sum(weight * self.velocities[corner][0] for corner, weight in corners)
        north = sum(weight * self.velocities[corner][1] for corner, weight in corners)
        return east, north


def _place(axis: tuple[float, ...], value: float) -> tuple[int, float]:
    """Return the index of the grid line at or below a value, and the fraction to the next one."""
    if value <= axis[0]:
        return 0, 0.0
    if value >= axis[-1]:
        return len(axis) - 1, 0.0
    low = bisect_right(axis, value) - 1
    return low, (value - axis[low]) / (axis[low + 1] - axis[low])


@dataclass(frozen=True, slots=True)
class Vectors:
    """A current as vectors of limited influence, as in MOOS-IvP's ``.cfd`` files.

    Attributes:
        radius: radius of influence [m].
        vectors: (x, y, east, north).
    """

    radius: float
    vectors: tuple[tuple[float, float, float, float], ...]

    def at(self, x: float, y: float, depth: float, t: float) -> tuple[float, float]:
        """Return the velocity (east, north) [m/s]; independent of depth and time."""
        east = north = 0.0
        count = 0
        for vx, vy, v_east, v_north in self.vectors:
            distance = hypot(vx - x, vy - y)
            if distance < self.radius:
                weight = (1 - distance / self.radius) ** 2
                east, north, count = east + weight * v_east, north + weight * v_north, count + 1
        return (east / count, north / count) if count else (0.0, 0.0)


def read(path: Path) -> CurrentField:
    """Read a current field.

    Raises:
        InvalidValue: no such file, a suffix other than .csv or .cfd, or an invalid line;
            the error names file and line.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".cfd"):
        raise InvalidValue("expected a current field, a .csv or .cfd file", str(path))
    read_lines = _read_csv if suffix == ".csv" else _read_cfd
    return read_lines(lines_of(path), str(path))


COORDINATES = ("x", "y", "depth", "t")
VELOCITY = ("east", "north")


def _read_csv(text: list[str], name: str) -> Grid:
    lines = _numbered(text, "#")
    head_number, head = next(lines, (0, ""))
    columns = [column.strip().lower() for column in head.split(",")]
    needed = {"x", "y", *VELOCITY}
    if len(set(columns)) < len(columns) or not needed <= set(columns) <= needed | {"depth", "t"}:
        raise InvalidValue(
            f"{name}:{head_number}: {head!r}: expected a header x, y[, depth][, t], east, north"
        )
    points: dict[tuple[float, ...], tuple[float, float]] = {}
    for number, line in lines:
        fields = line.split(",")
        if len(fields) != len(columns):
            raise InvalidValue(f"{name}:{number}: {line!r}: expected {len(columns)} numbers")
        row = {
            column: read_finite(field, f"{name}:{number}", FASTEST if column in VELOCITY else inf)
            for column, field in zip(columns, fields, strict=True)
        }
        point = tuple(row.get(coordinate, 0.0) for coordinate in COORDINATES)
        if point in points:
            raise InvalidValue(f"{name}:{number}: {line!r}: expected each point once")
        points[point] = (row["east"], row["north"])
    return _grid(points, name)


def _grid(points: dict[tuple[float, ...], tuple[float, float]], name: str) -> Grid:
    if not points:
        raise InvalidValue(f"{name}: expected at least one point")
    axes = tuple(tuple(sorted(set(values))) for values in zip(*points, strict=True))
    velocities = []
    for point in product(*axes):
        if point not in points:
            where = ", ".join(f"{c} = {v:g}" for c, v in zip(COORDINATES, point, strict=True))
            raise InvalidValue(f"{name}: expected a full grid; the point {where} is missing")
        velocities.append(points[point])
    return Grid(axes, tuple(velocities))


def _read_cfd(lines: list[str], name: str) -> Vectors:
    radius = DEFAULT_RADIUS
    vectors = []
    for number, line in _numbered(lines, "//"):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            vectors.append(_vector(line, f"{name}:{number}"))
        elif key.lower() == "radius":
            radius = read_finite(value, f"{name}:{number}")
            if radius < 1:
                raise InvalidValue(f"{name}:{number}: {line!r}: expected a radius of 1 m or more")
        elif key.lower() not in ("fieldname", "field_name", "render_hint"):
            raise InvalidValue(
                f"{name}:{number}: {line!r}: expected FieldName, Radius, Render_Hint or a vector"
            )
    if not vectors:
        raise InvalidValue(f"{name}: expected at least one vector x,y,magnitude,direction")
    return Vectors(radius, tuple(vectors))


def _vector(line: str, where: str) -> tuple[float, float, float, float]:
    fields = line.split(",")
    if "=" in line:
        pairs = (field.partition("=") for field in fields)
        given = {key.strip().lower(): value for key, _, value in pairs}
        fields = [given.get(key, "") for key in ("x", "y", "mag", "ang")]
    if len(fields) != 4:
        raise InvalidValue(f"{line!r}: expected x,y,magnitude,direction", where)
    most = (inf, inf, FASTEST, inf)
    x, y, magnitude, direction = (
        read_finite(field, f"{where}: {line!r}", limit)
        for field, limit in zip(fields, most, strict=True)
    )
    return x, y, *components(direction, magnitude)


def _numbered(lines: Iterable[str], comment: str) -> Iterator[tuple[int, str]]:
    """Return the lines that are not empty or comments, with their numbers."""
    for number, line in enumerate(lines, start=1):
        stripped = line.partition(comment)[0].strip()
        if stripped:
            yield number, stripped
