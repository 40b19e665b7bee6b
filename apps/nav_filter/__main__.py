"""``python -m apps.nav_filter mission.moos``."""

from steerageway.apps.nav_filter.app import NavFilter
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(NavFilter)
