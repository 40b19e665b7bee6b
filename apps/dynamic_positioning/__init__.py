"""``pDynamicPositioning``: keeps place and heading by forces."""

from steerageway.apps.dynamic_positioning.app import DynamicPositioning

__all__ = ["DynamicPositioning"]
