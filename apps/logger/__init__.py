"""pLogger: writes what happens on the bus to MOOS-IvP's log files."""

from steerageway.apps.logger.app import Logger

__all__ = ["Logger"]
