"""Convex grids of square cells with values, the text of ``VIEW_GRID``.

    pts={-50,-40:50,-40:50,60},cell_size=5,cell_vars=x:0:y:0,cell_min=x:0,cell_max=x:10,
    cell=3:x:2,label=psg

Cells are numbered from 0, column by column from the west, each from the south; cells that do not
overlap the region are left out. Each has values of all variables, here x and y, by default 0; other
values are listed. Source: MOOS-IvP's XYConvexGrid and XYGridUpdate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor, inf

from steerageway.declarations import all_finite
from steerageway.moos.measures import POSITIVE, Measures
from steerageway.moos.polygon import Polygon, PolygonError, parse_polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, trimmed
from steerageway.moos.view import points_text

SAME = 1e-9  # a smaller overlap counts as none [m], [m^2]


class GridError(ValueError):
    """A text is no grid; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class CellVariable:
    """A variable of every cell: its initial value, and its bounds."""

    name: str
    initial: float
    low: float = -inf
    high: float = inf


class Grid:
    """A grid, and the values of its first variable, a counter.

    Args:
        region: the region that cells overlap.
        cell_size: their edge [m], > 0.
        variables: at least one.
    """

    def __init__(
        self, region: Polygon, cell_size: float, variables: Iterable[CellVariable]
    ) -> None:
        self.region = region
        self._sides = _sides(region)
        self.cell_size = cell_size
        self.variables = tuple(variables)
        xs, ys = zip(*region.points, strict=True)
        self._corner = min(xs), min(ys)
        columns, rows = (
            max(1, ceil((max(side) - min(side)) / cell_size - SAME)) for side in (xs, ys)
        )
        places = ((i, j) for i in range(columns) for j in range(rows))
        kept = (place for place in places if self._overlaps(*place))
        self._index = {place: number for number, place in enumerate(kept)}
        self._values: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._index)

    @property
    def counted(self) -> CellVariable:
        """The counter."""
        return self.variables[0]

    def cell_at(self, point: Point) -> int | None:
        """Return the number of the cell that contains a point; None if there is none."""
        i, j = (
            floor((at - start) / self.cell_size)
            for at, start in zip(point, self._corner, strict=True)
        )
        return self._index.get((i, j))

    def corners(self) -> Iterator[Point]:
        """Return the south-west corner of every cell, in the order of their numbers [m]."""
        for i, j in self._index:
            yield self._corner[0] + i * self.cell_size, self._corner[1] + j * self.cell_size

    def value(self, cell: int) -> float:
        """Return the counter of a cell."""
        return self._values.get(cell, self.counted.initial)

    def add(self, cell: int, amount: float) -> float:
        """Add to the counter of a cell, within its bounds; return the change."""
        before = self.value(cell)
        after = min(max(before + amount, self.counted.low), self.counted.high)
        self._values[cell] = after
        return after - before

    def reset(self) -> None:
        """Reset every cell to its initial values."""
        self._values.clear()

    def text(self, label: str) -> str:
        """Return the grid with its cells' values as text."""
        bounds = [
            f"cell_{which}={':'.join(f'{name}:{trimmed(bound)}' for name, bound in found)}"
            for which in ("min", "max")
            if (found := list(self._bounds(which)))
        ]
        initial = ":".join(f"{one.name}:{trimmed(one.initial)}" for one in self.variables)
        cells = [
            f"cell={cell}:{self.counted.name}:{trimmed(value)}"
            for cell, value in sorted(self._values.items())
            if value != self.counted.initial
        ]
        fields = [
            f"pts={{{points_text(self.region.points, 2)}}}",
            f"cell_size={trimmed(self.cell_size)}",
            f"cell_vars={initial}",
            *bounds,
            *cells,
            f"label={label}",
        ]
        return ",".join(fields)

    def delta_text(self, label: str, changes: Mapping[int, float]) -> str:
        """Return changes of cells as text: ``psg@3,x,1:7,x,2``."""
        name = self.counted.name
        text = (f"{cell},{name},{trimmed(change)}" for cell, change in changes.items())
        return f"{label}@{':'.join(text)}"

    def _bounds(self, which: str) -> Iterator[tuple[str, float]]:
        for one in self.variables:
            bound = one.low if which == "min" else one.high
            if abs(bound) < inf:
                yield one.name, bound

    def _overlaps(self, column: int, row: int) -> bool:
        """Whether a cell overlaps the region: no edge of it separates them (separating axes).

        The cell's own edges need no test: all cells lie in the region's bounding box.
        """
        size = self.cell_size
        west, south = self._corner[0] + column * size, self._corner[1] + row * size
        for (x, y), (east, north) in self._sides:
            # The cell's corner farthest to port of the edge, which is the inside.
            inmost = (
                west if north > 0 else west + size,
                south + size if east > 0 else south,
            )
            if east * (inmost[1] - y) - north * (inmost[0] - x) <= SAME:
                return False
        return True


def _sides(region: Polygon) -> list[tuple[Point, Point]]:
    """Return start and direction of each edge, counter-clockwise: the inside is to port."""
    ring = [(b, a) for a, b in region.edges] if region.clockwise else region.edges
    return [(a, (b[0] - a[0], b[1] - a[1])) for a, b in ring]


def parse_grid(text: str) -> Grid:
    """Parse a grid; values of single cells are ignored.

    A side of a cell is 10 m by default; without ``cell_vars`` its variable is v, from ``init_val``.

    Raises:
        GridError: it is none.
    """
    fields = by_key(text)
    measures = Measures(fields, GridError)
    size = measures.value("cell_size", 10.0, POSITIVE)
    try:
        region = parse_polygon(f"pts={fields.get('pts', '')}")
    except PolygonError as error:
        raise GridError(str(error)) from error
    initial = dict(_values(fields, "cell_vars")) or {"v": measures.value("init_val", 0.0)}
    low, high = dict(_values(fields, "cell_min")), dict(_values(fields, "cell_max"))
    unknown = [name for name in (*low, *high) if name not in initial]
    if unknown:
        raise GridError(f"expected bounds of {', '.join(initial)} only, found {unknown[0]}")
    variables = [
        CellVariable(name, value, low.get(name, -inf), high.get(name, inf))
        for name, value in initial.items()
    ]
    outside = [one for one in variables if not one.low <= one.initial <= one.high]
    if outside:
        raise GridError(f"expected {outside[0].name} to begin within cell_min and cell_max")
    return Grid(region, size, variables)


def _values(fields: Mapping[str, str], key: str) -> Iterator[tuple[str, float]]:
    """Parse ``x:0:y:1``."""
    words = [word.strip() for word in fields.get(key, "").split(":")] if fields.get(key) else []
    names, numbers = words[::2], all_finite(words[1::2])
    if numbers is None or len(names) != len(numbers):
        raise GridError(f"expected {key}=NAME:VALUE, several of them with colons")
    return zip(names, numbers, strict=True)
