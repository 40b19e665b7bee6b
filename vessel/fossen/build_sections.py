"""Hull sections for strip theory, from the WAMIT mesh of ``geometry_file``."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.cross_flow import section_strips
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.world import gdf

STRIPS = 20
LENGTHS = 0.5, 2.0  # limits of mesh length over vessel length; beyond, the mesh is not in metres


def mesh_strips(folder: Folder, co: Floats, submerged: bool) -> Floats:
    """Return the rows (n, 3) of a mesh's strips: x from CO, lateral and vertical Cd times area.

    Args:
        folder: vessel folder.
        co: (3,) CO in the drawing frame, in BODY's directions [m].
        submerged: include heave and pitch.

    Raises:
        InvalidValue: no such file, invalid mesh, nothing below the water, or not in metres.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    path = folder.find(geometry, geo.GEOMETRY_FILE)
    panels = gdf.read(path)
    if hydrodynamics.choice(hyd.HYDRA_BOW) == "y":
        panels = panels[:, :, [1, 0, 2]] * [-1.0, 1.0, 1.0]
    try:
        x, dx, beams, drafts = gdf.sections(panels, STRIPS)
        strips = section_strips(x - co[0], dx, beams, drafts, submerged)
    except InvalidValue as error:
        raise InvalidValue(str(error), str(path)) from error
    length, size = geometry.positive(geo.LENGTH), float(dx.sum())
    if not LENGTHS[0] * length <= size <= LENGTHS[1] * length:
        raise InvalidValue(
            f"{path}: a hull of {size:g} m below the water, where length is {length:g}: expected "
            f"a mesh in metres, or a cross_flow form that needs none"
        )
    return np.column_stack(strips)
