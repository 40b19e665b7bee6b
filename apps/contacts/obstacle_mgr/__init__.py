"""``pObstacleMgr``: builds obstacles from sensed points or given polygons, and posts alerts."""

from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr

__all__ = ["ObstacleMgr"]
