"""``python -m apps.obstacle_mgr mission.moos``."""

from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(ObstacleMgr)
