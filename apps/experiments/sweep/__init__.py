"""``uSweep``: runs the cases of a sweep one after another in one mission, and tabulates results."""
