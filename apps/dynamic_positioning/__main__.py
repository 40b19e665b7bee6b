"""``python -m apps.dynamic_positioning mission.moos``."""

from steerageway.apps.dynamic_positioning.app import DynamicPositioning
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(DynamicPositioning)
