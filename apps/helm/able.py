"""Behaviors switched off from outside: ``BHV_ABLE_FILTER = action=disable,contact=henry``."""

from __future__ import annotations

from collections.abc import Iterable

from apps.helm.behaviors.base import AnyBehavior
from moos.values import pairs

ACTIONS = ("disable", "enable", "expunge")
KEYS = ("contact", "obstacle_id", "vsource", "bhv_type")


def apply_filter(text: str, behaviors: Iterable[AnyBehavior]) -> None:
    """Disable, enable or expunge the behaviors that a filter is about.

    A filter is about the behaviors that can be disabled and that all of its keys fit. What is
    expunged leaves without its endflags.

    Raises:
        ValueError: what was expected.
    """
    given = dict(pairs(text.lower()))
    action = given.pop("action", "")
    if action not in ACTIONS:
        raise ValueError(f"expected action= and one of {', '.join(ACTIONS)}")
    if not given or not given.keys() <= set(KEYS) or not all(given.values()):
        raise ValueError(f"expected one or more of {'=, '.join(KEYS)}= beside the action")
    for behavior in behaviors:
        if not behavior.can_be_disabled():
            continue
        facts = {**behavior.known_by(), "bhv_type": behavior.kind}
        if all(facts.get(key, "").lower() == value for key, value in given.items()):
            if action == "expunge":
                behavior.completed = True
            else:
                behavior.disabled = action == "disable"
