"""``uFldObstacleSim``: a field of obstacles, told of or sensed."""

from apps.obstacle_sim.app import ObstacleSim

__all__ = ["ObstacleSim"]
