"""``python -m apps.obstacle_mgr mission.moos``."""

from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(ObstacleMgr)
