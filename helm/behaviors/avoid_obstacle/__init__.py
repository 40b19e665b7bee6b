"""``BHV_AvoidObstacle``: avoidance of a static obstacle, and the range to it for each course."""
