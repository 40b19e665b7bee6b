"""Fossen (2021) vessel models: six degrees of freedom, compiled, verified against references.

Importing ``vessel.fossen`` imports no submodule; the modules that step a vessel import numba.

from steerageway.vessel.fossen.folder import load

otter = load("inputs/otter")
x = otter.step(otter.initial, [80.0, 60.0], otter.surroundings(), 0.02, steps=500)
"""
