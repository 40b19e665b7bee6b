"""Variables that behaviors post and subscribe to, by their settings, flags and conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from steerageway.declarations.patterns import any_matches, is_pattern
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.settings import CommonSettings, all_flags
from steerageway.moos.bhv import BehaviorBlock, BehaviorFile
from steerageway.moos.condition import MACRO, parse_condition

_ALERT_REQUESTS = ("BCM_ALERT_REQUEST", "OBM_ALERT_REQUEST")
_FLAGGED = re.compile(r"(?:[#@<>]\S*\s+)?(\w+)\s*=")  # after a destination or range tag


class Declared:
    """The variables that the helm may post: names and patterns, tested by ``in``."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(names)
        self._patterns = tuple(filter(is_pattern, dict.fromkeys(names)))

    def __contains__(self, name: object) -> bool:
        return name in self._names or any_matches(self._patterns, str(name))


def awaited(file: BehaviorFile) -> list[tuple[str, Diagnostic]]:
    """Return the variables used in conditions of behaviors and modes, with their lines."""
    found: dict[str, Diagnostic] = {}
    for block in file.behaviors:
        for line in block.lines:
            if line.key.lower() == "condition":
                for name in _plain(parse_condition(line.value).variables):
                    found.setdefault(name, Diagnostic(line.where, line.key, line.value))
    for rule in file.modes:
        for condition in rule.conditions:
            for name in condition.variables:
                found.setdefault(name, Diagnostic(rule.where, condition.text))
    return list(found.items())


def updated(blocks: Iterable[BehaviorBlock]) -> list[tuple[str, Diagnostic]]:
    """Return the variables from which behaviors take updates, with their lines."""
    lines = (line for block in blocks for line in block.lines if line.key.lower() == "updates")
    return [(line.value, Diagnostic(line.where, line.key, line.value)) for line in lines]


def _plain(names: Iterable[str]) -> Iterator[str]:
    """Return the names without a macro; the others are known only when a behavior is spawned."""
    return (name for name in names if not MACRO.search(name))


def flagged(file: BehaviorFile) -> list[tuple[str, Diagnostic]]:
    """Return the variables posted by flags of behaviors, with their lines."""
    found: dict[str, Diagnostic] = {}
    for block in file.behaviors:
        for line in block.lines:
            if line.key.lower().endswith("flag") and (name := _FLAGGED.match(line.value)):
                found.setdefault(name[1], Diagnostic(line.where, line.key, line.value))
    return list(found.items())


def publications(behavior: AnyBehavior, settings: CommonSettings) -> list[str]:
    """Return every variable a behavior may post with these settings, under its final name."""
    names = _listed(behavior.publishes, settings)
    for flag in all_flags(settings):
        if flag.here:
            names.append(flag.variable)
        if flag.destination:
            names.append("NODE_MESSAGE_LOCAL")
    if settings.duration_status:
        names.append(settings.duration_status)
    renamed = dict(settings.post_mapping)
    final = (renamed.get(name, name) for name in dict.fromkeys(names))
    return [name for name in final if name.lower() != "silent"]


def requested(behavior: AnyBehavior) -> list[tuple[str, str]]:
    """Return its ``updates`` variable with each variable by which it asks a manager for alerts."""
    settings = behavior.settings
    if settings.updates is None:
        return []
    asked = (name for name in publications(behavior, settings) if name in _ALERT_REQUESTS)
    return [(settings.updates, name) for name in asked]


def _listed(declared: Any, settings: CommonSettings) -> list[str]:
    """Return the names from a behavior's method, or from a user's class attribute instead of it."""
    names = declared(settings) if callable(declared) else declared
    return [names] if isinstance(names, str) else list(names)


def subscriptions(behavior: AnyBehavior) -> list[str]:
    """Return every variable a behavior subscribes to."""
    settings: CommonSettings = behavior.settings
    names = _listed(behavior.listens, settings)
    conditions = [*settings.condition, *(f.condition for f in all_flags(settings) if f.condition)]
    names += [name for condition in conditions for name in _plain(condition.variables)]
    names += [name for starvation in settings.nostarve for name in starvation.variables]
    names += [settings.updates] if settings.updates else []
    names += [settings.duration_reset.variable] if settings.duration_reset else []
    return list(dict.fromkeys(names))
