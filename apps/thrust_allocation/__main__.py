"""``python -m apps.thrust_allocation mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.thrust_allocation.app import ThrustAllocation

if __name__ == "__main__":
    main(ThrustAllocation)
