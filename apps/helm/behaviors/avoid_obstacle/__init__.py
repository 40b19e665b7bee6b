"""``BHV_AvoidObstacle`` and its parts: the shape kept clear of, and the room around it."""
