"""Reproduction of the figures and tables of the documents that the simulator follows."""
