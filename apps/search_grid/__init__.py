"""``pSearchGrid``: counts how often vessels have been in each cell of a grid."""

from steerageway.apps.search_grid.app import SearchGrid

__all__ = ["SearchGrid"]
