"""``uSweep``: runs a mission's cases one after another, and tabulates what came of them."""

from steerageway.apps.experiments.sweep.app import Sweep

__all__ = ["Sweep"]
