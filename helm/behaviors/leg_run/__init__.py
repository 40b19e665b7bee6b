"""``BHV_LegRun``: legs back and forth between two points, its settings and turns."""
