"""How much of an object an image shows, against polygons that Pillow fills."""

from __future__ import annotations

import numpy as np
import pytest
from looking import chances, device, view_into
from PIL import Image, ImageDraw

from steerageway.vessel.perception.measurement import Visibility, pack, unpack
from steerageway.vessel.perception.view import Moving
from steerageway.world.arrays import Floats
from steerageway.world.rays.caster import Body, Shape
from steerageway.world.rays.forms import Plane, Solid
from steerageway.world.rotation import rotation
from steerageway.world.scene.model import MATERIALS, Craft, Item, Scene
from steerageway.world.scene.shaping import hull

CALM = Plane(np.zeros(3), np.array([0.0, 0.0, -1.0]))
WIDTH, HEIGHT, FOCAL, EYE = 320, 192, 277.128, 2.5
FINE, BESIDE = 4, 300  # parts of a pixel; pixels to each side of the image
PILE = 0.4  # half the breadth of a thin wall across the axis, 6 m ahead


def above_water(triangle: Floats) -> list[Floats]:
    """Return the corners of the part of a triangle (3, 3) above the water, down < 0."""
    corners = []
    for one, other in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
        if one[2] <= 0.0:
            corners.append(one)
        if (one[2] <= 0.0) != (other[2] <= 0.0):
            corners.append(one + one[2] / (one[2] - other[2]) * (other - one))
    return corners


def filled(triangles: Floats) -> np.ndarray:
    """Return the pixels of triangles (n, 3, 3) in NED, beside the image too, as Pillow has them."""
    size = (FINE * (WIDTH + 2 * BESIDE), FINE * HEIGHT)
    image = Image.new("1", size)
    for triangle in triangles:
        places = [
            (
                FINE * (FOCAL * east / north + 0.5 * WIDTH + BESIDE),
                FINE * (FOCAL * (down + EYE) / north + 0.5 * HEIGHT),
            )
            for north, east, down in above_water(triangle)
        ]
        if places:
            ImageDraw.Draw(image).polygon(places, fill=1)
    return np.asarray(image)


@pytest.mark.parametrize(
    ("north", "east", "heading"),
    [(20.0, 1.0, 35.0), (26.0, 16.0, 100.0), (15.0, -9.0, 20.0), (40.0, 0.0, 90.0)],
)
def test_the_shares_of_a_hull_that_are_hidden_and_outside_are_those_of_its_polygons(
    north: float, east: float, heading: float
) -> None:
    mesh, turn, place = hull(12.0, 4.0, 0.8, 1.5), rotation(2.0, 1.0, heading), (north, east, 0.1)
    body = Moving(Body(1, Shape(mesh), np.array(place), turn))
    wall = Item(
        "pile", "pier", MATERIALS["wood"], Solid.box(0.01, 2 * PILE, 9.0), np.array([6.0, 0, 0])
    )
    scene = Scene(items=[wall], craft=[Craft("ben", "vessel", MATERIALS["white"], mesh)])
    camera = device(f"sensor_type=Camera, outputs=instance, width={WIDTH}, height={HEIGHT}")
    view = view_into(scene, moving=[body], surface=CALM, position=(0.0, 0.0, -EYE))
    ((_, image),) = camera.sense(view, chances())
    found = {one.instance: one for one in unpack(pack(image)).visibility}

    whole = filled(mesh.corners @ turn.T + place)
    inside = whole[:, FINE * BESIDE : -FINE * BESIDE]
    axis, half = FINE * 0.5 * WIDTH, FINE * FOCAL * PILE / 5.995
    hidden = inside[:, round(axis - half) : round(axis + half)].sum() / inside.sum()
    outside = 1.0 - inside.sum() / whole.sum()
    assert found[2].occlusion == pytest.approx(hidden, abs=0.02)
    assert found[2].truncation == pytest.approx(outside, abs=0.02)
    shown = (1.0 - hidden) * inside.sum() / FINE**2
    assert (image.data == 2).sum() == pytest.approx(shown, rel=0.03, abs=6)
    assert found[1].occlusion == 0.0


def test_a_distorted_image_does_not_say_how_much_of_a_cut_object_is_outside() -> None:
    buoys = [
        Item(name, "buoy", MATERIALS["red"], Solid.sphere(1.0), np.array([10.0, east, -2.0]))
        for name, east in (("whole", 0.0), ("cut", 5.9))
    ]
    line = "sensor_type=Camera, outputs=instance, width=160, height=96"
    camera = device(f"{line}, distortion=opencv, distortion_k=-0.01:0:0")
    ((_, image),) = camera.sense(view_into(Scene(items=buoys)), chances())
    assert unpack(pack(image)).visibility == (Visibility(1, 0.0, 0.0), Visibility(2, 0.0, None))
