"""``BHV_Waypoint``: waypoint following, its parameters, objective functions and posts."""
