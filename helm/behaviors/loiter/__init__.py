"""``BHV_Loiter``: loitering around a polygon, its settings and entry."""
