"""The OpRegion behaviors: limits of position, depth, altitude and time, and recovery."""
