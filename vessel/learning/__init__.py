"""Compiled parts of the learning tasks, which step thousands of vessels at once."""
