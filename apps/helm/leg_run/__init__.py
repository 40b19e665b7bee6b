"""What ``BHV_LegRun`` is made of."""
