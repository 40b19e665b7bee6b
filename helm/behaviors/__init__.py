"""Registry of the helm's behaviors by type. A new one is a module here and a line of this file."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from steerageway.helm.behaviors.base import AnyBehavior, Behavior, BehaviorError

__all__ = ["BEHAVIORS", "LEFT_OUT", "Behavior", "BehaviorError"]

LEFT_OUT = {
    "BHV_PModelView": "left out: it draws models of turns, and no decision depends on it"
}  # behaviors of MOOS-IvP that a file may name

_PLACES = {
    "BHV_AbortToPoint": "to_point:AbortToPoint",
    "BHV_Attractor": "attractor:Attractor",
    "BHV_AvdColregs": "avd_colregs.behavior:AvdColregs",
    "BHV_AvdColregsV17": "avd_colregs.behavior:AvdColregs",
    "BHV_AvdColregsV19": "avd_colregs.behavior:AvdColregs",
    "BHV_AvdColregsV22": "avd_colregs.behavior:AvdColregs",
    "BHV_AvdColregsV26": "avd_colregs.behavior:AvdColregs",
    "BHV_AvoidCollision": "avoid_collision:AvoidCollision",
    "BHV_AvoidObstacle": "avoid_obstacle.behavior:AvoidObstacle",
    "BHV_AvoidObstacleV21": "avoid_obstacle.behavior:AvoidObstacle",
    "BHV_AvoidObstacleV24": "avoid_obstacle.behavior:AvoidObstacle",
    "BHV_AvoidObstacleX": "avoid_obstacle.behavior:AvoidObstacle",
    "BHV_BearingLine": "drawings:BearingLine",
    "BHV_ConstantDepth": "constant:ConstantDepth",
    "BHV_ConstantHeading": "heading:ConstantHeading",
    "BHV_ConstantSpeed": "constant:ConstantSpeed",
    "BHV_Convoy": "convoy:Convoy",
    "BHV_CutRange": "cut_range:CutRange",
    "BHV_FixTurn": "fixed_turn:FixedTurn",
    "BHV_FixedTurn": "fixed_turn:FixedTurn",
    "BHV_FullStop": "full_stop:FullStop",
    "BHV_GoToDepth": "go_to_depth:GoToDepth",
    "BHV_HSLine": "drawings:HSLine",
    "BHV_HeadingBias": "heading:HeadingBias",
    "BHV_HeadingChange": "heading:HeadingChange",
    "BHV_HeadingHysteresis": "heading_memory:HeadingHysteresis",
    "BHV_Hysteresis": "heading_memory:Hysteresis",
    "BHV_LegRun": "leg_run.behavior:LegRun",
    "BHV_Loiter": "loiter:Loiter",
    "BHV_MaintainHeading": "heading:MaintainHeading",
    "BHV_MaxDepth": "limits:MaxDepth",
    "BHV_MaxSpeed": "limits:MaxSpeed",
    "BHV_MemoryTurnLimit": "heading_memory:MemoryTurnLimit",
    "BHV_MinAltitude": "limits:MinAltitude",
    "BHV_MinAltitudeX": "limits:MinAltitude",
    "BHV_OpRegion": "op_region.behavior:OpRegion",
    "BHV_OpRegionRecover": "op_region.recover:OpRegionRecover",
    "BHV_OpRegionV24": "op_region.v24:OpRegionV24",
    "BHV_PeriodicSpeed": "periodic_speed:PeriodicSpeed",
    "BHV_PeriodicSurface": "periodic_surface:PeriodicSurface",
    "BHV_Policy": "policy:PolicyValues",
    "BHV_RStationKeep": "relative_station_keep:RelativeStationKeep",
    "BHV_RangePulse": "drawings:RangePulse",
    "BHV_RubberBand": "rubber_band:RubberBand",
    "BHV_Shadow": "shadow:Shadow",
    "BHV_SimpleWaypoint": "to_point:SimpleWaypoint",
    "BHV_StationKeep": "station_keep:StationKeep",
    "BHV_TestFailure": "test_failure:TestFailure",
    "BHV_TimeOut": "timer:TimeOut",
    "BHV_Timer": "timer:Timer",
    "BHV_Trail": "trail:Trail",
    "BHV_Waypoint": "waypoint.behavior:Waypoint",
    "BHV_ZigZag": "zig_zag:ZigZag",
}


class _Registry(MutableMapping[str, type[AnyBehavior]]):
    """Behaviors by type; a module is imported when its type is first used."""

    def __init__(self, places: dict[str, str]) -> None:
        self._found: dict[str, str | type[AnyBehavior]] = {**places}

    def __getitem__(self, name: str) -> type[AnyBehavior]:
        found = self._found[name]
        if isinstance(found, str):
            module, _, class_name = found.partition(":")
            kind: type[AnyBehavior] = getattr(import_module(f"{__name__}.{module}"), class_name)
            self._found[name] = found = kind
        return found

    def __setitem__(self, name: str, kind: type[AnyBehavior]) -> None:
        self._found[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


BEHAVIORS = _Registry(_PLACES)
