"""``python -m apps.obstacle_sim mission.moos``."""

from apps.obstacle_sim.app import ObstacleSim
from apps.shell import main

if __name__ == "__main__":
    main(ObstacleSim)
