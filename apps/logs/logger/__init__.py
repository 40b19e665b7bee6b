"""pLogger: writes what happens on the bus to MOOS-IvP's log files."""

from steerageway.apps.logs.logger.app import Logger

__all__ = ["Logger"]
