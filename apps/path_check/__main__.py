"""``python -m apps.path_check mission.moos``."""

from apps.path_check.app import PathCheck
from apps.shell import main

if __name__ == "__main__":
    main(PathCheck)
