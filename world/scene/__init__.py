"""Scenes: static and floating objects around a vessel, with their appearance to sensors.

A scene is a YAML file (``scene.document``); ``scene.synthetic`` generates some from a seed.
"""
