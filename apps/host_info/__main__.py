"""``python -m apps.host_info mission.moos``."""

from steerageway.apps.host_info.app import HostInfo
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(HostInfo)
