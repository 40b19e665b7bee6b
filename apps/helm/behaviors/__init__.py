"""The behaviors the helm knows. A new one is a file of this folder and a line here."""

from __future__ import annotations

from apps.helm.behaviors.avoid_collision import AvoidCollision
from apps.helm.behaviors.base import AnyBehavior, Behavior, BehaviorError
from apps.helm.behaviors.constant_depth import ConstantDepth
from apps.helm.behaviors.constant_heading import ConstantHeading, MaintainHeading
from apps.helm.behaviors.constant_speed import ConstantSpeed
from apps.helm.behaviors.loiter import Loiter
from apps.helm.behaviors.station_keep import StationKeep
from apps.helm.behaviors.waypoint import Waypoint

__all__ = ["BEHAVIORS", "Behavior", "BehaviorError"]

BEHAVIORS: dict[str, type[AnyBehavior]] = {
    "BHV_AvoidCollision": AvoidCollision,
    "BHV_ConstantDepth": ConstantDepth,
    "BHV_ConstantHeading": ConstantHeading,
    "BHV_ConstantSpeed": ConstantSpeed,
    "BHV_Loiter": Loiter,
    "BHV_MaintainHeading": MaintainHeading,
    "BHV_StationKeep": StationKeep,
    "BHV_Waypoint": Waypoint,
}
