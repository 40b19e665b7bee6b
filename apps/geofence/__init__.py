"""``uGeofence``: says when a vessel leaves where she may be, and stops her."""

from steerageway.apps.geofence.app import Geofence

__all__ = ["Geofence"]
