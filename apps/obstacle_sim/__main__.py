"""``python -m apps.obstacle_sim mission.moos``."""

from steerageway.apps.obstacle_sim.app import ObstacleSim
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(ObstacleSim)
