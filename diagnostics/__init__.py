"""Diagnostics: errors and warnings about users' files, as data. Every package may import it."""
