"""What the OpRegion behaviors are made of."""
