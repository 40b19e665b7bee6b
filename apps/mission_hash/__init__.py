"""``pMissionHash``: gives a run a name that can be spoken."""

from apps.mission_hash.app import MissionHasher

__all__ = ["MissionHasher"]
