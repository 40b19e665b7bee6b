"""The behaviors the helm knows. A new one is a file of this folder and a line here."""

from __future__ import annotations

from apps.helm.behaviors.base import AnyBehavior, Behavior, BehaviorError
from apps.helm.behaviors.constant_speed import ConstantSpeed
from apps.helm.behaviors.waypoint import Waypoint

__all__ = ["BEHAVIORS", "Behavior", "BehaviorError"]

BEHAVIORS: dict[str, type[AnyBehavior]] = {
    "BHV_ConstantSpeed": ConstantSpeed,
    "BHV_Waypoint": Waypoint,
}
