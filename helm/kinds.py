"""Behavior types by name: built-in, from a user's Python files, and from installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from steerageway.helm.behaviors import BEHAVIORS, LEFT_OUT
from steerageway.helm.behaviors.base import AnyBehavior, Behavior

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PREFIX = "BHV_"
MISSING = "missing here, and left out"
GROUP = "steerageway.behaviors"  # entry points: BHV_Name = package.module:Class


class NotLoaded(ValueError):
    """A user's file or package defines no behavior, or fails when imported."""


class Kinds:
    """Behavior types by name. Files take precedence over built-in types, these over packages.

    Args:
        skip_missing: whether behaviors of missing types are left out.
    """

    def __init__(self, *, skip_missing: bool = False) -> None:
        self._own: dict[str, type[AnyBehavior]] = {}
        self._skip_missing = skip_missing

    def load(self, files: Iterable[Path]) -> None:
        """Import the behaviors that files define.

        Raises:
            NotLoaded: a file fails when imported, or defines no behavior.
        """
        for file in files:
            self._own |= _behaviors_of(file)

    def add(self, name: str, kind: type[AnyBehavior]) -> None:
        """Register a class under a name."""
        self._own[name] = kind

    def get(self, name: str) -> type[AnyBehavior] | None:
        """Return the class of a type such as BHV_Waypoint; None if there is none.

        Raises:
            NotLoaded: the package that provides it fails when imported, or provides no behavior.
        """
        return self._own.get(name) or BEHAVIORS.get(name) or _installed(name)

    def why_left_out(self, name: str) -> str:
        """Return why behaviors of a type are not made; "" if they are, or are an error.

        Raises:
            NotLoaded: as ``get``.
        """
        if self.get(name) is not None:
            return ""
        return LEFT_OUT.get(name, MISSING if self._skip_missing else "")

    def own(self) -> list[str]:
        """Return the names of the types from a user's files."""
        return list(self._own)

    def names(self) -> list[str]:
        """Return all names, those from a user's files first."""
        return list(dict.fromkeys([*self._own, *BEHAVIORS, *sorted(_entry_points())]))


def _behaviors_of(file: Path) -> dict[str, type[AnyBehavior]]:
    """Return the behaviors that a file defines, each under BHV_ and the name of its class."""
    module = _loaded(file)
    classes = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Behavior) and one.__module__ == module.__name__
    ]
    if not classes:
        raise NotLoaded(f"{file.name} defines no class that derives from Behavior")
    return {PREFIX + one.__name__.removeprefix(PREFIX): one for one in classes}


def _loaded(file: Path) -> ModuleType:
    name = f"steerageway_behaviors.{file.stem}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise NotLoaded(f"{file.name} is not a Python file")
    module = sys.modules[name] = module_from_spec(spec)  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise NotLoaded(f"{file.name} fails: {_where(error, file)}{_error_line(error)}") from error
    return module


def _where(error: BaseException, file: Path) -> str:
    """Return the last line of the file in the error's traceback."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: "
    lines, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file.absolute()):
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f"line {lines[-1]}: " if lines else ""


def _error_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"


def _installed(name: str) -> type[AnyBehavior] | None:
    point = _entry_points().get(name)
    if point is None:
        return None
    try:
        kind = point.load()
    except (Exception, SystemExit) as error:  # a user's package may raise anything
        raise NotLoaded(f"the installed {point.value} fails: {_error_line(error)}") from error
    if not (isinstance(kind, type) and issubclass(kind, Behavior)):
        raise NotLoaded(f"the installed {point.value} is no class that derives from Behavior")
    return kind


def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to import and seldom needed

    return {point.name: point for point in entry_points(group=GROUP)}
