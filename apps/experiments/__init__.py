"""Missions that are made from templates, swept over parameters, and judged."""
