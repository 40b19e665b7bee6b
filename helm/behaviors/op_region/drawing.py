"""Regions as ``VIEW_POLYGON``, and regions received in a variable."""

from __future__ import annotations

from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.shapes import Hints, hinted, look_of
from steerageway.moos import view
from steerageway.moos.polygon import Polygon, PolygonError, parse_polygon
from steerageway.moos.values import by_key

HINTS = by_key("vertex_size=1,edge_size=1,vertex_color=white,edge_color=aqua,label_color=white")


def region_text(polygon: Polygon, hints: tuple[Hints, ...], label: str, kind: str = "") -> str:
    """Return the ``VIEW_POLYGON`` of a region.

    Args:
        kind: prefix of the hints, if one behavior draws several regions: "save".
    """
    looks = hinted(hints, HINTS)
    own = {key: looks.get(f"{kind}_{key}", looks[key]) for key in HINTS}
    return view.seglist(polygon.points, look_of(own, label), digits=2)


class RegionReader:
    """Reads regions from a variable."""

    def __init__(self, behavior: AnyBehavior) -> None:
        self._behavior = behavior
        self._received: float | None = None

    def take(self, variable: str | None) -> Polygon | None:
        """Return the region received since the last call, if any; warn of an invalid one."""
        world = self._behavior.world
        received = world.received.get(variable) if variable else None
        if variable is None or received == self._received:
            return None
        self._received = received
        try:
            return parse_polygon(str(world.values[variable]))
        except PolygonError as error:
            self._behavior.warn(f"{variable}: {error}")
            return None
