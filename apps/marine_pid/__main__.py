"""``python -m apps.marine_pid mission.moos``."""

from steerageway.apps.marine_pid.app import MarinePid
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(MarinePid)
