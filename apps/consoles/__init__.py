"""Tools for running missions: finding a run, and the consoles that watch, poke and query it."""
