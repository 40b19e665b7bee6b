"""``python -m apps.nav_filter mission.moos``."""

from apps.nav_filter.app import NavFilter
from apps.shell import main

if __name__ == "__main__":
    main(NavFilter)
