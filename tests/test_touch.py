"""Intersections of bodies in known cases."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.touch import Touch
from steerageway.world.rays.caster import Body, Caster, Shape, Standing
from steerageway.world.rays.forms import Solid
from steerageway.world.scene.shaping import frustum

pytestmark = pytest.mark.slow

BOX = frustum(np.array([[1.0, 0.5], [1.0, -0.5], [-1.0, -0.5], [-1.0, 0.5]]), -0.3, 0.4)
UPRIGHT = np.eye(3)


@pytest.mark.parametrize(("east", "touches"), [(0.99, True), (1.01, False), (-0.99, True)])
def test_a_buoy_is_touched_from_its_radius_on(east: float, touches: bool) -> None:
    buoy = Standing(7, Solid.sphere(0.5), np.array([0.2, 0.0, 0.0]))
    met = Touch(BOX).met(Caster([buoy]), np.array([0.2, east, 0.0]), UPRIGHT)
    assert met == ([7] if touches else [])


def test_an_object_wholly_inside_is_touched() -> None:
    post = Standing(3, Solid.cylinder(0.12, 4.0), np.array([0.31, 0.17, 0.0]))
    assert Touch(BOX).met(Caster([post]), np.zeros(3), UPRIGHT) == [3]


@pytest.mark.parametrize(("gap", "touches"), [(-0.01, True), (0.01, False)])
def test_another_vessel_is_touched_by_its_mesh(gap: float, touches: bool) -> None:
    """Both turned by 90 degrees, one ahead of the other."""
    turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    other = Body(5, Shape(BOX), np.array([0.0, 2.0 + gap, 0.0]), turned)
    met = Touch(BOX).met(Caster([]), np.zeros(3), turned, [other])
    assert met == ([5] if touches else [])
