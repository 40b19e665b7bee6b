"""``uFldCollisionDetect``: counts encounters, near misses and collisions between vessels."""

from steerageway.apps.contacts.collision_detect.app import CollisionDetect

__all__ = ["CollisionDetect"]
