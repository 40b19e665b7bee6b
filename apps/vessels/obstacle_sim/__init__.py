"""``uFldObstacleSim``: a field of obstacles, told of or sensed."""

from steerageway.apps.vessels.obstacle_sim.app import ObstacleSim

__all__ = ["ObstacleSim"]
