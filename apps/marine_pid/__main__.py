"""``python -m apps.marine_pid mission.moos``."""

from apps.marine_pid.app import MarinePid
from apps.shell import main

if __name__ == "__main__":
    main(MarinePid)
