"""``pickpos``: start positions, speeds, names and colours, as MOOS-IvP's program of that name."""
