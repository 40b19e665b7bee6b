"""``pDeadManPost``: posts something when a heartbeat stays away."""

from steerageway.apps.dead_man_post.app import DeadManPost

__all__ = ["DeadManPost"]
