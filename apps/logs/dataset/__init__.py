"""Datasets of a run's measurements, for those who train perception."""
