"""Completion of command lines in a shell, by argcomplete, which tells of one by the environment."""

from __future__ import annotations

import os
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable
from typing import Any

ASKED = "_ARGCOMPLETE"
"""The variable that argcomplete's shell function sets: the number of the command's own words."""


def line_so_far() -> list[str]:
    """Return the whole words of the line to complete, with that of the command."""
    from argcomplete.lexers import split_line

    point = int(os.environ["COMP_POINT"])
    words: list[str] = split_line(os.environ["COMP_LINE"], point)[3]
    return words


def complete_word(words: Iterable[str]) -> None:
    """Print those of some words with which the line goes on, and end this process."""
    from argcomplete import autocomplete

    parser = ArgumentParser(add_help=False)
    offer(parser.add_argument("first"), lambda: words)
    autocomplete(parser)


def offer(action: Action, words: Callable[[], Iterable[str]], *, files: bool = False) -> Action:
    """Offer words for an argument's value, and the names of files, too."""

    def completer(prefix: str, **_: Any) -> list[str]:
        found = list(words())
        if files:
            from argcomplete.completers import FilesCompleter

            found += FilesCompleter()(prefix)
        return found

    action.completer = completer  # type: ignore[attr-defined]
    return action
