"""``python -m apps.thrust_allocation mission.moos``."""

from steerageway.apps.control.thrust_allocation.app import ThrustAllocation
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(ThrustAllocation)
