"""Processes of a run: broker, hosts of apps, and the supervisor that starts and ends them."""
