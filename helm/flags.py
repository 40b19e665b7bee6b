"""Flags: variables that a behavior posts at events such as running, idling or completing.

VAR = value                         a number, "text" or text, with macros: $[X] or $(X)
#all VAR = value                    sent to other vehicles: all, group, or a vehicle's name
#all+ VAR = value                   also posted in this community
VAR = value if (CONDITION)          only if the condition holds; "if" may be omitted
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from steerageway.moos.condition import Condition, ConditionError, Lookup, parse_condition
from steerageway.moos.node_message import ALL, NodeMessage
from steerageway.moos.values import Value, auto_value, number_of, split_first

MACRO = re.compile(r"\$(?:\[(\w+)\]|\((\w+)\))")

Macros = Mapping[str, Callable[[], str]]


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag, ready to post.

    Attributes:
        variable: name of the variable.
        value: a number, or text that may contain macros.
        destination: "" for this community; "all", "group" or a vehicle's name for others.
        here: whether it is (also) posted in this community.
        condition: required for posting; None: always.
        alone: the value is a single unquoted macro, so that a number is posted as a number.
    """

    variable: str
    value: Value
    destination: str = ""
    here: bool = True
    condition: Condition | None = None
    alone: bool = False

    def due(self, lookup: Lookup, utc: float) -> bool:
        """Whether its condition holds."""
        return self.condition is None or self.condition.holds(lookup, utc)

    def expanded(self, macros: Macros) -> Value:
        """Return its value with macros replaced, unknown ones excepted."""
        if isinstance(self.value, float):
            return self.value
        text = expand(self.value, macros)
        number = number_of(text) if self.alone else None
        return text if number is None else number

    def message(self, value: Value, vessel: str, group: str, behavior: str) -> str:
        """Return the ``NODE_MESSAGE_LOCAL`` that posts the flag on other vessels.

        Args:
            value: with macros replaced.
            vessel, group, behavior: the sending vessel, its group, and its behavior.
        """
        to_group = self.destination == "group"
        return NodeMessage(
            self.variable,
            value,
            source=vessel,
            to=ALL if to_group else self.destination,
            group=group if to_group else "",
            app="pHelmIvP",
            behavior=behavior,
        ).text()


def expand(text: str, macros: Macros) -> str:
    """Replace each macro in a text, unknown ones excepted."""

    def value(found: re.Match[str]) -> str:
        maker = macros.get(found[1] or found[2])
        return found[0] if maker is None else maker()

    return MACRO.sub(value, text)


def flag(text: str) -> Flag:
    """Read a flag.

    Raises:
        ValueError: what was expected.
    """
    destination, here = "", True
    if text.startswith(("@", "<", ">")):
        raise ValueError("expected no range or tag in front: this is no contact behavior")
    if text.startswith("#"):
        tag, _, text = text[1:].partition(" ")
        destination, here = tag.removesuffix("+"), tag.endswith("+")
        if not destination:
            raise ValueError("expected #all, #group or #vehicle")
    left, right = split_first(text, "=")
    if not left or not right or any(map(str.isspace, left)):
        raise ValueError("expected VAR = value")
    right, condition = _conditional(right)
    if not right:
        raise ValueError("expected VAR = value")
    alone = MACRO.fullmatch(right) is not None
    return Flag(left, auto_value(right), destination, here, condition, alone)


def _conditional(text: str) -> tuple[str, Condition | None]:
    """Split off a condition in parentheses at the end, if there is one."""
    opening = _opening(text)
    if opening <= 0 or not text[opening - 1].isspace():
        return text, None
    value, conditional = text[:opening].rstrip(), False
    if f" {value}".lower().endswith(" if"):
        value, conditional = value[:-2].rstrip(), True
    try:
        return value, parse_condition(text[opening:])
    except ConditionError as error:
        if conditional:
            raise ValueError(f"expected a condition behind if: {error}") from error
        return text, None


def _opening(text: str) -> int:
    """Return the index of the parenthesis that the text's last character closes; -1 if none."""
    depth = 0
    if text.endswith(")"):
        for index in range(len(text) - 1, -1, -1):
            depth += (text[index] == ")") - (text[index] == "(")
            if depth == 0:
                return index
    return -1
