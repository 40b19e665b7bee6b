"""``pObstacleMgr``: makes obstacles of what is sensed or told, and alerts others of near ones."""

from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr

__all__ = ["ObstacleMgr"]
