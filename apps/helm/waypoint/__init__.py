"""The parts of ``BHV_Waypoint``: parameters, objective functions, posts."""
