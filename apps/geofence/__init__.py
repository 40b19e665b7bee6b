"""``uGeofence``: says when a vessel leaves where it may be, and stops it."""

from steerageway.apps.geofence.app import Geofence

__all__ = ["Geofence"]
