"""``pDeadManPost``: posts something when a heartbeat stays away."""

from apps.dead_man_post.app import DeadManPost

__all__ = ["DeadManPost"]
