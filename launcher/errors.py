"""Launch errors: all errors of files and options are collected and shown at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import NoReturn, TypeVar

from steerageway.apps.shared.registry import UnknownApp
from steerageway.bus import BusError
from steerageway.diagnostics.diagnostic import Diagnostic, diagnostics_of, merged
from steerageway.diagnostics.source_map import SourceMap
from steerageway.moos.condition import ConditionError
from steerageway.moos.errors import FormatError

_MACRO = re.compile(r"[$%]\((\w+)\)")
_A = TypeVar("_A")
_T = TypeVar("_T")


class LaunchError(Exception):
    """A mission cannot be started.

    Attributes:
        diagnostics: the errors. problems: the same as texts, with those that several instances
            of a template share merged.
    """

    def __init__(self, *problems: str | Diagnostic) -> None:
        self.diagnostics = tuple(
            one if isinstance(one, Diagnostic) else Diagnostic(expected=one) for one in problems
        )
        self.problems = tuple(merged(self.diagnostics))
        super().__init__("\n".join(self.problems))


def raise_error(problem: str) -> NoReturn:
    """Raise an error of a command line."""
    raise LaunchError(problem)


class Problems:
    """Collects errors, so that the user sees all of them at once.

    Args:
        hint: returns a suggestion to append to an error; "" for none.
    """

    def __init__(self, hint: Callable[[Exception], str] = lambda error: "") -> None:
        self.found: list[Diagnostic] = []
        self._hint = hint

    def tried(self, attempt: Callable[[], _T], instead: _T) -> _T:
        """Return the result of an attempt; if it fails, collect the error, return ``instead``."""
        try:
            return attempt()
        except LaunchError as error:
            self.found += error.diagnostics
        except (BusError, FormatError, ConditionError, UnknownApp) as error:
            *others, last = diagnostics_of(error)
            last = replace(last, expected=f"{last.expected}{self._hint(error)}")
            self.found += [*others, last]
        return instead

    def each(self, attempt: Callable[[_A], _T], given: Iterable[_A]) -> tuple[_T, ...]:
        """Return the results of an attempt for each item; collect the errors of the others."""
        found = [self.tried(partial(attempt, one), None) for one in given]
        return tuple(one for one in found if one is not None)

    def take(self, others: Problems, source_map: SourceMap) -> None:
        """Add the errors of another collection, with paths of expanded files made the user's."""
        self.found += map(source_map.own, others.found)

    def raise_any(self) -> None:
        """Raise all collected errors.

        Raises:
            LaunchError: there are any.
        """
        if self.found:
            raise LaunchError(*map(_with_macros, self.found))


def macros_of(one: Diagnostic) -> list[str]:
    """Return the names of macros in an erroneous line that were not expanded."""
    return _MACRO.findall(f"{one.key} {one.value} {one.expected}")


def _with_macros(one: Diagnostic) -> Diagnostic:
    """Append the options that would define the macros in an erroneous line."""
    names = {name.lower(): name for name in reversed(macros_of(one))}
    if not names:
        return one
    options = " ".join(f"--define {name}=VALUE" for name in reversed(names.values()))
    return replace(one, expected=f"{one.expected}; perhaps {options}")
