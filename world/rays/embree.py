"""Embree, by way of embreex: which triangle a ray meets first.

Embree and its task scheduler are Intel's, under Apache-2.0; embreex is under the BSD licence of
two clauses. It comes with the extra ``rays`` and is loaded with the first structure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.world.arrays import Floats
from steerageway.world.errors import WorldError

MISSING = "rays at triangles need embreex: pip install 'steerageway[rays]'"


class EmbreeMissing(WorldError):
    """embreex is not installed."""


def check() -> None:
    """See that Embree is there, without loading it.

    Raises:
        EmbreeMissing: it is not installed.
    """
    from importlib.util import find_spec

    if find_spec("embreex") is None:
        raise EmbreeMissing(MISSING)


class Structure:
    """Triangles in a frame of their own, arranged so that rays find them."""

    def __init__(self, corners: Floats) -> None:
        """Arrange triangles (m, 3, 3).

        Raises:
            EmbreeMissing: embreex is not installed.
        """
        try:
            from embreex.mesh_construction import TriangleMesh
            from embreex.rtcore_scene import EmbreeScene
        except ImportError:
            raise EmbreeMissing(MISSING) from None
        self._scene: Any = EmbreeScene()
        self._mesh: Any = TriangleMesh(self._scene, corners.astype(np.float32))

    def first(
        self,
        origins: NDArray[np.float32],
        directions: NDArray[np.float32],
        lengths: NDArray[np.float32],
    ) -> NDArray[np.int32]:
        """Give the first triangle on each ray (n,); -1: none within its length [m]."""
        found: NDArray[np.int32] = self._scene.run(origins, directions, dists=lengths)
        return found
