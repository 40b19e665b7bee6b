"""Hulls whose triangles or voxels are not cut at the surface: buoyancy is discontinuous."""

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import sea_loads

pytestmark = pytest.mark.slow  # they compile

SPHERE = Path(__file__).parents[3] / "inputs" / "sphere"


@pytest.mark.parametrize("form", ["mesh", "voxels"])
def test_buoyancy_jumps_only_without_cutting(form: str) -> None:
    jumps = {}
    for cutting in ("true", "false"):
        keys = {"hydrodynamics.hydrostatics": form, "hydrodynamics.loads.cutting": cutting}
        vessel = load(SPHERE, overrides=keys)
        lifts = []
        for z in np.linspace(-0.2, 0.2, 801):
            x = vessel.initial.copy()
            x[2] += z
            lifts.append(sea_loads(vessel, x, 0.0)[0][2])
        jumps[cutting] = np.abs(np.diff(lifts)).max()
    assert jumps["false"] > 2.0 * jumps["true"]
