"""``BHV_AvdColregs``: collision avoidance by the rules of the road, its modes and objectives."""
