"""``python -m apps.logger mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.logs.logger.app import Logger

if __name__ == "__main__":
    main(Logger)
