"""``python -m apps.path_check mission.moos``."""

from steerageway.apps.path_check.app import PathCheck
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(PathCheck)
