"""The console (uPokeDB): pokes, watches and controls a running mission: ``steerageway poke``."""
