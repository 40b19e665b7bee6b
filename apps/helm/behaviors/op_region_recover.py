"""``BHV_OpRegionRecover``: steer back into a region.

Source: BHV_OpRegionRecover of the field.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.helm.behaviors.base import Behavior
from apps.helm.geometry import bearing
from apps.helm.op_region.way_back import WayBack
from apps.helm.readers import number
from apps.helm.settings import CommonSettings, SettingError, parameter
from apps.helm.world import World
from ivp import Function, Peak, peak
from moos.polygon import Polygon, parse_polygon


@dataclass
class OpRegionRecoverSettings(CommonSettings):
    """What it can be told."""

    polygon: Polygon | None = parameter(  # noqa: RUF009
        "", parse_polygon, "convex polygon to come back to; must be given"
    )
    buffer_dist: float = parameter(
        "0", number(low=0), "inside, nearer than this to the edge, it steers inwards too [m]"
    )


class OpRegionRecover(Behavior[OpRegionRecoverSettings]):
    """Wishes nothing inside; outside, the courses that lead in, the better the shorter the way.

    Within ``buffer_dist`` of the edge, it wishes the course to the polygon's centre.
    """

    settings_class = OpRegionRecoverSettings
    needs = ("course",)

    def __init__(self, kind: str, settings: OpRegionRecoverSettings, world: World) -> None:
        self._way_back = WayBack()
        super().__init__(kind, settings, world)

    def check(self, settings: OpRegionRecoverSettings, fields: frozenset[str]) -> None:
        if settings.polygon is None:
            raise SettingError("polygon", "", "expected a convex polygon")

    def run(self) -> Function | None:
        s, ship, variable = self.settings, self.world.ownship, self.world.domain["course"]
        here = (ship.x, ship.y)
        if s.polygon is None:
            return None
        if not s.polygon.contains(here):
            return self._way_back.wish(variable, s.polygon, here, ship.heading)
        self._way_back.forget()
        if s.polygon.distance_to_edge(here) >= s.buffer_dist:
            return None
        inwards = Peak(bearing(here, s.polygon.centroid), basewidth=180)
        return peak(variable, inwards, wrap=True)
