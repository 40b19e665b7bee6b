"""pLogger: writes the messages of a community to MOOS-IvP's log files."""

from steerageway.apps.logs.logger.app import Logger

__all__ = ["Logger"]
