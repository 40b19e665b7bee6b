"""Obstacle files, as read by ``uFldObstacleSim``.

    region    = pts={-60,-60:60,-60:60,60:-60,60}
    min_range = 10
    min_size  = 4
    max_size  = 8
    poly      = pts={3,4:9,4:6,9},label=ob_0

Obstacles lie in the region; range and sizes [m] are for random obstacles.
Source: MOOS-IvP's obstacle files.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from steerageway.declarations import Number
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import Line, cut_comment, split_line
from steerageway.moos.polygon import Polygon, PolygonError, parse_polygon

MEASURES = ("min_range", "min_size", "max_size")
KEYS = ("region", "poly", *MEASURES)


@dataclass(slots=True)
class ObstacleFile:
    """The contents of an obstacle file.

    Attributes:
        region: the region of obstacles; None if not given.
        obstacles: label -> polygon, in file order.
        min_range: least distance of two obstacles [m]; min_size, max_size: of one [m]; 0 if not
            given.
        unknown: lines with other keys.
        far: warnings of polygons far from the datum.
    """

    region: Polygon | None = None
    obstacles: dict[str, Polygon] = field(default_factory=dict)
    min_range: float = 0.0
    min_size: float = 0.0
    max_size: float = 0.0
    unknown: list[Line] = field(default_factory=list)
    far: list[str] = field(default_factory=list)

    @property
    def missing(self) -> tuple[str, ...]:
        """The missing keys that random obstacles need."""
        unset = tuple(key for key in MEASURES if not getattr(self, key))
        return unset if self.region else ("region", *unset)


def parse_obstacle_file(text: str, name: str) -> ObstacleFile:
    """Parse an obstacle file.

    Args:
        text: all of it; comments follow //, and lines that begin with # are comments.
        name: of the file, for errors.
    Raises:
        FormatError: a polygon or number is wrong, or a label is repeated.
    """
    found = ObstacleFile()
    for number, line_text in enumerate(text.splitlines(), 1):
        kept = cut_comment(line_text).strip()
        if kept and not kept.startswith("#"):
            _take(found, split_line(kept, f"{name}:{number}"))
    if 0 < found.max_size < found.min_size:
        raise FormatError(name, "max_size", f"{found.max_size:g}", "expected at least min_size")
    return found


def _take(found: ObstacleFile, line: Line) -> None:
    if line.key in MEASURES:
        setattr(found, line.key, line.read(Number(above=0.0)))
    elif line.key == "region":
        found.region = _polygon(line, found.far)
    elif line.key == "poly":
        polygon = _polygon(line, found.far)
        label = polygon.fields.get("label", f"ob_{len(found.obstacles)}")
        if label in found.obstacles:
            raise line.error(f"expected a label of its own: {label} is taken")
        found.obstacles[label] = polygon
    else:
        found.unknown.append(line)


def _polygon(line: Line, far: list[str]) -> Polygon:
    try:
        polygon = parse_polygon(line.value)
    except PolygonError as error:
        raise line.error(str(error)) from error
    far += [f"{line.where}: {line.key}: {why}" for why in polygon.far_corners()]
    return polygon
