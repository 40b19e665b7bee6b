"""Consoles, scripts and viewers beside a run: how they come in and what they may do."""
