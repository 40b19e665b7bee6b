"""Encounters under the COLREGs: scenarios, the targets in them, situations, scores."""
