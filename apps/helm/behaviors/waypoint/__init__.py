"""``BHV_Waypoint`` and its parts: parameters, objective functions, posts."""
