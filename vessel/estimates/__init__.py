"""What can be said of a vessel from its form alone: estimates, each with its source and range."""

from steerageway.vessel.estimates.hull import DENSITY, Hull, of_dimensions, of_mesh
from steerageway.vessel.estimates.record import Estimate, Sheet
from steerageway.vessel.estimates.sheet import of_folder, of_hull

__all__ = [
    "DENSITY",
    "Estimate",
    "Hull",
    "Sheet",
    "of_dimensions",
    "of_folder",
    "of_hull",
    "of_mesh",
]
