"""Marks formulas: plain functions of plain numbers, used by Python and by compiled code.

A formula is defined in its subject's module and callable from Python; ``compiled.part(it)`` in a
compiled module makes machine code of the same source. So each formula exists once, and only
compiling modules import numba. A formula calls no other, except ``chosen`` and ``everywhere``, and
has no default arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
Chosen = TypeVar("Chosen")


def formula(function: Function) -> Function:
    """Mark a function as a formula: its file enters the fingerprints of machine code."""
    return function


def chosen(condition: Any, one: Chosen, other: Chosen) -> Chosen:
    """Return one of two, which are both computed; in compiled code also in each of some lanes."""
    return one if condition else other


def everywhere(condition: Any) -> Any:
    """Whether a condition holds; in compiled code in each of some lanes."""
    return condition
