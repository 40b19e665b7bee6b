"""Warnings of conditions on values of mode variables that no mode declaration sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.bhv import BehaviorFile
from steerageway.moos.condition import Condition, parse_condition
from steerageway.moos.modes import ModeRule

_EQUALS = ("=", ",", "==", "!=")


def unset_modes(file: BehaviorFile) -> Iterator[Diagnostic]:
    """Yield a warning for each condition on a text that its mode variable can never have.

    ``MODE == LOITERING`` compares parts of the value, ``MODE = ACTIVE:LOITERING`` and
    ``MODE != ACTIVE:LOITERING`` the whole value.
    """
    for number, rule in enumerate(file.modes):  # a rule sees only values of earlier rules
        values = _values(file.modes[:number])
        values.setdefault(rule.variable, [])
        for condition in rule.conditions:
            yield from _warnings(rule.where, condition, values)
    values = _values(file.modes)
    for initial in file.initial:
        if initial.name in values:
            values[initial.name].append(str(initial.value))
    for block in file.behaviors:
        for line in block.lines:
            if line.key.lower() in ("condition", "lead_condition"):
                yield from _warnings(line.where, parse_condition(line.value), values)


def _warnings(
    where: str, condition: Condition, values: Mapping[str, list[str]]
) -> Iterator[Diagnostic]:
    """Yield the warnings of one condition.

    Args:
        values: the possible values of each mode variable.
    """
    for name, relation, text in condition.texts:
        if name not in values or relation not in _EQUALS:
            continue
        parts = list(dict.fromkeys(p for value in values[name] for p in _parts(value)))
        known = parts if relation == "==" else values[name]
        if text in known:
            continue
        whole = next((value for value in values[name] if text in _parts(value)), None)
        there = nearest(text, known) if known else "none stands before it"
        why = f"no declaration sets {name} to {text}; {there}"
        if whole:
            why = f"{name} is {whole}, never {text} alone (== in a behavior asks for a part)"
        yield Diagnostic(where, condition.text, expected=why)


def _values(rules: Iterable[ModeRule]) -> dict[str, list[str]]:
    """Return the possible values of each mode variable."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        found.setdefault(rule.variable, []).extend(rule.values)
    return found


def _parts(value: str) -> Iterator[str]:
    """Yield every sequence of successive components of a value with colons."""
    components = value.split(":")
    for first in range(len(components)):
        for last in range(first, len(components)):
            yield ":".join(components[first : last + 1])
