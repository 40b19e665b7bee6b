"""``python -m apps.logger mission.moos``."""

from steerageway.apps.logs.logger.app import Logger
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(Logger)
