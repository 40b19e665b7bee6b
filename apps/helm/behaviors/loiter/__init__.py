"""``BHV_Loiter`` and its parts."""
