"""``uSceneSensors``: LiDAR, cameras and sonar in a scene."""
