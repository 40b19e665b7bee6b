"""Unmodified programs of MOOS in lockstep: a preloaded library owns their clocks and waits."""
