"""Estimates of a vessel's hydrostatics and hydrodynamics from its form, with their validity."""

from steerageway.vessel.estimates.hull import Hull, of_dimensions, of_mesh
from steerageway.vessel.estimates.record import Estimate, Sheet
from steerageway.vessel.estimates.sheet import of_folder, of_hull
from steerageway.world.constants import DENSITY

__all__ = [
    "DENSITY", "Estimate", "Hull", "Sheet", "of_dimensions", "of_folder", "of_hull", "of_mesh",
]  # fmt: skip
