"""``BHV_OpRegionRecover``: steer back into a region.

Source: BHV_OpRegionRecover of the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.helm.behaviors.base import NAVIGATION, Behavior
from apps.helm.geometry import bearing
from apps.helm.op_region.drawing import HINTS, RegionNews, region_text
from apps.helm.op_region.way_back import WayBack
from apps.helm.readers import number, word
from apps.helm.settings import CommonSettings, SettingError, parameter, repeated
from apps.helm.shapes import HintReader, Hints
from apps.helm.world import World
from ivp import Function, Peak, peak
from moos import view
from moos.polygon import Polygon, parse_polygon


@dataclass
class OpRegionRecoverSettings(CommonSettings):
    """What it can be told."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        **dict.fromkeys(
            ("trigger_entry_time", "trigger_exit_time", "reset_var"),
            "it steers back whenever the vessel is outside",
        ),
    }
    polygon: Polygon | None = parameter(  # noqa: RUF009
        "",
        parse_polygon,
        "convex polygon to come back to; it, or dynamic_region_var, must be given",
    )
    buffer_dist: float = parameter(
        "0", number(low=0), "inside, nearer than this to the edge, it steers inwards too [m]"
    )
    dynamic_region_var: str | None = parameter("", word, "variable whose text is another polygon")
    opregion_poly_var: str | None = parameter("", word, "variable the polygon is posted as")
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS), "key=value,key=value: sizes and colours of what is drawn; repeatable"
    )


class OpRegionRecover(Behavior[OpRegionRecoverSettings]):
    """Wishes nothing inside; outside, the courses that lead in, the better the shorter the way.

    Within ``buffer_dist`` of the edge, it wishes the course to the polygon's centre. Draws the
    polygon as `VIEW_POLYGON`.
    """

    settings_class = OpRegionRecoverSettings
    needs = ("course",)

    def __init__(self, kind: str, settings: OpRegionRecoverSettings, world: World) -> None:
        self._way_back = WayBack()
        self._news = RegionNews(self)
        super().__init__(kind, settings, world)

    def check(self, settings: OpRegionRecoverSettings, fields: frozenset[str]) -> None:
        if settings.polygon is None and settings.dynamic_region_var is None:
            raise SettingError("polygon", "", "expected a convex polygon")

    def run(self) -> Function | None:
        s, ship, variable = self.settings, self.world.ownship, self.world.domain["course"]
        here = (ship.x, ship.y)
        self._take_region()
        if s.polygon is None:
            return None
        self._draw(s.polygon)
        if not s.polygon.contains(here):
            return self._way_back.wish(variable, s.polygon, here, ship.heading)
        self._way_back.forget()
        if s.polygon.distance_to_edge(here) >= s.buffer_dist:
            return None
        inwards = Peak(bearing(here, s.polygon.centroid), basewidth=180)
        return peak(variable, inwards, wrap=True)

    def _take_region(self) -> None:
        """Take another polygon if one was heard."""
        told = self._news.take(self.settings.dynamic_region_var)
        if told is not None:
            self.settings.polygon = told
            self._way_back.forget()

    @property
    def _label(self) -> str:
        return f"{self.world.community}_{self.settings.name}"

    def _draw(self, polygon: Polygon) -> None:
        text = region_text(polygon, self.settings.visual_hints, self._label)
        self.post("VIEW_POLYGON", text)
        if variable := self.settings.opregion_poly_var:
            self.post(variable, text)

    def on_run_to_idle(self) -> None:
        self.post("VIEW_POLYGON", view.erased_seglist(self._label))

    def publishes(self, settings: OpRegionRecoverSettings) -> Iterable[str]:
        yield "VIEW_POLYGON"
        if settings.opregion_poly_var:
            yield settings.opregion_poly_var

    def listens(self, settings: OpRegionRecoverSettings) -> Iterable[str]:
        yield from NAVIGATION
        if settings.dynamic_region_var:
            yield settings.dynamic_region_var
