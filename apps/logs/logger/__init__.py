"""pLogger: writes the messages of a community to MOOS-IvP's log files."""
