"""Free run: time follows the wall clock, and nothing waits for anyone."""
