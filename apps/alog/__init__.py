"""Tools for .alog files: ``python -m apps.alog grep|csv|plot|diff|hash|replay``."""
