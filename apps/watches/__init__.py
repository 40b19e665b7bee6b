"""Apps that look after the other apps of a community."""
