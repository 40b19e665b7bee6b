"""Scenes: what stands and floats around a vessel, and how it looks to sensors.

A scene is a YAML file (``scene.document``); ``scene.synthetic`` makes some from a seed.
"""
