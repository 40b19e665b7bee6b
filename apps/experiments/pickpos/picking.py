"""Choice of positions, headings, speeds and names by the options of ``pickpos``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import atan2, cos, degrees, dist, radians, sin
from random import Random

from steerageway.apps.experiments.pickpos.words import COLORS, NAMES
from steerageway.moos.errors import FormatError
from steerageway.moos.values import trimmed

POSITION_STEP = 0.1  # positions are rounded to it [m]
SHRINKING = 0.9  # of the distance between positions, if there is no room for them
ATTEMPTS = 200_000  # positions drawn at all

Point = tuple[float, float]
Polygon = Sequence[Point]


@dataclass(slots=True)
class Choice:
    """What is chosen, and from what; the defaults are MOOS-IvP's.

    Attributes:
        amount: of vessels.
        polygons: for positions; circle: (x, y, radius), positions on it; positions: to choose
            from, as texts; lines: any texts to choose from.
        buffer: least distance of positions [m]; tries: to find one.
        heading: (low, high) [deg]; bearing: (x, y, relative bearing), which decides headings.
        speed: (low, high) [m/s]; heading_step, speed_step: they are rounded to these.
        names: to choose from, from number ``first`` on, ``reverse``: from the end.
        groups: to choose from, in turn if ``in_turn``.
        with_names, with_colors, with_numbers: whether these are printed.
        terse: whether keys such as ``x=`` are left out.
    """

    amount: int = 10
    polygons: list[Polygon] = field(default_factory=list)
    circle: tuple[float, float, float] | None = None
    positions: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    buffer: float = 10.0
    tries: int = 1000
    heading: tuple[float, float] | None = None
    bearing: tuple[float, float, float] | None = None
    speed: tuple[float, float] | None = None
    heading_step: float = 1.0
    speed_step: float = 0.1
    names: list[str] = field(default_factory=lambda: list(NAMES[0]))
    colors: list[str] = field(default_factory=lambda: list(COLORS))
    first: int = 0
    reverse: bool = False
    groups: list[str] = field(default_factory=list)
    in_turn: bool = False
    with_names: bool = False
    with_colors: bool = False
    with_numbers: bool = False
    terse: bool = False


def chosen(wanted: Choice, rng: Random) -> list[str]:
    """Return a line for each vessel.

    Raises:
        FormatError: there is no room for the positions, or there are too few to choose from.
    """
    numbers = range(wanted.first, wanted.first + wanted.amount)
    if wanted.with_numbers:
        return [str(number) for number in numbers]
    if wanted.lines and not wanted.positions:
        return _drawn(wanted.lines, wanted.amount, rng)
    positions = _positions(wanted, rng)
    headings = (
        rounded(one % 360.0, wanted.heading_step) for one in _headings(wanted, positions, rng)
    )
    names = list(reversed(wanted.names)) if wanted.reverse else wanted.names
    columns = [
        [_bare(text) if wanted.terse else text for text in positions],
        [trimmed(heading, 3) for heading in headings],
        [trimmed(rounded(speed, wanted.speed_step)) for speed in _speeds(wanted, rng)],
        [names[n % len(names)] for n in numbers] if wanted.with_names else [],
        [wanted.colors[n % len(wanted.colors)] for n in range(len(numbers))]
        if wanted.with_colors
        else [],
        list(_groups(wanted, rng)),
    ]
    keys = ("", "heading=", "speed=", "", "color=", "")
    is_keyed = bool(positions) and not wanted.terse
    keyed = [
        [f"{key if is_keyed else ''}{text}" for text in column]
        for key, column in zip(keys, columns, strict=True)
        if column
    ]
    return [",".join(row) for row in zip(*keyed, strict=True)] or [""] * wanted.amount


def _positions(wanted: Choice, rng: Random) -> list[str]:
    """Return positions as texts ``x=1,y=2``; [] if none are wanted."""
    if wanted.positions:
        return _drawn(wanted.positions, wanted.amount, rng)
    if wanted.polygons:
        points = _apart(wanted, rng)
    elif wanted.circle is not None:
        points = list(_around(wanted.circle, wanted.amount, rng))
    else:
        return []
    return [f"x={trimmed(x, 2)},y={trimmed(y, 2)}" for x, y in points]


def _apart(wanted: Choice, rng: Random) -> list[Point]:
    """Return points in the polygons, at the wanted distance, or less if there is no room."""
    positions = inside(wanted.polygons, rng)
    buffer = wanted.buffer
    while True:
        points: list[Point] = []
        while len(points) < wanted.amount:
            tries = islice(positions, wanted.tries)
            free = (one for one in tries if all(dist(one, p) >= buffer for p in points))
            if (found := next(free, None)) is None:
                break
            points.append(found)
        else:
            return points
        buffer *= SHRINKING


def inside(polygons: Sequence[Polygon], rng: Random) -> Iterator[Point]:
    """Return points in the polygons.

    Raises:
        FormatError: after too many of them.
    """
    xs, ys = zip(*(point for polygon in polygons for point in polygon), strict=True)
    for _ in range(ATTEMPTS):
        x = rounded(rng.uniform(min(xs), max(xs)), POSITION_STEP)
        y = rounded(rng.uniform(min(ys), max(ys)), POSITION_STEP)
        if any(contains(polygon, x, y) for polygon in polygons):
            yield x, y
    raise FormatError("pickpos", "--poly", "", "no room for so many positions in it")


def contains(polygon: Polygon, x: float, y: float) -> bool:
    """Whether a point is in a polygon, by the crossings of a ray to the east."""
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    crossed = (
        x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
        for (x1, y1), (x2, y2) in pairs
        if (y1 > y) != (y2 > y)
    )
    return sum(crossed) % 2 == 1


def _around(circle: tuple[float, float, float], amount: int, rng: Random) -> Iterator[Point]:
    """Return evenly spaced points on a circle."""
    x, y, radius = circle
    first = rng.uniform(0.0, 360.0)
    for number in range(amount):
        angle = radians(first + 360.0 * number / amount)
        yield x + radius * sin(angle), y + radius * cos(angle)


def _headings(wanted: Choice, positions: Sequence[str], rng: Random) -> Iterator[float]:
    """Return headings: drawn, or so that a point has a relative bearing."""
    if wanted.heading is not None:
        for _ in range(wanted.amount):
            yield rng.uniform(*wanted.heading)
    if wanted.bearing is not None:
        if not positions:
            raise FormatError("pickpos", "--hdg", "", "X,Y,BEARING: expected positions, too")
        x, y, relative = wanted.bearing
        for text in positions:
            values = dict(part.split("=", 1) for part in text.split(","))
            to_east, to_north = x - float(values["x"]), y - float(values["y"])
            yield degrees(atan2(to_east, to_north)) - relative


def _speeds(wanted: Choice, rng: Random) -> Iterator[float]:
    """Return a speed for each vessel; none if they are not wanted."""
    for _ in range(wanted.amount if wanted.speed else 0):
        yield rng.uniform(*wanted.speed or (0.0, 0.0))


def _groups(wanted: Choice, rng: Random) -> Iterator[str]:
    """Return a group for each vessel; none if there are no groups."""
    for index in range(wanted.amount if wanted.groups else 0):
        yield (
            wanted.groups[index % len(wanted.groups)]
            if wanted.in_turn
            else rng.choice(wanted.groups)
        )


def _drawn(texts: Sequence[str], amount: int, rng: Random) -> list[str]:
    if amount > len(texts):
        problem = f"expected at most {len(texts)}, the lines of the files"
        raise FormatError("pickpos", "--amt", str(amount), problem)
    return rng.sample(texts, amount)


def _bare(position: str) -> str:
    return ",".join(part.partition("=")[2] for part in position.split(","))


def rounded(value: float, step: float) -> float:
    """Return the nearest multiple of a step; the value itself for a step of 0."""
    return round(value / step) * step if step > 0 else value
