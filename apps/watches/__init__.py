"""Apps that monitor the other apps of a community."""
