"""Files and options that are wrong, shown all at once before anything is started."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import NoReturn, TypeVar

from steerageway.apps.framework.registry import UnknownApp
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
        diagnostics: what is wrong. problems: the same as texts; of what several instances of a
            template share, one.
    """

    def __init__(self, *problems: str | Diagnostic) -> None:
        self.diagnostics = tuple(
            one if isinstance(one, Diagnostic) else Diagnostic(expected=one) for one in problems
        )
        self.problems = tuple(merged(self.diagnostics))
        super().__init__("\n".join(self.problems))


def complain(problem: str) -> NoReturn:
    """Raise what is wrong with a command line."""
    raise LaunchError(problem)


class Problems:
    """Collects what is wrong, so that a user corrects it in one go.

    Args:
        hint: says behind an error what may correct it; "" for nothing.
    """

    def __init__(self, hint: Callable[[Exception], str] = lambda error: "") -> None:
        self.found: list[Diagnostic] = []
        self._hint = hint

    def tried(self, attempt: Callable[[], _T], instead: _T) -> _T:
        """Give what an attempt gives; when something is wrong, note it and give the other."""
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
        """Give what an attempt gives for each of the given; note what is wrong."""
        found = [self.tried(partial(attempt, one), None) for one in given]
        return tuple(one for one in found if one is not None)

    def take(self, others: Problems, source_map: SourceMap) -> None:
        """Note what others found, with the user's own files in place of links."""
        self.found += map(source_map.own, others.found)

    def raise_any(self) -> None:
        """Raise everything that was noted, if anything was.

        Raises:
            LaunchError: something was.
        """
        if self.found:
            raise LaunchError(*map(_with_macros, self.found))


def macros_of(one: Diagnostic) -> list[str]:
    """Give the macros that stand in a wrong line as they were written."""
    return _MACRO.findall(f"{one.key} {one.value} {one.expected}")


def _with_macros(one: Diagnostic) -> Diagnostic:
    """Say how to define the macros that stand in a wrong line as they were written."""
    names = {name.lower(): name for name in reversed(macros_of(one))}
    if not names:
        return one
    options = " ".join(f"--define {name}=VALUE" for name in reversed(names.values()))
    return replace(one, expected=f"{one.expected}; perhaps {options}")
