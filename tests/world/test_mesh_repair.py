"""Hulls as they come from drawing programs are mended: doubled corners, holes, inward normals."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.world.mesh import checked
from steerageway.world.mesh_repair import repaired, repairs_of
from steerageway.world.shapes import box, lofted

BOX = box(4000.0, 1500.0, 1000.0, 500.0)  # in millimetres
VOLUME = 4000.0 * 1500.0 * 1000.0
OPEN = BOX.corners[BOX.corners[:, :, 2].max(1) > -499.0]  # no triangle lies in the deck
RING = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
SECTION = np.stack((np.cos(RING), np.sin(RING)), axis=1) * (1.0 + 0.5 * np.cos(3 * RING))[:, None]
CLOVER = lofted(np.array([[(x, 0.4 * y, 0.4 * z) for y, z in SECTION] for x in (2.0, 0.0, -2.0)]))


def shaken(corners: np.ndarray, by: float) -> np.ndarray:
    """Return triangles each of whose corners is moved for itself."""
    return corners + np.random.default_rng(1).uniform(-by, by, corners.shape)


def some_turned(corners: np.ndarray) -> np.ndarray:
    """Return triangles of which every third is turned over."""
    turned = corners.copy()
    turned[::3] = turned[::3, ::-1]
    return turned


@pytest.mark.parametrize(
    ("corners", "repairs", "volume"),
    [
        pytest.param(BOX.corners, [], VOLUME, id="whole"),
        pytest.param(BOX.corners[:, ::-1], ["flip"], VOLUME, id="inward"),
        pytest.param(some_turned(BOX.corners), ["flip"], VOLUME, id="mixed"),
        pytest.param(shaken(BOX.corners, 0.05), ["merge"], VOLUME, id="doubled"),
        pytest.param(np.repeat(BOX.corners, 2, axis=0), ["merge"], VOLUME, id="twice"),
        pytest.param(OPEN, ["cap"], VOLUME, id="open deck"),
        pytest.param(OPEN[:, ::-1], ["cap", "flip"], VOLUME, id="open and inward"),
        pytest.param(shaken(some_turned(OPEN), 0.05), ["merge", "cap", "flip"], VOLUME, id="all"),
        pytest.param(CLOVER.corners[:-24], ["cap"], CLOVER.volume, id="concave end"),
    ],
)
def test_a_hull_is_closed_and_outward_after_the_repairs_that_it_needs(
    corners: np.ndarray, repairs: list[str], volume: float
) -> None:
    for repair in repairs:
        assert repair in repairs_of(corners)
        corners = repaired(corners, repair).corners
    assert repairs_of(corners) == []
    mesh = checked(repaired(corners, "merge"), "hull")
    assert mesh.volume == pytest.approx(volume, rel=1e-3)
