"""Surroundings of exteroceptive sensors: the scene, other vessels, obstacles and the water."""

from __future__ import annotations

import numpy as np

from steerageway.apps.sensing.scene_sensors.poses import Poses
from steerageway.apps.shared.limited import Limited
from steerageway.vessel.perception.device import Stance
from steerageway.vessel.perception.view import Moving, Surface, View
from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.rays.caster import Body, Caster, Shape
from steerageway.world.rays.forms import UPRIGHT
from steerageway.world.scene.document import polygon_of
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import Scene
from steerageway.world.scene.shaping import frustum
from steerageway.world.scene.water import Waters
from steerageway.world.weather import Weather

FOOT = -2.0  # height of the obstacles' lower end, relative to the water [m]


class Surroundings:
    """A scene with the vessels and obstacles in it at an instant.

    Attributes:
        index: of all visible objects.
    """

    def __init__(self, scene: Scene, poses: Poses, reach: float, height: float) -> None:
        """Build the surroundings.

        Args:
            scene: with its light, sea, fixed items and vessels' meshes.
            poses: of other vessels.
            reach: maximum range of all sensors [m].
            height: of obstacles that appear during the run [m].
        """
        self.index = Index(scene)
        self._scene, self._poses, self._reach, self._height = scene, poses, reach, height
        self._caster = Caster(scene.standing())
        self._hulls = {
            craft.name.lower(): (number, Shape(craft.mesh))
            for number, craft in enumerate(scene.craft, len(scene.items))
        }
        self._obstacles = Limited[Moving]()
        self._surfaces: dict[tuple[float, int, int], Surface] = {}

    def view(self, time: float, stance: Stance, weather: Weather | None) -> View:
        """Return the surroundings as seen by a sensor.

        Args:
            time: [s].
            stance: the sensor's pose and motion.
            weather: of the run, with the sea; None: no waves or tide.
        """
        return View(
            self._caster,
            self.index,
            self._scene.light,
            time,
            stance.position,
            stance.R,
            [*self._vessels(time), *self._obstacles.values()],
            self._surface(time, stance.position, weather),
            stance.velocity,
            stance.rate,
        )

    def take_obstacle(self, text: str) -> None:
        """Add an obstacle; it replaces an earlier one of the same label.

        Raises:
            InvalidValue: the text is no polygon with a label.
        """
        label, points = polygon_of(text)
        if not label:
            raise InvalidValue("expected pts={x,y:x,y:x,y}, label=NAME")
        entry = self.index.of_obstacle(label) or self.index.add_obstacle(label)
        shape = Shape(frustum(points[:, ::-1], FOOT, self._height))
        self._obstacles[label] = Moving(Body(entry.number, shape, np.zeros(3), UPRIGHT))

    def clear_obstacles(self, label: str) -> None:
        """Remove the obstacle of a label, or ``all``."""
        if label == "all":
            self._obstacles.clear()
        self._obstacles.pop(label, None)

    def _vessels(self, time: float) -> list[Moving]:
        found = []
        for name, pose in self._poses.around(time):
            if name in self._hulls:
                number, shape = self._hulls[name]
                body = Body(number, shape, pose.position, pose.R)
                found.append(Moving(body, pose.velocity))
        return found

    def _surface(self, time: float, position: Floats, weather: Weather | None) -> Surface | None:
        look = self._scene.sea
        if not look.there:
            return None
        tide = None if weather is None else weather.environment.tide
        sea = None if weather is None else weather.sea
        waters = Waters(sea, tide, look.level, look.spacing, self._reach)
        key = (time, *waters.cell(*position[:2].tolist()))
        if key not in self._surfaces:
            self._surfaces.clear()  # times only increase: older surfaces are not needed again
            self._surfaces[key] = waters.surface(time, *position[:2].tolist())
        return self._surfaces[key]
