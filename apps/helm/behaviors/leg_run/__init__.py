"""``BHV_LegRun`` and its parts."""
