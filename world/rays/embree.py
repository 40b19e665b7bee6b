"""Embree, via embreex: first triangle on a ray.

Embree and its task scheduler are Intel's, under Apache-2.0; embreex is under the two-clause BSD
licence. It is installed by the extra ``rays`` and imported with the first structure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.world.arrays import Floats
from steerageway.world.errors import WorldError

MISSING = "ray casting at meshes needs embreex: pip install 'steerageway[rays]'"


class EmbreeMissing(WorldError):
    """embreex is not installed."""


def installed() -> bool:
    """Whether Embree is installed, without importing it."""
    from importlib.util import find_spec

    return find_spec("embreex") is not None


def check() -> None:
    """Check that Embree is installed, without importing it.

    Raises:
        EmbreeMissing: it is not installed.
    """
    if not installed():
        raise EmbreeMissing(MISSING)


class Structure:
    """Triangles in their own frame, arranged for ray queries."""

    def __init__(self, corners: Floats) -> None:
        """Build the structure of triangles (m, 3, 3).

        Raises:
            EmbreeMissing: embreex is not installed.
        """
        try:
            from embreex.mesh_construction import TriangleMesh
            from embreex.rtcore_scene import EmbreeScene
        except ImportError:
            raise EmbreeMissing(MISSING) from None
        with _one_processor():
            self._scene: Any = EmbreeScene()
        self._mesh: Any = TriangleMesh(self._scene, corners.astype(np.float32))

    def first(
        self,
        origins: NDArray[np.float32],
        directions: NDArray[np.float32],
        lengths: NDArray[np.float32],
    ) -> NDArray[np.int32]:
        """Return the index of the first triangle on each ray (n,); -1: none within ``lengths``."""
        found: NDArray[np.int32] = self._scene.run(origins, directions, dists=lengths)
        return found


@contextmanager
def _one_processor() -> Iterator[None]:
    """Let this thread see one processor only, where the system can.

    Embree's scheduler, started here, then has no threads of its own: which of two triangles at one
    place is found first depends on no order of theirs, and a process that is one of many waits
    for none.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, processors)
