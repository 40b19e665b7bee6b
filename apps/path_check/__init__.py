"""``uFldPathCheck``: tells how far and how fast vessels go, from their node reports."""

from steerageway.apps.path_check.app import PathCheck

__all__ = ["PathCheck"]
