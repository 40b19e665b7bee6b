"""Enables and disables behaviors: ``BHV_ABLE_FILTER = action=disable,contact=henry``.

disable    disable all matching behaviors, those spawned later included
enable     enable them again
able       do not disable matching behaviors that are spawned later
expunge    remove matching behaviors without posting their endflags
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.moos.values import pairs

ACTIONS = ("disable", "enable", "able", "expunge")
KEYS = ("contact", "obstacle_id", "vsource", "bhv_type")
MOST_DISABLED = 1000  # filters that hold for behaviors spawned later


def read_filter(text: str) -> tuple[str, dict[str, str]]:
    """Return a filter's action, and the keys and values that a behavior must all match.

    Raises:
        ValueError: what was expected.
    """
    given = dict(pairs(text.lower()))
    action = given.pop("action", "")
    if action not in ACTIONS:
        raise ValueError(f"expected action= and one of {', '.join(ACTIONS)}")
    if not given or not given.keys() <= set(KEYS) or not all(given.values()):
        raise ValueError(f"expected one or more of {'=, '.join(KEYS)}= beside the action")
    return action, given


class AbleFilters:
    """Applies filters to the behaviors that can be disabled."""

    def __init__(self) -> None:
        self._disabled: list[dict[str, str]] = []

    def apply(self, text: str, behaviors: Iterable[AnyBehavior]) -> None:
        """Apply a filter.

        Raises:
            ValueError: what was expected.
        """
        action, facts = read_filter(text)
        if action != "expunge":
            self._disabled = [one for one in self._disabled if one != facts]
        if action == "disable":
            if len(self._disabled) >= MOST_DISABLED:
                raise ValueError(f"expected at most {MOST_DISABLED} different filters that disable")
            self._disabled.append(facts)
        for behavior in behaviors:
            if behavior.can_be_disabled() and _matches(behavior, facts):
                if action == "expunge":
                    behavior.completed = True
                elif action != "able":
                    behavior.disabled = action == "disable"

    def apply_to(self, behavior: AnyBehavior) -> None:
        """Disable a new behavior that matches an earlier filter."""
        matched = any(_matches(behavior, facts) for facts in self._disabled)
        behavior.disabled = behavior.can_be_disabled() and matched


def _matches(behavior: AnyBehavior, facts: Mapping[str, str]) -> bool:
    known = {**behavior.known_by(), "bhv_type": behavior.kind}
    return all(known.get(key, "").lower() == value for key, value in facts.items())
