"""Sensors that look into the scenes of ``tests/reference/rays``, and into small ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ray_scenes import CALM, caster_of, pose_of

from steerageway.vessel.perception.device import Device, RandomStreams
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.perception.view import Moving, Surface, View
from steerageway.world.rays.caster import Caster
from steerageway.world.rays.forms import Solid
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import MATERIALS, Item, Light, Scene


def device(line: str) -> Device:
    """Return the sensor that a line describes."""
    reader = DeviceReader()
    reader.line(line, "m.moos:7")
    (found,) = reader.finish()
    return found


def view_of(sensor: str, scene: str, *, wet: bool) -> View:
    """Return the view of a sensor of the references; its four objects have no class."""
    things = [Item(str(k), "other", MATERIALS["concrete"], Solid.sphere(1.0)) for k in range(4)]
    position, R = pose_of(sensor)
    index = Index(Scene(items=things))
    surface = CALM if wet else None
    return View(caster_of(scene), index, Light(), 0.0, position, R, (), surface)


def view_into(
    scene: Scene,
    *,
    moving: Sequence[Moving] = (),
    surface: Surface | None = None,
    position: Sequence[float] = (0.0, 0.0, -2.0),
    velocity: Sequence[float] = (0.0, 0.0, 0.0),
    rate: Sequence[float] = (0.0, 0.0, 0.0),
) -> View:
    """Return a view to the north from a place."""
    caster, index = Caster(scene.standing()), Index(scene)
    motion = np.array(velocity), np.array(rate)
    where = np.array(position, np.float64)
    return View(caster, index, scene.light, 0.0, where, np.eye(3), moving, surface, *motion)


def chances(seed: int = 0) -> RandomStreams:
    """Return generators by the names of streams."""
    kept: dict[str, np.random.Generator] = {}

    def stream(name: str) -> np.random.Generator:
        return kept.setdefault(name, np.random.default_rng([seed, *name.encode()]))

    return stream
