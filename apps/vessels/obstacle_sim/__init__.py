"""``uFldObstacleSim``: simulates a field of obstacles, reported to vessels or sensed by them."""
