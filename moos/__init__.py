"""The text formats of MOOS-IvP: missions, behaviors, logs and messages. Knows no bus."""
