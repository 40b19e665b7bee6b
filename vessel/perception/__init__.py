"""Exteroceptive sensors: LiDAR, cameras and sonar in a scene, and their measurements."""
