"""Vessels after Fossen (2021): six degrees of freedom, compiled, checked against the references.

Importing ``vessel.fossen`` loads nothing; the modules that step a vessel import numba.

from steerageway.vessel.fossen.folder import load

otter = load("inputs/otter")
x = otter.step(otter.initial, [80.0, 60.0], otter.surroundings(), 0.02, steps=500)
"""
