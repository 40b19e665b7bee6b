"""Marks formulas: plain functions of plain numbers that compiled equations take in, too.

A formula stands where a reader looks for it, and Python calls it as it is; ``compiled.part(it)`` in
a compiled module is the same lines as machine code. So there is one text of each, and numba is
loaded by those alone that compile. A formula calls no other, and has no default arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def formula(function: Function) -> Function:
    """Mark a function as a formula: its text counts in the fingerprints of machine code."""
    return function
