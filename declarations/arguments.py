"""Options of commands: read by the same readers as files, and refused with the same sentences."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, NoReturn, TypeVar

from steerageway.declarations.declaration import read, unknown
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import hint

T = TypeVar("T")
_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)$")


def argument(reader: Callable[[str], T]) -> Callable[[str], T]:
    """Return the type of an option whose text is read by a reader."""

    def parse(text: str) -> T:
        found = read(reader, text)
        if isinstance(found, Diagnostic):
            raise ArgumentTypeError(str(found))
        return found

    return parse


def add_options(group: Any, table: str, **details: Any) -> None:
    """Add options to a parser or a group of it, one a line: ``--name VALUE: what it does``.

    Without a VALUE an option is a flag; with ``VALUE ...`` it may be repeated, and gives a list.
    ``--name=field VALUE`` gives it another name in the result, and ``--name, -n`` another spelling.
    Without the option, and without details, the result is "".

    Args:
        table: the lines.
        details: of a field of the result: the reader of its text, whose result is None without the
            option; or reader and default; or further arguments of ``add_argument``.
    """
    for line in cleandoc(table).split("\n"):
        spelled, _, meaning = " ".join(line.split()).partition(": ")
        name, *words = spelled.split(" ")
        name, _, field = name.rstrip(",").partition("=")
        names = [name, *(word for word in words if word.startswith("-"))]
        value = " ".join(words[len(names) - 1 :])
        field = field or name[2:].replace("-", "_")
        detail = details.get(field)
        more: dict[str, Any] = {"help": meaning, "dest": field}
        if words[-1:] == ["..."]:
            more |= {"action": "append", "default": []}
            value = value.removesuffix("...").rstrip()
        elif not value and detail is None:
            more["action"] = "store_true"
        elif detail is None:
            more["default"] = ""
        if isinstance(detail, tuple):
            more |= {"type": argument(detail[0]), "default": detail[1]}
        elif isinstance(detail, dict):
            more |= detail
        elif detail is not None:
            more["type"] = argument(detail)
        group.add_argument(*names, **more, **({"metavar": value} if value else {}))


class Parser(ArgumentParser):
    """A parser that names the nearest word to an unknown one, and takes no abbreviations."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **named})

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> Namespace:
        """Parse the options; for a shell that asks, print instead how its line goes on."""
        self._complete()
        return super().parse_args(args, namespace)

    def parse_intermixed_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> Namespace:
        """Parse options among other words; else as ``parse_args``."""
        self._complete()
        return super().parse_intermixed_args(args, namespace)

    def _complete(self) -> None:
        if "_ARGCOMPLETE" in os.environ:
            from argcomplete import autocomplete

            autocomplete(self)  # ends this process

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """Parse the options; there are no unknown ones."""
        options, rest = super().parse_known_args(args, namespace)
        for option in rest:
            if option.startswith("--"):
                key, _, value = option.partition("=")
                self.error(str(unknown(key, self._option_string_actions, value=value)))
        return options, rest

    def error(self, message: str) -> NoReturn:
        """End with exit code 2 and an error; the nearest of some choices follows a wrong one."""
        if wrong := _CHOICE.search(message):
            message += hint(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        super().error(message)
