"""Exports a run's sensor measurements as a dataset for training perception."""
