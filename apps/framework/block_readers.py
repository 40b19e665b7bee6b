"""Readers of what several blocks have: colours and variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.view import color_of

ABLE = ("disable", "enable", "expunge")  # what mail may ask to be done to behaviors


def parse_variable(text: str) -> str:
    """Give the variable that a text names.

    Raises:
        ValueError: empty, or with blanks.
    """
    if not text.strip() or " " in text.strip():
        raise ValueError("expected a variable's name")
    return text.strip()


def color(default: str, meaning: str, *, aliases: tuple[str, ...] = ()) -> Any:
    """Declare a colour."""
    return declare.value(default, color_of, meaning, aliases=aliases)


def variable(default: str, meaning: str) -> Any:
    """Declare the name of a variable."""
    return declare.value(default, parse_variable, meaning)


@dataclass(frozen=True)
class AbleVars(Options):
    """The variables that ask for a verb of ``ABLE``; None for none."""

    disable_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what is to be disabled"
    )
    enable_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what is to be enabled"
    )
    expunge_var: str | None = declare.value(
        "", parse_variable, "variable whose text names what is to be expunged"
    )

    def verbs(self) -> dict[str, str]:
        """Give the verb that each variable asks for."""
        variables = (self.disable_var, self.enable_var, self.expunge_var)
        return {name: verb for name, verb in zip(variables, ABLE, strict=True) if name}


def variable_in(entry: Entry) -> str:
    """Give the variable that a line names.

    Raises:
        ConfigError: empty, or with blanks.
    """
    try:
        return parse_variable(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from None
