"""Sensors that look outward, and what is made of what they see."""
