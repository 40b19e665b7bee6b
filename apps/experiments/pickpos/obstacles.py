"""Command line of ``gen_obstacles``: obstacles at random, as MOOS-IvP's program of that name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, dist, pi, sin
from random import Random
from typing import NamedTuple

from steerageway.apps.experiments.pickpos.command import polygon_of, run_seeded
from steerageway.apps.experiments.pickpos.picking import Point, Polygon, contains, inside, rounded
from steerageway.apps.shared.terminal import say
from steerageway.declarations import Number, Whole, unknown
from steerageway.moos.errors import FormatError
from steerageway.moos.values import trimmed

CORNERS = 8
HELP = """\
usage: {prog} --poly=X,Y:X,Y:... [options]

Print obstacles at random positions in a region, in the format of an obstacle file, as MOOS-IvP's
gen_obstacles does; but what is random depends on the seed alone.

  --amt=N          obstacles (1)
  --min_range=M    least distance between them [m] (2)
  --min_size=M, --max_size=M   their diameters [m] (6, 10)
  --meter          corners at whole metres, not tenths
  --seed=N         of what is random (0)

exit: 0 done   2 an option is invalid, or there is no room for so many"""


@dataclass(slots=True)
class Field:
    """A field of obstacles; the defaults are MOOS-IvP's.

    Attributes:
        region: in which they are.
        amount: of obstacles; apart: least distance between them [m].
        smallest, largest: diameters [m]; step: corners are rounded to it [m].
    """

    region: Polygon = ()
    amount: int = 1
    apart: float = 2.0
    smallest: float = 6.0
    largest: float = 10.0
    step: float = 0.1


class Obstacle(NamedTuple):
    """A regular polygon in a circle."""

    centre: Point
    radius: float
    corners: Polygon


_KEYS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "--poly": ("region", polygon_of),
    "--amt": ("amount", Whole(low=1, high=1000)),
    "--min_range": ("apart", Number(low=0.0)),
    "--min_size": ("smallest", Number(above=0.0)),
    "--max_size": ("largest", Number(above=0.0)),
}


def main(arguments: Sequence[str] | None = None, prog: str = "gen_obstacles") -> int:
    """Print obstacles, and return the exit code."""

    def act(rest: Sequence[str], rng: Random) -> None:
        say(obstacle_file(rest, rng), end="")

    return run_seeded(arguments, HELP.format(prog=prog), "gen_obstacles", act)


def obstacle_file(arguments: Sequence[str], rng: Random) -> str:
    """Return the text of an obstacle file.

    Args:
        arguments: of the command line. rng: decides what is random.

    Raises:
        FormatError: an option is not valid, or there is no room.
    """
    wanted = Field()
    for argument in arguments:
        _read(wanted, argument)
    if not wanted.region:
        raise FormatError("gen_obstacles", "--poly", "", "expected a region X,Y:X,Y:X,Y")
    wanted.largest = max(wanted.largest, wanted.smallest)
    lines = (
        f"# gen_obstacles {' '.join(arguments)}",
        f"region    = pts={{{_points(wanted.region)}}}",
        f"min_range = {trimmed(wanted.apart, 2)}",
        f"min_size  = {trimmed(wanted.smallest, 2)}",
        f"max_size  = {trimmed(wanted.largest, 2)}",
        *(
            f"poly = pts={{{_points(one.corners)}}},label=ob_{number}"
            for number, one in enumerate(_obstacles(wanted, rng))
        ),
    )
    return "".join(f"{line}\n" for line in lines)


def _read(wanted: Field, argument: str) -> None:
    """Read one option."""
    key, mark, value = argument.partition("=")
    if argument == "--meter":
        wanted.step = 1.0
        return
    if not mark or key not in _KEYS:
        raise FormatError("gen_obstacles", argument, "", str(unknown(key, [*_KEYS, "--meter"])))
    name, reader = _KEYS[key]
    try:
        setattr(wanted, name, reader(value))
    except ValueError as error:
        raise FormatError("gen_obstacles", key, value, str(error)) from error


def _obstacles(wanted: Field, rng: Random) -> list[Obstacle]:
    """Return obstacles, each in the region and apart from the others.

    Raises:
        FormatError: there is no room for them.
    """
    found: list[Obstacle] = []
    positions = inside([wanted.region], rng)
    while len(found) < wanted.amount:
        radius = rng.uniform(wanted.smallest, wanted.largest) / 2
        tries = (_obstacle(centre, radius, wanted.step) for centre in positions)
        fitting = (one for one in tries if _fits(one, found, wanted))
        found.append(next(fitting))
    return found


def _obstacle(centre: Point, radius: float, step: float) -> Obstacle:
    angles = [pi * (2 * number + 1) / CORNERS for number in range(CORNERS)]
    corners = [
        (rounded(centre[0] + radius * cos(a), step), rounded(centre[1] + radius * sin(a), step))
        for a in angles
    ]
    return Obstacle(centre, radius, corners)


def _fits(one: Obstacle, others: Sequence[Obstacle], wanted: Field) -> bool:
    return all(contains(wanted.region, *corner) for corner in one.corners) and all(
        dist(one.centre, other.centre) >= one.radius + other.radius + wanted.apart
        for other in others
    )


def _points(polygon: Polygon) -> str:
    return ":".join(f"{trimmed(x, 2)},{trimmed(y, 2)}" for x, y in polygon)


if __name__ == "__main__":
    sys.exit(main())
