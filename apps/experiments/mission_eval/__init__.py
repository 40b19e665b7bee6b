"""``pMissionEval``: says whether a mission passed, and writes a line about it."""

from steerageway.apps.experiments.mission_eval.app import MissionEval

__all__ = ["MissionEval"]
