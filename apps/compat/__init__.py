"""Older programs of the MOOS-IvP family, for missions that name them or reproduce their results."""
