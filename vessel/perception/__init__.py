"""Sensors that look outward: LiDAR, cameras and sonar in a scene, and what they measure."""
