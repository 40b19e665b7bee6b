"""Convex polygons in MOOS-IvP's notations (points, or a shape's measures), and their geometry.

    pts={60,-40:60,-160:150,-160},label=area        x and y [m]
    60,-40:60,-160:150,-160:label,area
    format=radial,x=0,y=40,radius=60,pts=6,snap=1   or radial::x=0,...   or radial:0,40,60,6
    format=ellipse,x=0,y=40,major=100,minor=60,pts=12,degs=45
    format=wedge,x=0,y=0,lang=330,rang=30,range=50,pts=6
    format=rangewedge,x=0,y=0,lang=0,rang=5,range_min=20,range_max=50
    format=pylon,x1=0,y1=0,x2=30,y2=0,axis_pad=5,perp_pad=8
    format=oval,x=0,y=0,rad=10,len=60,ang=45

Angles are compass degrees, except the ellipse's: counter-clockwise from east. An ellipse's major
and minor are whole axes. Source: MOOS-IvP's XYFormatUtilsPoly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import atan2, cos, degrees, dist, inf, pi, radians, sin, tau

from steerageway.declarations import Doubted
from steerageway.geometry.geodesy import check_local
from steerageway.moos.measures import Measures
from steerageway.moos.polygon_shapes import SHAPES, PolygonError
from steerageway.moos.seglist import Point, SegListError, parse_seglist, properties
from steerageway.moos.values import by_key, snap

__all__ = ["Polygon", "PolygonError", "is_convex", "parse_polygon", "polygon_nearby"]

ARC_STEP = 15.0  # largest angle between two points of a round corner [deg]
DIGITS = 5  # decimals when written: with few, a convex polygon may become concave


@dataclass(frozen=True, slots=True)
class Polygon:
    """A convex polygon.

    Attributes:
        points: corners (x, y) [m] in the given order, in either sense; at least 3.
        fields: the properties in the text (label, colours, ...).
        doubts: what of the text is ignored, and why.
    Raises:
        PolygonError: the corners do not form a convex polygon.
    """

    points: tuple[Point, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not is_convex(self.points):
            raise PolygonError("expected at least 3 corners of a convex polygon")

    def far_corners(self) -> Iterator[str]:
        """Yield why it is doubtful that it is meant, if it is far from the datum."""
        try:
            for corner in self.points:
                check_local(*corner)
        except ValueError as error:
            yield str(error)

    @property
    def edges(self) -> list[tuple[Point, Point]]:
        """The edges; the last one leads from the last corner to the first."""
        return list(zip(self.points, self.points[1:] + self.points[:1], strict=True))

    @property
    def clockwise(self) -> bool:
        """Whether the corners are in clockwise order."""
        return sum(_cross(a, b) for a, b in self.edges) < 0

    @property
    def centroid(self) -> Point:
        """The centroid of its area."""
        crosses = [_cross(a, b) for a, b in self.edges]
        thrice = 3 * sum(crosses)
        x = sum((a[0] + b[0]) * c for (a, b), c in zip(self.edges, crosses, strict=True))
        y = sum((a[1] + b[1]) * c for (a, b), c in zip(self.edges, crosses, strict=True))
        return x / thrice, y / thrice

    @property
    def center(self) -> Point:
        """The centre of its bounding box."""
        xs, ys = zip(*self.points, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def contains(self, point: Point) -> bool:
        """Whether a point is inside or on the boundary."""
        side = -1.0 if self.clockwise else 1.0
        return all(side * turn(a, b, point) >= 0 for a, b in self.edges)

    def faces(self, point: Point) -> list[bool]:
        """Return for each edge whether it faces a point; False for all if the point is inside."""
        side = -1.0 if self.clockwise else 1.0
        return [side * turn(a, b, point) < 0 for a, b in self.edges]

    def in_sight(self, point: Point) -> list[bool]:
        """Return for each corner whether it is visible from a point outside."""
        faces = self.faces(point)
        return [one or other for one, other in zip(faces, faces[-1:] + faces[:-1], strict=True)]

    def distance_to_edge(self, point: Point) -> float:
        """Return the distance from a point to the boundary, from inside or outside [m]."""
        return min(dist(_nearest_on_segment(a, b, point), point) for a, b in self.edges)

    def nearest(self, point: Point) -> Point:
        """Return the polygon's point nearest to a point: the point itself if inside."""
        if self.contains(point):
            return point
        found = (_nearest_on_segment(a, b, point) for a, b in self.edges)
        return min(found, key=lambda other: dist(other, point))

    def distance(self, point: Point) -> float:
        """Return the distance of a point to the polygon [m]; 0 inside."""
        return 0.0 if self.contains(point) else self.distance_to_edge(point)

    def ray_distance(self, start: Point, heading: float) -> float | None:
        """Return the distance to the boundary on a compass heading [m]; None if it is not hit."""
        angle = radians(heading)
        along = (sin(angle), cos(angle))
        ways = [_ray_meets(start, along, a, b) for a, b in self.edges]
        return min((way for way in ways if way is not None), default=None)

    def moved(self, dx: float, dy: float) -> Polygon:
        """Return the polygon, translated."""
        return Polygon(tuple((x + dx, y + dy) for x, y in self.points), self.fields)

    def grown(self, by: float) -> Polygon:
        """Return the polygon of all points within a distance, with rounded corners.

        Args:
            by: the distance [m], > 0.
        """
        ring = self.points if not self.clockwise else self.points[::-1]
        found: list[Point] = []
        for before, corner, after in zip(
            ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True
        ):
            first, last = _normal(before, corner), _normal(corner, after)
            sweep = (last - first) % tau
            count = max(1, int(degrees(sweep) / ARC_STEP + 1))
            for k in range(count + 1):
                angle = first + sweep * k / count
                found.append((corner[0] + by * cos(angle), corner[1] + by * sin(angle)))
        return Polygon(tuple(found), self.fields)


