"""What a scene is: items that stand, craft that move, light, and water."""

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
"""Classes that every scene has, in the order of their numbers."""
SEA, BOTTOM, OBSTACLE, VESSEL = "sea", "bottom", "obstacle", "vessel"


@dataclass(frozen=True)
class Material:
    """What a surface does to light.

    Attributes:
        colour: share of red, green and blue light that it scatters.
        reflectance: share of a LiDAR's light that it scatters, as Lambert has it.
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
    """Something that stands.

    Attributes:
        name, kind: its own, and its class's.
        material: what it is made of.
        form: in its own frame, FRD; of planes and fields of heights in NED.
        position, R: (3,), (3, 3) from its frame to NED.
        obstacle: the label of the obstacle that it is to the helm; "" for none.
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
    """A vessel of the mission, as others see it.

    Attributes:
        name: its community's. kind, material: as of an item.
        mesh: its hull, in BODY.
    """

    name: str
    kind: str
    material: Material
    mesh: Mesh


@dataclass(frozen=True)
class Light:
    """Sun, sky and air.

    Attributes:
        azimuth, elevation: of the sun [deg], clockwise from north, and above the horizon.
        ambient: light from the sky, as a share of all light on a surface that faces the sun.
        visibility: at which contrast has fallen to 5 % [m]; inf: clear air.
        zenith, horizon: the sky's colours; fog has the latter.
    """

    azimuth: float = 150.0
    elevation: float = 40.0
    ambient: float = 0.35
    visibility: float = inf
    zenith: Colour = (0.30, 0.50, 0.80)
    horizon: Colour = (0.75, 0.82, 0.88)

    @property
    def direction(self) -> Floats:
        """Give the direction (3,) to the sun, NED."""
        azimuth, elevation = radians(self.azimuth), radians(self.elevation)
        flat = cos(elevation)
        return np.array([flat * cos(azimuth), flat * sin(azimuth), -sin(elevation)])


@dataclass(frozen=True)
class Sea:
    """How the water looks.

    Attributes:
        there: whether there is any.
        material: of its surface.
        level: of the mean surface [m], up.
        spacing: of the points at which waves are evaluated [m].
    """

    there: bool = True
    material: Material = MATERIALS["water"]
    level: float = 0.0
    spacing: float = 1.0


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene. Numbers are by order: items, then craft, then the sea.

    Attributes:
        name: its own.
        items, craft: what stands, and the vessels of the mission.
        light, sea: see there.
        classes: the names of classes, in the order of their numbers.
    """

    name: str = "scene"
    items: Sequence[Item] = ()
    craft: Sequence[Craft] = ()
    light: Light = field(default_factory=Light)
    sea: Sea = field(default_factory=Sea)
    classes: Sequence[str] = CLASSES

    def standing(self) -> list[Standing]:
        """Give the items as rays meet them, by their numbers."""
        return [
            Standing(number, item.form, item.position, item.R)
            for number, item in enumerate(self.items)
        ]

    @property
    def triangles(self) -> int:
        """Give how many triangles its items have."""
        return sum(len(one.form.triangles) for one in self.items if isinstance(one.form, Mesh))
