"""``python -m apps.marine_pid mission.moos``."""

from steerageway.apps.control.marine_pid.app import MarinePid
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(MarinePid)