def is_convex(points: tuple[Point, ...]) -> bool:
    """Whether points, in this order, are the corners of a convex polygon with an area."""
    ring = tuple(p for p, q in zip(points, points[-1:] + points[:-1], strict=True) if p != q)
    if len(ring) < 3:
        return False
    corners = zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True)
    # Convex: all turns to one side, one full turn in all (a star has more), and no reversal.
    turns = [_turning(*corner) for corner in corners]
    same_side = min(turns) >= -1e-9 or max(turns) <= 1e-9
    back = max(map(abs, turns)) > pi - 1e-9  # a turn back on its own way: all lie on a line
    return same_side and not back and abs(abs(sum(turns)) - tau) < 1e-6


def turn(a: Point, b: Point, c: Point) -> float:
    """Return a number > 0 if c is to port of the line from a to b, < 0 to starboard, 0 on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def parse_polygon(text: str) -> Polygon:
    """Parse a convex polygon in any of MOOS-IvP's notations.

    Raises:
        PolygonError: it has none of them, or is not convex.
    """
    text = text.strip()
    if "pts={" in text.replace(" ", ""):
        return _from_points(text)
    kind, fields = _shape_fields(text)
    if not kind:
        return _from_points(text)
    make, names = SHAPES[kind]
    drawing = properties(fields, PolygonError, (*names, "z", "snap"))
    measures = Measures(fields, PolygonError)
    return Polygon(_snapped(make(measures), measures.value("snap", 0.0)), drawing)


polygon_nearby = Doubted(parse_polygon, lambda text: parse_polygon(text).far_corners())
"""Reads a convex polygon, with a doubt about one that is far from the datum."""


def _from_points(text: str) -> Polygon:
    try:
        listed = parse_seglist(text)
    except SegListError as error:
        raise PolygonError(str(error)) from error
    return Polygon(listed.points, listed.fields, listed.doubts)


def _shape_fields(text: str) -> tuple[str, dict[str, str]]:
    """Return a shape's kind and its measures; kind "" if the text is no shape."""
    kind, colon, rest = text.partition(":")
    kind, rest = kind.strip().lower(), rest.lstrip(": ")
    if kind not in SHAPES or not colon:
        rest = text
    elif kind == "radial" and "=" not in rest:
        return kind, _positional(rest)
    fields = by_key(rest)
    kind = fields.pop("format", kind if colon else "").lower()
    if "format=" in rest.replace(" ", "") and kind not in SHAPES:
        raise PolygonError(f"expected format to be one of {', '.join(SHAPES)}, found {kind!r}")
    return (kind, fields) if kind in SHAPES else ("", {})


def _positional(text: str) -> dict[str, str]:
    values = [value.strip() for value in text.split(",")]
    if not 4 <= len(values) <= 6:
        raise PolygonError("expected radial:x,y,radius,points and perhaps ,snap and ,label")
    names = ("x", "y", "radius", "pts", "snap", "label")
    return dict(zip(names, values, strict=False))


def _snapped(points: tuple[Point, ...], step: float) -> tuple[Point, ...]:
    """Round corners to a grid, unless the polygon would become concave."""
    rounded = tuple((snap(x, step), snap(y, step)) for x, y in points)
    return rounded if step > 0 and is_convex(rounded) else points


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - b[0] * a[1]


def _turning(a: Point, b: Point, c: Point) -> float:
    """Return the angle by which the path a, b, c turns to port at b [rad]."""
    along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return atan2(turn(a, b, c), along)


def _normal(a: Point, b: Point) -> float:
    """Return the mathematical angle of the normal to starboard of the line from a to b [rad]."""
    return atan2(-(b[0] - a[0]), b[1] - a[1])


def _nearest_on_segment(a: Point, b: Point, point: Point) -> Point:
    along = (b[0] - a[0], b[1] - a[1])
    squared = along[0] ** 2 + along[1] ** 2
    share = 0.0
    if squared > 0:
        share = ((point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1]) / squared
    share = min(max(share, 0.0), 1.0)
    return a[0] + share * along[0], a[1] + share * along[1]


def _ray_meets(start: Point, along: Point, a: Point, b: Point) -> float | None:
    """Return the distance along a ray (a unit vector) to an edge; None if it misses it."""
    edge = (b[0] - a[0], b[1] - a[1])
    off = (a[0] - start[0], a[1] - start[1])
    across = _cross(along, edge)
    if across == 0.0:
        return None
    way, share = _cross(off, edge) / across, _cross(off, along) / across
    return way if 0 <= way < inf and -1e-12 <= share <= 1 + 1e-12 else None
