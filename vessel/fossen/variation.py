"""Variants of a vessel, with another mass or damping: for training that must not rely on either."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.build_mass import solved
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.layout import HELD, M_INV, MASS, Parameters, hull_of, mass_of
from steerageway.world.arrays import Floats


def damping_terms(vessel: Dynamics) -> int:
    """Return the number of a vessel's damping terms.

    Raises:
        InvalidValue: its model is none of coefficients.
    """
    return len(_hull(vessel).values)


def varied(vessel: Dynamics, mass: float, damping: Floats) -> Dynamics:
    """Return a vessel with other rigid-body mass and damping coefficients, at the same trim.

    Args:
        vessel: the vessel.
        mass: factor of M_RB; weight and buoyancy stay as they are.
        damping: (n,) factors of its damping terms.

    Raises:
        InvalidValue: its model is none of coefficients.
    """
    hull = _hull(vessel)
    old, matrices = mass_of(hull), hull.matrices.copy()
    M = old.M_RB * mass + old.M_A
    matrices[MASS] += old.M_RB * (mass - 1.0)
    matrices[M_INV], matrices[HELD] = solved(M, (np.diag(hull.matrices[M_INV]) != 0.0).tolist())
    changed: Any = hull._replace(matrices=matrices, values=hull.values * damping)
    if vessel.parameters is not hull:
        parameters: Any = vessel.parameters
        changed = parameters._replace(hull=changed)
    return replace(vessel, parameters=changed)


def _hull(vessel: Dynamics) -> Parameters:
    hull = hull_of(vessel.parameters)
    if not isinstance(hull, Parameters):
        raise InvalidValue(f"{vessel.name}: a published model: expected a vessel of coefficients")
    return hull
