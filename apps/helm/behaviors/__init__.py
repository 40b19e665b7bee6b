"""The behaviors the helm knows. A new one is a file of this folder and a line here."""

from __future__ import annotations

from apps.helm.behaviors.abort_to_point import AbortToPoint
from apps.helm.behaviors.avd_colregs import AvdColregs
from apps.helm.behaviors.avoid_collision import AvoidCollision
from apps.helm.behaviors.avoid_obstacle import AvoidObstacle
from apps.helm.behaviors.base import AnyBehavior, Behavior, BehaviorError
from apps.helm.behaviors.bearing_line import BearingLine
from apps.helm.behaviors.constant_depth import ConstantDepth
from apps.helm.behaviors.constant_heading import ConstantHeading, MaintainHeading
from apps.helm.behaviors.constant_speed import ConstantSpeed
from apps.helm.behaviors.convoy import Convoy
from apps.helm.behaviors.cut_range import CutRange
from apps.helm.behaviors.fixed_turn import FixedTurn
from apps.helm.behaviors.full_stop import FullStop
from apps.helm.behaviors.go_to_depth import GoToDepth
from apps.helm.behaviors.heading_bias import HeadingBias
from apps.helm.behaviors.heading_change import HeadingChange
from apps.helm.behaviors.hs_line import HSLine
from apps.helm.behaviors.hysteresis import Hysteresis
from apps.helm.behaviors.leg_run import LegRun
from apps.helm.behaviors.loiter import Loiter
from apps.helm.behaviors.max_depth import MaxDepth
from apps.helm.behaviors.max_speed import MaxSpeed
from apps.helm.behaviors.memory_turn_limit import MemoryTurnLimit
from apps.helm.behaviors.min_altitude import MinAltitude
from apps.helm.behaviors.op_region import OpRegion
from apps.helm.behaviors.op_region_recover import OpRegionRecover
from apps.helm.behaviors.op_region_v24 import OpRegionV24
from apps.helm.behaviors.periodic_speed import PeriodicSpeed
from apps.helm.behaviors.periodic_surface import PeriodicSurface
from apps.helm.behaviors.range_pulse import RangePulse
from apps.helm.behaviors.relative_station_keep import RelativeStationKeep
from apps.helm.behaviors.shadow import Shadow
from apps.helm.behaviors.station_keep import StationKeep
from apps.helm.behaviors.test_failure import TestFailure
from apps.helm.behaviors.time_out import TimeOut
from apps.helm.behaviors.timer import Timer
from apps.helm.behaviors.trail import Trail
from apps.helm.behaviors.waypoint import Waypoint
from apps.helm.behaviors.zig_zag import ZigZag

__all__ = ["BEHAVIORS", "Behavior", "BehaviorError"]

BEHAVIORS: dict[str, type[AnyBehavior]] = {
    "BHV_AbortToPoint": AbortToPoint,
    "BHV_AvdColregs": AvdColregs,
    "BHV_AvdColregsV17": AvdColregs,
    "BHV_AvdColregsV19": AvdColregs,
    "BHV_AvdColregsV22": AvdColregs,
    "BHV_AvdColregsV26": AvdColregs,
    "BHV_AvoidCollision": AvoidCollision,
    "BHV_AvoidObstacle": AvoidObstacle,
    "BHV_AvoidObstacleV21": AvoidObstacle,
    "BHV_AvoidObstacleV24": AvoidObstacle,
    "BHV_AvoidObstacleX": AvoidObstacle,
    "BHV_BearingLine": BearingLine,
    "BHV_ConstantDepth": ConstantDepth,
    "BHV_ConstantHeading": ConstantHeading,
    "BHV_ConstantSpeed": ConstantSpeed,
    "BHV_Convoy": Convoy,
    "BHV_CutRange": CutRange,
    "BHV_FixedTurn": FixedTurn,
    "BHV_FullStop": FullStop,
    "BHV_GoToDepth": GoToDepth,
    "BHV_HSLine": HSLine,
    "BHV_HeadingBias": HeadingBias,
    "BHV_HeadingChange": HeadingChange,
    "BHV_Hysteresis": Hysteresis,
    "BHV_LegRun": LegRun,
    "BHV_Loiter": Loiter,
    "BHV_MaintainHeading": MaintainHeading,
    "BHV_MaxDepth": MaxDepth,
    "BHV_MaxSpeed": MaxSpeed,
    "BHV_MemoryTurnLimit": MemoryTurnLimit,
    "BHV_MinAltitude": MinAltitude,
    "BHV_MinAltitudeX": MinAltitude,
    "BHV_OpRegion": OpRegion,
    "BHV_OpRegionRecover": OpRegionRecover,
    "BHV_OpRegionV24": OpRegionV24,
    "BHV_PeriodicSpeed": PeriodicSpeed,
    "BHV_PeriodicSurface": PeriodicSurface,
    "BHV_RStationKeep": RelativeStationKeep,
    "BHV_RangePulse": RangePulse,
    "BHV_Shadow": Shadow,
    "BHV_StationKeep": StationKeep,
    "BHV_TestFailure": TestFailure,
    "BHV_TimeOut": TimeOut,
    "BHV_Timer": Timer,
    "BHV_Trail": Trail,
    "BHV_Waypoint": Waypoint,
    "BHV_ZigZag": ZigZag,
}
