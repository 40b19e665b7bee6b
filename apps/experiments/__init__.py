"""Experiments: mission templates, parameter sweeps, and evaluation of missions."""
