"""``BHV_OpRegionRecover``: steer the vessel back into a region.

Source: BHV_OpRegionRecover of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.behaviors.op_region.behavior import OpRegionSettings
from steerageway.helm.behaviors.op_region.watch import (
    HINTS,
    RegionReader,
    RegionWatch,
    Reset,
    region_text,
)
from steerageway.helm.behaviors.op_region.way_back import WayBack
from steerageway.helm.settings import (
    CommonSettings,
    SettingError,
    parameter,
    same_as,
)
from steerageway.helm.shapes import Hints, convex_polygon, hints
from steerageway.helm.variables import VIEW_POLYGON
from steerageway.ivp import Function, couple, spd
from steerageway.moos import view
from steerageway.moos.polygon import Polygon


@dataclass
class OpRegionRecoverSettings(CommonSettings):
    """The behavior's parameters."""

    polygon: Polygon | None = parameter(
        "",
        convex_polygon,
        "convex polygon to return to; this or dynamic_region_var is required",
    )
    buffer_dist: float = parameter(
        "0", Number(low=0), "width of the zone around the polygon that belongs to the region [m]"
    )
    trigger_entry_time: float = parameter(
        "0", Number(low=0), "if above 0, the region is in effect only after this time inside it [s]"
    )
    trigger_exit_time: float = parameter(
        "0.5", Number(low=0), "time outside after which the region is breached [s]"
    )
    reset_var: str | None = parameter(
        "", word, "variable whose value true resets the breach and its times"
    )
    dynamic_region_var: str | None = parameter(
        "", word, "variable from which a new polygon is read"
    )
    opregion_poly_var: str | None = same_as(OpRegionSettings, "opregion_poly_var")
    visual_hints: tuple[Hints, ...] = hints(HINTS, tolerant=True)


class OpRegionRecover(Behavior[OpRegionRecoverSettings]):
    """Has no objective inside; outside, prefers courses that lead back inside, and a low speed.

    The shorter the distance on a course, the better. The speed's utility rises from 80 at 0.1 m/s
    to 100 at 0.3 m/s and falls to 30 at 0.5 m/s. Draws the region as `VIEW_POLYGON`.
    """

    publications = (VIEW_POLYGON,)
    settings_class = OpRegionRecoverSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._way_back, self._watch, self._reset = WayBack(), RegionWatch(), Reset(self.world)
        self._region_reader = RegionReader(self)

    def check(self, settings: OpRegionRecoverSettings, fields: frozenset[str]) -> None:
        if settings.polygon is None and settings.dynamic_region_var is None:
            raise SettingError("polygon", "", "expected a convex polygon")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        self._region = s.polygon
        if s.polygon is not None and s.buffer_dist > 0:
            self._region = s.polygon.grown(s.buffer_dist)
        self._pace = spd(self.world.domain["speed"], 0.3, 0.1, 0.5, 80, 30)

    def run(self) -> Function | None:
        ship, domain = self.world.ownship, self.world.domain
        self._take_region()
        if self._region is None:
            return None
        if self._reset.is_requested(self.settings.reset_var):
            self._watch.reset()
        self._draw(self._region)
        here = ship.place
        if not self._is_breached(inside=self._region.contains(here)):
            self._way_back.reset()
            return None
        course = self._way_back.objective(domain["course"], self._region, here, ship.heading)
        return couple(course, self._pace)

    def _is_breached(self, *, inside: bool) -> bool:
        s = self.settings
        times, armed = (s.trigger_entry_time, s.trigger_exit_time), s.trigger_entry_time <= 0.0
        return self._watch.update(self.world.time, *times, inside=inside, armed=armed)

    def _take_region(self) -> None:
        """Replace the polygon by one received in ``dynamic_region_var``."""
        region = self._region_reader.take(self.settings.dynamic_region_var)
        if region is not None:
            self.settings.polygon = region
            self.configured(frozenset())
            self._way_back.reset()

    def _draw(self, polygon: Polygon) -> None:
        text = region_text(polygon, self.settings.visual_hints, self.label)
        self.post("VIEW_POLYGON", text)
        if variable := self.settings.opregion_poly_var:
            self.post(variable, text)

    def withdraw(self) -> None:
        self.post("VIEW_POLYGON", view.erased_seglist(self.label))

    def listens(self, settings: OpRegionRecoverSettings) -> Iterable[str]:
        yield from NAVIGATION
        for name in (settings.dynamic_region_var, settings.reset_var):
            if name:
                yield name
