"""``launch.py --sweep``: many runs of missions, each in a process of its own, and their table."""
