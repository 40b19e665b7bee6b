"""Asks a run whether conditions hold, for shell scripts: ``python -m apps.query`` (uQueryDB)."""
