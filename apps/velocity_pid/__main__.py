"""``python -m apps.velocity_pid mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.velocity_pid.app import VelocityPid

if __name__ == "__main__":
    main(VelocityPid)
