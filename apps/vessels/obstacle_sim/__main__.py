"""``python -m apps.obstacle_sim mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.apps.vessels.obstacle_sim.app import ObstacleSim

if __name__ == "__main__":
    main(ObstacleSim)
