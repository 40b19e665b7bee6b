"""Estimates of a vessel's hydrostatics and hydrodynamics from its form, with their validity."""
