"""Contacts and obstacles: managers, alerts, trackers, detectors of encounters and collisions."""
