"""Files and options that are wrong, shown all at once before anything is started."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NoReturn, TypeVar

from steerageway.apps.framework.registry import UnknownApp
from steerageway.bus import BusError
from steerageway.launcher.source_map import merged
from steerageway.moos.condition import ConditionError
from steerageway.moos.errors import FormatError

_MACRO = re.compile(r"[$%]\((\w+)\)")
_A = TypeVar("_A")
_T = TypeVar("_T")


class LaunchError(Exception):
    """A mission cannot be started. Attributes: problems, one text each."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


def complain(problem: str) -> NoReturn:
    """Raise what is wrong with a command line."""
    raise LaunchError(problem)


class Problems:
    """Collects what is wrong, so that a user corrects it in one go.

    Args:
        hint: says behind an error what may correct it; "" for nothing.
    """

    def __init__(self, hint: Callable[[Exception], str] = lambda error: "") -> None:
        self.found: list[str] = []
        self._hint = hint

    def add(self, problem: str) -> None:
        """Note a problem, once."""
        if problem not in self.found:
            self.found.append(problem)

    def tried(self, attempt: Callable[[], _T], instead: _T) -> _T:
        """Give what an attempt gives; when something is wrong, note it and give the other."""
        try:
            return attempt()
        except LaunchError as error:
            for problem in error.problems:
                self.add(problem)
        except (BusError, FormatError, ConditionError, UnknownApp) as error:
            self.add(f"{error}{self._hint(error)}")
        return instead

    def each(self, attempt: Callable[[_A], _T], given: Iterable[_A]) -> tuple[_T, ...]:
        """Give what an attempt gives for each of the given; note what is wrong."""
        found = [self.tried(partial(attempt, one), None) for one in given]
        return tuple(one for one in found if one is not None)

    def translate(self, translation: Callable[[str], str]) -> None:
        """Say what was noted in other words."""
        self.found = list(dict.fromkeys(map(translation, self.found)))

    def raise_any(self) -> None:
        """Raise everything that was noted, if anything was; what several instances share, once.

        Raises:
            LaunchError: something was.
        """
        if self.found:
            raise LaunchError(*map(_with_macros, merged(self.found)))


def _with_macros(problem: str) -> str:
    """Say how to define the macros that stand in a wrong line as they were written."""
    names = {name.lower(): name for name in reversed(_MACRO.findall(problem))}
    if not names:
        return problem
    options = " ".join(f"--define {name}=VALUE" for name in reversed(names.values()))
    return f"{problem}; perhaps {options}"
