"""The console (uPokeDB): pokes, watches and controls a running mission: ``python -m apps.poke``."""
