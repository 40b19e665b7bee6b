"""``python -m apps.nav_filter mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.sensing.nav_filter.app import NavFilter

if __name__ == "__main__":
    main(NavFilter)
