"""``uSceneSensors``: sensors that look outward into a scene."""

from steerageway.apps.sensing.scene_sensors.app import SceneSensors

__all__ = ["SceneSensors"]
