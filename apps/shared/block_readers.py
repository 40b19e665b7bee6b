"""Readers of parameters that several blocks have: colours, names, conditions, able variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any

from steerageway.bus import Config, Entry, Options, declare, parsed
from steerageway.declarations import Number
from steerageway.moos.condition import MACRO, Condition, doubts_of, parse_condition
from steerageway.moos.lines import decoded, file_bytes
from steerageway.moos.view import color_of

_REACH = Number(words={"nolimit": inf, "unlimited": inf})
ABLE = ("disable", "enable", "expunge")  # what mail may request for behaviors


def parse_variable(text: str) -> str:
    """Return the variable named by a text.

    Raises:
        ValueError: the text is empty or contains blanks.
    """
    if not text.strip() or " " in text.strip():
        raise ValueError("expected a variable's name")
    return text.strip()


def parse_reach(text: str) -> float:
    """Return the distance that a text is [m]; a negative one and ``nolimit`` are inf.

    Raises:
        ValueError: it is no number.
    """
    found = _REACH(text)
    return found if found >= 0.0 else inf


def parse_file_name(text: str) -> str:
    """Return the name of a file, or the first part of one, which is written to the run's folder.

    Raises:
        ValueError: the text is empty, or leads to another folder.
    """
    name = text.strip()
    if not name or any(sign in name for sign in "/\\\0") or name in (".", ".."):
        raise ValueError("expected a file's name, without folders")
    return name


def text_of_file(config: Config, entry: Entry | None, folder: Path) -> str:
    """Return the text of the file that a line names; one that cannot be read is a warning.

    Args:
        folder: to which its name is relative.
    """
    if entry is None:
        return ""
    try:
        return decoded(file_bytes(folder / entry.value))
    except (OSError, ValueError) as error:
        config.warn(entry, f"cannot be read: {error}")
        return ""


def color(default: str, meaning: str, *, aliases: tuple[str, ...] = ()) -> Any:
    """Declare a parameter that is a colour."""
    return declare.value(default, color_of, meaning, aliases=aliases)


def variable(default: str, meaning: str) -> Any:
    """Declare a parameter that is the name of a variable."""
    return declare.value(default, parse_variable, meaning)


@dataclass(frozen=True)
class AbleVars(Options):
    """The variables by which mail requests an action of ``ABLE``; None for no variable."""

    disable_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what to disable"
    )
    enable_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what to enable"
    )
    expunge_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what to expunge"
    )

    def verbs(self) -> dict[str, str]:
        """Return the requested action of each variable."""
        variables = (self.disable_var, self.enable_var, self.expunge_var)
        return {name: verb for name, verb in zip(variables, ABLE, strict=True) if name}


AS_MOOS_LINES: Mapping[str, str] = MappingProxyType({"peer_compat": "moos"})
"""Lines of the block of an app that may repeat MOOS-IvP's faults, in a mission that asks for it."""


def repeats_faults(meaning: str) -> Any:
    """Declare ``peer_compat = moos``: whether an app repeats faults of MOOS-IvP's."""

    def read(config: Config, names: Sequence[str]) -> bool:
        return config.choice(*names, default="", among=("moos",)) == "moos"

    return declare.custom(read, meaning, name="peer_compat")


def read_conditions(config: Config, names: Sequence[str] = ("condition",)) -> list[Condition]:
    """Read the conditions, all of which must hold.

    Args:
        names: of the parameter.
    Raises:
        ConfigError: a line does not follow the grammar.
    """
    lines = config.all(*names)
    for line in lines:
        if MACRO.search(line.value):
            config.warn(line, "nothing replaces its macro: it never holds")
    found = [parsed(line, parse_condition) for line in lines]
    for line, condition in zip(lines, found, strict=True):
        for doubt in doubts_of(condition):
            config.warn(line, doubt)
    return found
