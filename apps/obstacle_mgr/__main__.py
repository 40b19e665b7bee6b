"""``python -m apps.obstacle_mgr mission.moos``."""

from steerageway.apps.obstacle_mgr.app import ObstacleMgr
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(ObstacleMgr)
