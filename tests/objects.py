"""Counts the objects that something keeps, for tests of growth."""

from __future__ import annotations

import gc
import types

_APART = (type, types.ModuleType, types.FunctionType, types.MethodType, types.CodeType)


def kept(root: object) -> int:
    """Return the number of objects that can be reached from one, those of modules left out."""
    seen: set[int] = set()
    left = [root]
    while left:
        one = left.pop()
        if id(one) not in seen and not isinstance(one, _APART):
            seen.add(id(one))
            left += gc.get_referents(one)
    return len(seen)
