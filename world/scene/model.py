"""Scene model: static items, craft, light, and water."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, inf, radians, sin

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh
from steerageway.world.rays.caster import Form, Standing
from steerageway.world.rays.forms import UPRIGHT

Colour = tuple[float, float, float]
CLASSES = (
    *("nothing", "sea", "bottom", "shore", "quay", "pier", "bridge", "building", "vegetation"),
    *("buoy", "debris", "rock", "vessel", "obstacle", "person", "other"),
)
"""Predefined classes of every scene, in the order of their numbers."""
SEA, BOTTOM, OBSTACLE, VESSEL = "sea", "bottom", "obstacle", "vessel"


@dataclass(frozen=True)
class Material:
    """Optical properties of a surface.

    Attributes:
        colour: diffuse reflectance of red, green and blue light.
        reflectance: Lambertian reflectance for a LiDAR's light.
    """

    colour: Colour
    reflectance: float


MATERIALS = {
    "concrete": Material((0.55, 0.54, 0.51), 0.40),
    "steel": Material((0.35, 0.37, 0.40), 0.45),
    "wood": Material((0.45, 0.33, 0.20), 0.35),
    "rock": Material((0.38, 0.35, 0.32), 0.30),
    "sand": Material((0.62, 0.55, 0.40), 0.35),
    "grass": Material((0.22, 0.38, 0.14), 0.50),
    "foliage": Material((0.10, 0.27, 0.09), 0.45),
    "red": Material((0.72, 0.08, 0.06), 0.60),
    "green": Material((0.05, 0.45, 0.16), 0.50),
    "yellow": Material((0.85, 0.68, 0.05), 0.70),
    "orange": Material((0.90, 0.35, 0.04), 0.65),
    "white": Material((0.85, 0.85, 0.83), 0.80),
    "blue": Material((0.08, 0.18, 0.42), 0.35),
    "black": Material((0.04, 0.04, 0.04), 0.05),
    "water": Material((0.02, 0.09, 0.11), 0.30),
}


@dataclass(frozen=True, eq=False)
class Item:
    """A static item.

    Attributes:
        name, kind: its name and class.
        material: its material.
        form: shape in its own frame, FRD; planes and height fields in NED.
        position, R: (3,), (3, 3) from its frame to NED.
        obstacle: label of the obstacle for the helm; "" for none.
    """

    name: str
    kind: str
    material: Material
    form: Form
    position: Floats = field(default_factory=lambda: np.zeros(3))
    R: Floats = field(default_factory=lambda: UPRIGHT)
    obstacle: str = ""


@dataclass(frozen=True, eq=False)
class Craft:
    """A vessel of the mission, as seen by others.

    Attributes:
        name: its community. kind, material: as of an item.
        mesh: hull, in BODY.
    """

    name: str
    kind: str
    material: Material
    mesh: Mesh


@dataclass(frozen=True)
class Light:
    """Sun, sky and air.

    Attributes:
        azimuth, elevation: direction of the sun [deg], clockwise from north, and above the horizon.
        ambient: fraction of sky light in the light on a surface that faces the sun.
        visibility: range at which contrast falls to 5 % [m]; inf: clear air.
        zenith, horizon: colours of the sky; fog has the colour of the horizon.
    """

    azimuth: float = 150.0
    elevation: float = 40.0
    ambient: float = 0.35
    visibility: float = inf
    zenith: Colour = (0.30, 0.50, 0.80)
    horizon: Colour = (0.75, 0.82, 0.88)

    @property
    def direction(self) -> Floats:
        """Return the direction (3,) to the sun, NED."""
        azimuth, elevation = radians(self.azimuth), radians(self.elevation)
        flat = cos(elevation)
        return np.array([flat * cos(azimuth), flat * sin(azimuth), -sin(elevation)])


@dataclass(frozen=True)
class Sea:
    """Appearance of the water.

    Attributes:
        there: whether there is water.
        material: material of the surface.
        level: level of the mean surface [m], up.
        spacing: distance of the points at which waves are evaluated [m].
    """

    there: bool = True
    material: Material = MATERIALS["water"]
    level: float = 0.0
    spacing: float = 1.0


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene. Objects are numbered in order: items, then craft, then the sea.

    Attributes:
        name: its name.
        items, craft: static items, and vessels of the mission.
        light, sea: appearance of light and water.
        classes: names of classes, in the order of their numbers.
    """

    name: str = "scene"
    items: Sequence[Item] = ()
    craft: Sequence[Craft] = ()
    light: Light = field(default_factory=Light)
    sea: Sea = field(default_factory=Sea)
    classes: Sequence[str] = CLASSES

    def standing(self) -> list[Standing]:
        """Return the items as static objects for rays, with their numbers."""
        return [
            Standing(number, item.form, item.position, item.R)
            for number, item in enumerate(self.items)
        ]

    @property
    def triangles(self) -> int:
        """Return the number of triangles of all items."""
        return sum(len(one.form.triangles) for one in self.items if isinstance(one.form, Mesh))
