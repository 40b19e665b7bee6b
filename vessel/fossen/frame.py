"""Transformation from the drawing frame of a vessel's files to BODY about CO.

``CO`` of ``geometry.yml`` is BODY's origin and axes in the drawing frame of the files;
the default is the drawing frame itself. Orientations are Euler angles [rad] in zyx order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi

import numpy as np
import yaml

from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.world.arrays import Floats
from steerageway.world.document import Section


@dataclass(frozen=True)
class Frame:
    """BODY in the drawing frame.

    Attributes:
        origin: (3,) CO in the drawing frame [m].
        R: (3, 3) from BODY to the drawing frame.
    """

    origin: Floats
    R: Floats

    @property
    def co(self) -> Floats:
        """Return CO from the drawing frame's origin, in BODY's directions (3,)."""
        return self.R.T @ self.origin

    def place(self, position: Floats) -> Floats:
        """Return a point of the drawing frame in BODY, from CO (3,)."""
        return self.R.T @ (position - self.origin)

    def axes(self, eul: Floats) -> Floats:
        """Return the axes (3, 3) of an orientation in the drawing frame, as columns in BODY."""
        return self.R.T @ eul_to_rotm(eul)


def frame_of(geometry: Section) -> Frame:
    """Read ``CO`` from the geometry file."""
    section = centre(geometry, geo.CO)
    origin, eul = section.vector(geo.POSITION), angles(section, geo.ORIENTATION)
    section.finish()
    return Frame(origin, eul_to_rotm(eul))


def centre(geometry: Section, name: str) -> Section:
    """Return CO, CG or CB; three numbers, as in Panisim's older files, are the position only."""
    node = geometry.nodes.get(name)
    if not isinstance(node, yaml.SequenceNode):
        return geometry.section(name)
    geometry.asked.add(name)
    return replace(geometry, nodes={geo.POSITION: node}, prefix=f"{name}.", asked=set())


def angles(section: Section, key: str) -> Floats:
    """Read three Euler angles [rad]."""
    eul = section.vector(key, 3, [0.0] * 3)
    if np.abs(eul).max() > 2 * pi:
        return section.wrong(key, str(eul.tolist()), "three angles in radians", np.zeros(3))
    return eul
