"""Apps that post what a file, a clock or another variable says."""
