"""What ``BHV_Loiter`` is made of."""
