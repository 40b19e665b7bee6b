"""``uFldObstacleSim``: simulates a field of obstacles, reported to vessels or sensed by them."""

from steerageway.apps.vessels.obstacle_sim.app import ObstacleSim

__all__ = ["ObstacleSim"]
