"""``uFldCollisionDetect``: counts encounters of vessels, and how many were near misses or worse."""

from steerageway.apps.contacts.collision_detect.app import CollisionDetect

__all__ = ["CollisionDetect"]
