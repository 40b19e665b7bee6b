"""``nsplug``: expands templates of mission files, as MOOS-IvP's program of that name does."""
