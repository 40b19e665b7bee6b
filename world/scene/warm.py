"""Compiles ray casting in advance: two rays at a form of each kind, calm water and waves."""

from __future__ import annotations

import numpy as np

from steerageway.world.compiling import in_steps
from steerageway.world.mesh import Mesh
from steerageway.world.rays import embree, kernel
from steerageway.world.rays.caster import Body, Caster, Shape, Standing
from steerageway.world.rays.forms import UPRIGHT, Solid
from steerageway.world.scene.water import Waters
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

TETRAHEDRON = Mesh(
    np.array([[5.0, 0.0, 1.0], [6.0, -1.0, 1.0], [6.0, 1.0, 1.0], [5.5, 0.0, -1.0]]),
    np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]),
)


def warm() -> None:
    """Load or compile the functions that sensors in a scene use, as far as they are installed."""
    waves = Waters(Sea.of([SeaState("regular", 0.1, 3.0)], 0), reach=5.0)
    surfaces = [(1, water.surface(0.0, 0.0, 0.0)) for water in (Waters(), waves)]
    eye = np.array([0.0, 0.0, -2.0])
    bodies = [Body(2, Shape(TETRAHEDRON), eye, UPRIGHT)] if embree.installed() else []
    caster = Caster([Standing(3, Solid.box(1.0, 1.0, 1.0), np.array([8.0, 0.0, -2.0]))])
    ways = kernel.turned(UPRIGHT, np.array([[1.0, 0.0, 0.0], [0.6, 0.0, 0.8]]))
    in_steps("ray casting", [lambda: caster.cast(eye, ways, 0.1, 50.0, bodies, surfaces)])
