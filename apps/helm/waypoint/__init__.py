"""The parts of ``BHV_Waypoint``: what it is told, what it wishes, what it posts."""
