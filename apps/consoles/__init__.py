"""Beside a run: how it is found and watched, and the consoles, which post to it or ask it."""
