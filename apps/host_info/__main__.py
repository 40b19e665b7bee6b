"""``python -m apps.host_info mission.moos``."""

from apps.host_info.app import HostInfo
from apps.shell import main

if __name__ == "__main__":
    main(HostInfo)
