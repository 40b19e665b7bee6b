"""The OpRegion behaviors and their parts."""
