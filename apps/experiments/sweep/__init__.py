"""``uSweep``: runs the cases of a sweep one after another in one mission, and tabulates results."""

from steerageway.apps.experiments.sweep.app import Sweep

__all__ = ["Sweep"]
