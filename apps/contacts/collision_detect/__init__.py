"""``uFldCollisionDetect``: counts encounters, near misses and collisions between vessels."""
