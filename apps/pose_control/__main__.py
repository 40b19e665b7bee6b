"""``python -m apps.pose_control mission.moos``."""

from steerageway.apps.pose_control.app import PoseControl
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(PoseControl)
