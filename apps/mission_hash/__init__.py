"""``pMissionHash``: gives a run a name that can be spoken."""

from steerageway.apps.mission_hash.app import MissionHasher

__all__ = ["MissionHasher"]
