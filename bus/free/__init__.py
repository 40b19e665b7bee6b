"""Free run: simulated time follows the wall clock, and no app waits for another."""
