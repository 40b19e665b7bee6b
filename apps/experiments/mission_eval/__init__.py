"""``pMissionEval``: evaluates a mission by conditions and writes a line of results."""

from steerageway.apps.experiments.mission_eval.app import MissionEval

__all__ = ["MissionEval"]
