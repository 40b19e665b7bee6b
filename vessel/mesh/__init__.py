"""Hydrostatics and wave loads of a closed triangle mesh: cut at the surface, pressure, drag."""
