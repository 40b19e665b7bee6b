"""Observers of a run (consoles, scripts, viewers): their connections, and what they may do."""
