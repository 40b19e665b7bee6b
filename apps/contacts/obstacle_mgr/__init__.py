"""``pObstacleMgr``: builds obstacles from sensed points or given polygons, and posts alerts."""
