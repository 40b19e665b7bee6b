"""Start positions of a fleet: in a pattern, at random, or from a file.

    line[:40]     side by side from west to east, heading north, 40 m apart
    grid[:40]     in rows, as close to a square as possible
    ring[:40]     on a circle, heading to its centre
    random[:40]   at least 40 m from each other, by the mission's seed
    FILE          a line for each vessel: x,y or x,y,heading; # begins a comment

Patterns are centred at (0, 0). Positions are in metres east and north of the datum, headings in
degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, cos, dist, pi, radians, sin, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from steerageway.declarations import finite
from steerageway.diagnostics.nearest import hint
from steerageway.geometry.geodesy import check_local
from steerageway.launcher.errors import LaunchError
from steerageway.moos.lines import decoded, file_bytes

SPACING = 40.0  # default distance between neighbours [m]
ROOM = 1.6  # side of the square for random starts, in spacings times the root of the count
ATTEMPTS = 1000  # random positions tried for a vessel before the square is enlarged
KINDS = "line, grid, ring or random, optionally with :METRES"


class Start(NamedTuple):
    """Where a vessel starts: position [m] and heading [deg]."""

    x: float
    y: float
    heading: float


def start_positions(given: str, count: int, seed: int) -> list[Start]:
    """Return the start positions of ``count`` vessels.

    Args:
        given: a pattern or a file, as above.
        count: of vessels.
        seed: of random starts.
    Raises:
        LaunchError: there is no such pattern or file, or the file has too few lines.
    """
    kind, _, apart = given.partition(":")
    if kind not in _PATTERNS:
        return _from_file(Path(given), count)
    return list(_PATTERNS[kind](count, _spacing(given, apart), seed))


def _spacing(given: str, apart: str) -> float:
    spacing = finite(apart) if apart else SPACING
    if spacing is None or spacing <= 0:
        raise LaunchError(f"--start {given}: expected {KINDS}, above 0")
    return spacing


def _line(count: int, spacing: float, seed: int) -> Iterator[Start]:
    for number in range(count):
        yield Start(spacing * (number - (count - 1) / 2), 0.0, 0.0)


def _grid(count: int, spacing: float, seed: int) -> Iterator[Start]:
    columns = ceil(sqrt(count))
    rows = ceil(count / columns)
    for number in range(count):
        row, column = divmod(number, columns)
        x, y = column - (columns - 1) / 2, row - (rows - 1) / 2
        yield Start(spacing * x, spacing * y, 0.0)


def _ring(count: int, spacing: float, seed: int) -> Iterator[Start]:
    radius = spacing / (2 * sin(pi / count)) if count > 1 else 0.0
    for number in range(count):
        bearing = 360.0 * number / count
        angle = radians(bearing)
        yield Start(radius * sin(angle), radius * cos(angle), (bearing + 180.0) % 360.0)


def _random(count: int, spacing: float, seed: int) -> Iterator[Start]:
    rng = Random(f"starts of {count} vessels, seed {seed}")
    side = ROOM * spacing * sqrt(count)
    taken: list[tuple[float, float]] = []
    while len(taken) < count:
        for _ in range(ATTEMPTS):
            place = (rng.uniform(-side / 2, side / 2), rng.uniform(-side / 2, side / 2))
            if all(dist(place, other) >= spacing for other in taken):
                taken.append(place)
                yield Start(*place, rng.uniform(0.0, 360.0))
                break
        else:
            side *= 1.1  # no free place was found


_PATTERNS: dict[str, Callable[[int, float, int], Iterator[Start]]] = {
    "line": _line,
    "grid": _grid,
    "ring": _ring,
    "random": _random,
}


def _from_file(path: Path, count: int) -> list[Start]:
    lines = _lines(path)
    stripped = ((number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1))
    found = [_from_line(f"{path}:{number}", line) for number, line in stripped if line]
    if len(found) < count:
        raise LaunchError(f"--start {path}: expected {count} lines, one a vessel: {len(found)}")
    return found[:count]


def _lines(path: Path) -> list[str]:
    try:
        return decoded(file_bytes(path)).splitlines()
    except FileNotFoundError:
        meant = hint(str(path).partition(":")[0], _PATTERNS)
        raise LaunchError(f"--start {path}: expected {KINDS}, or a file{meant}") from None
    except OSError as error:
        raise LaunchError(f"--start {path}: {error.strerror}") from error
    except ValueError:
        raise LaunchError(f"--start {path}: expected lines x,y,heading; this is no text") from None


def _from_line(where: str, line: str) -> Start:
    found = [finite(text) for text in line.split(",")]
    numbers = [number for number in found if number is not None]
    if len(found) not in (2, 3) or len(numbers) < len(found):
        raise LaunchError(f"{where}: {line}: expected x,y or x,y,heading")
    x, y, *heading = numbers
    try:
        check_local(x, y)
    except ValueError as error:
        raise LaunchError(f"{where}: {error}") from error
    return Start(x, y, heading[0] if heading else 0.0)
