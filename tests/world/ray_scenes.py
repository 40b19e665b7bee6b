"""The scenes of ``tests/reference/rays``: objects and sensors for the ray caster."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.world import shapes
from steerageway.world.rays.caster import Caster, Standing
from steerageway.world.rays.forms import Plane, Solid
from steerageway.world.rotation import rotation

RAYS = Path(__file__).parents[1] / "reference" / "rays"
SCENES: Mapping[str, Any] = json.loads((RAYS / "scene.json").read_text())
CALM = Plane(np.zeros(3), np.array([0.0, 0.0, -1.0]))
SEA = 4  # its number


def caster_of(scene: str, *, meshes: bool = False) -> Caster:
    """Return a scene of the references; with ``meshes`` its box is a triangle mesh."""
    things = []
    for number, thing in enumerate(SCENES[scene]):
        if thing["kind"] == "plane":
            plane = Plane(np.array(thing["point"]), np.array(thing["normal"]))
            things.append(Standing(number, plane))
        elif thing["kind"] == "sphere":
            ball = Solid.sphere(thing["radius"])
            things.append(Standing(number, ball, np.array(thing["centre"])))
        else:
            sizes = [2.0 * half for half in thing["half"]]
            form = shapes.box(*sizes) if meshes else Solid.box(*sizes)
            R = rotation(*thing["euler_deg"])
            things.append(Standing(number, form, np.array(thing["centre"]), R))
    return Caster(things)


def pose_of(sensor: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a sensor's position and its axes in NED."""
    return np.array(SCENES[sensor]["position"]), rotation(*SCENES[sensor]["euler_deg"])


def columns_of(name: str) -> dict[str, NDArray[np.float64]]:
    """Return a table's columns."""
    with (RAYS / name).open() as file:
        rows: Sequence[Mapping[str, str]] = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
