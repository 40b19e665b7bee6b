"""Marks formulas: plain functions of plain numbers, used by Python and by compiled code.

A formula is defined in its subject's module and callable from Python; ``compiled.part(it)`` in a
compiled module makes machine code of the same source. So each formula exists once, and only
compiling modules import numba. A formula calls no other, and has no default arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def formula(function: Function) -> Function:
    """Mark a function as a formula: its file enters the fingerprints of machine code."""
    return function
