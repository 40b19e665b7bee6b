"""Starts missions: options, mission files and launch lists in, a plan for the bus out."""
