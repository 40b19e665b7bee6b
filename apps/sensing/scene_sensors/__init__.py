"""``uSceneSensors``: LiDAR, cameras and sonar in a scene."""

from steerageway.apps.sensing.scene_sensors.app import SceneSensors

__all__ = ["SceneSensors"]
