"""Map of a scene from above, rendered by vertical rays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from steerageway.world import pictures
from steerageway.world.rays.caster import NOTHING, Caster
from steerageway.world.rays.forms import Plane
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import Scene
from steerageway.world.scene.water import LEVEL

HEIGHT = 500.0  # [m] start height of the rays
PIXELS = 900  # along the longer side
MARGIN = 15.0  # [m] around all items


def draw(scene: Scene, path: Path) -> None:
    """Write a map of a scene, north up, shaded by its sun.

    Args:
        scene: scene to draw.
        path: image file; the suffix is its format.

    Raises:
        EmbreeMissing: the scene has triangles, and embreex is not installed.
    """
    low, high = _extent(scene)
    step = float((high - low).max()) / PIXELS
    norths = np.arange(high[0], low[0], -step)
    easts = np.arange(low[1], high[1], step)
    grid = np.stack(np.meshgrid(norths, easts, indexing="ij"), -1).reshape(-1, 2)
    origins = np.column_stack((grid, np.full(len(grid), -HEIGHT)))
    ways = np.broadcast_to([0.0, 0.0, 1.0], origins.shape)
    index = Index(scene)
    fields = []
    if scene.sea.there:
        fields = [(index.sea, Plane(np.array([0.0, 0.0, -scene.sea.level]), LEVEL))]
    hits = Caster(scene.standing()).cast(origins, ways, 0.0, 2.0 * HEIGHT, (), fields)
    lit = np.clip(hits.normals @ scene.light.direction, 0.0, 1.0)
    shade = scene.light.ambient + (1.0 - scene.light.ambient) * lit
    colours = index.colours()[hits.numbers] * shade[:, None]
    colours[hits.numbers == NOTHING] = scene.light.horizon
    image = np.clip(colours, 0.0, 1.0).reshape(len(norths), len(easts), 3) ** (1.0 / 2.2)
    size = 9.0 * np.array([len(easts), len(norths)]) / PIXELS + [1.5, 1.0]
    figure, ((panel,),) = pictures.panels(size=(float(size[0]), float(size[1])))
    panel.imshow(image, extent=(low[1], high[1], low[0], high[0]), interpolation="nearest")
    for item in scene.items:
        if item.obstacle:
            panel.annotate(
                item.obstacle, tuple(item.position[1::-1].tolist()), fontsize=5, color="white",
                xytext=(3, 3), textcoords="offset points",
            )  # fmt: skip
    panel.set_xlabel("x, east [m]")
    panel.set_ylabel("y, north [m]")
    panel.set_title(scene.name, loc="left")
    pictures.write(figure, path)


def _extent(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Return the minimum and maximum north and east (2,), (2,) [m] of the items."""
    places = [np.zeros(2)]
    for thing in scene.standing():
        if thing.extent is not None:
            places += [end[:2] for end in thing.extent]
    return np.min(places, axis=0) - MARGIN, np.max(places, axis=0) + MARGIN
