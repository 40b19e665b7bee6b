"""``uSceneSensors``: sensors that look outward into a scene."""

from steerageway.apps.scene_sensors.app import SceneSensors

__all__ = ["SceneSensors"]
