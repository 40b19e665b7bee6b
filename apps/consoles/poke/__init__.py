"""Pokes a run, watches it and steers it from a terminal: ``python -m apps.poke`` (uPokeDB)."""
