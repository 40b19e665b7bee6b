"""``python -m apps.obstacle_mgr mission.moos``."""

from apps.obstacle_mgr.app import ObstacleMgr
from apps.shell import main

if __name__ == "__main__":
    main(ObstacleMgr)
