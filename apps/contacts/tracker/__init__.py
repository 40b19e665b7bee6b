"""``uTracker``: tracks objects in LiDAR scans, and publishes them as contacts and obstacles."""

from steerageway.apps.contacts.tracker.app import SceneTracker

__all__ = ["SceneTracker"]
