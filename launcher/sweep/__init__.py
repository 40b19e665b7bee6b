"""``launch.py --sweep``: many runs of a mission, each in a separate process, and their table."""
