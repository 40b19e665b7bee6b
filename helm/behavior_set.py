"""The helm's set of behaviors: spawned by updates, enabled and disabled, removed if completed."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from steerageway.helm.behavior_variables import publications, subscriptions
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.build import Built, build_all, build_one
from steerageway.helm.kinds import Kinds
from steerageway.helm.life_cycle import COMPLETED
from steerageway.helm.settings import CLONE, SPAWN, SettingError
from steerageway.helm.updates import Updates, check_declared, read_update
from steerageway.helm.world import World
from steerageway.moos.bhv import BehaviorBlock
from steerageway.moos.errors import FormatError
from steerageway.moos.values import fixed, pairs

MOST_COMPLETED = 50  # number of completed behaviors listed in the appcast


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
    """Applies filters to the behaviors that can be disabled.

        BHV_ABLE_FILTER = action=disable,contact=henry

    Actions: ``disable`` all matching behaviors, those spawned later included; ``enable`` them
    again; ``able``: do not disable those spawned later; ``expunge``: remove matching behaviors
    without posting their endflags.
    """

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


class Template:
    """A block with ``templating = spawn`` or ``clone``, for one behavior of each new name.

    Without ``updates``, no behavior is spawned.

        templating = spawn        // no behavior at first
        name       = avoid_
        updates    = CONTACT      // "name=henry # contact=henry" makes avoid_henry

    Attributes:
        prototype: the behavior as described in the block; it runs only with ``clone``.
        name: prefix of the names of spawned behaviors.
        made, tried: number of behaviors spawned, and of attempts.
    """

    def __init__(self, built: Built, kinds: Kinds) -> None:
        self.prototype, self._block = built
        self._kinds = kinds
        self.name: str = self.prototype.settings.name
        self.made = self.tried = 0

    @property
    def variable(self) -> str:
        """The ``updates`` variable, whose texts spawn behaviors; "" if there is none."""
        return self.prototype.settings.updates or ""

    def full_name(self, called: str) -> str:
        """Return the behavior's name for a name in an update."""
        return called if called.startswith(self.name) else self.name + called

    def spawn(self, text: str, declared: Container[str]) -> AnyBehavior:
        """Spawn a behavior.

        Args:
            text: an update with a name.
            declared: the variables that the helm may post.
        Raises:
            SettingError: a parameter or value is invalid, or ``max_spawnings`` is reached.
        """
        called, assignments = read_update(text)
        self.tried += 1
        most = self.prototype.settings.max_spawnings
        if most and self.made >= most:
            expected = f"expected at most {most} of {self.name}, by its max_spawnings"
            raise SettingError("name", called, expected)
        named = [("name", self.full_name(called)), *assignments]
        behavior = build_one(self._block, self._kinds, self.prototype.world, named)
        check_declared(behavior, behavior.settings, assignments, declared)
        self.made += 1
        return behavior


class CompletedBehavior(NamedTuple):
    """A completed behavior: its name, when it completed (UTC [s]), and its updates."""

    name: str
    since: float
    updates: str


class BehaviorSet:
    """The behaviors: those of the files in their order, then spawned ones.

    Attributes:
        behaviors: all present behaviors.
        described: one per block of the files, templates included.
        templates: the blocks from which behaviors are spawned or cloned.
        completed: the behaviors that completed last.
        removed: number of behaviors removed so far; ever: number that ever existed.
        events: life events not posted yet.
        warnings: warnings of failed spawns, not posted yet.
    """

    def __init__(self, blocks: Iterable[BehaviorBlock], world: World, kinds: Kinds) -> None:
        self.world = world
        built = build_all(blocks, kinds, world)
        self.described = [one.behavior for one in built]
        self.templates = [
            Template(one, kinds)
            for one in built
            if one.behavior.settings.templating in (SPAWN, CLONE)
        ]
        self.behaviors = [b for b in self.described if b.settings.templating != SPAWN]
        self.updates = {behavior.settings.name: Updates(behavior) for behavior in self.behaviors}
        self.completed: deque[CompletedBehavior] = deque(maxlen=MOST_COMPLETED)
        self.removed = 0
        self.ever = len(self.behaviors)
        self.events = [self._event(b, "spawn", "helm_startup") for b in self.behaviors]
        self.warnings: list[str] = []
        self._filters = AbleFilters()
        self._follow()

    def update_variables(self) -> dict[str, str]:
        """Return the ``updates`` variable of each behavior that has one, by the behavior's name."""
        behaviors = sorted(self.behaviors, key=lambda one: str(one.settings.name))
        return {b.settings.name: b.settings.updates for b in behaviors if b.settings.updates}

    def contacts(self) -> list[str]:
        """Return the names of all behaviors' contacts, in lower case."""
        return [b.known_by().get("contact", "").lower() for b in self.behaviors]

    def publications(self) -> list[str]:
        """Return every variable that the behaviors may post, as names or patterns."""
        return _unique(publications(b, b.settings) for b in self.described)

    def subscriptions(self) -> list[str]:
        """Return every variable that the behaviors subscribe to."""
        return _unique(map(subscriptions, [*self.described, *self.behaviors]))

    def take_updates(self, declared: Container[str]) -> list[str]:
        """Apply the updates received for this iteration; return their results."""
        results: list[str] = []
        for behavior in self.behaviors if self.world.has_news else ():
            variable = behavior.settings.updates
            if variable and (texts := self.world.news(variable)):
                results += self.updates[behavior.settings.name].take(texts, declared)
        if results:
            self._follow()
        return results

    def spawn(self, declared: Container[str]) -> bool:
        """Spawn the behaviors that are named in this iteration's updates and do not exist yet.

        Returns: whether any was spawned.
        """
        before = self.ever
        for template in self.templates if self.world.has_news else ():
            texts = self.world.news(template.variable)
            known = set(self.updates) if texts else set()
            for text in texts:
                called = read_update(text)[0]
                # an update may use the short or the full name of a behavior
                if not called or known & {called, template.full_name(called)}:
                    continue
                name = template.full_name(called)
                if name in self.updates:  # spawned by an earlier update of this iteration
                    self.updates[name].take([text], declared)
                else:
                    self._make(template, name, text, declared)
        if self.ever > before:
            self._follow()
        return self.ever > before

    def able(self, text: str) -> None:
        """Apply a ``BHV_ABLE_FILTER``.

        Raises:
            ValueError: what was expected.
        """
        self._filters.apply(text, self.behaviors)

    def remove_completed(self) -> None:
        """Remove the completed behaviors."""
        leaving = [behavior for behavior in self.behaviors if behavior.state == COMPLETED]
        for behavior in leaving:
            name = behavior.settings.name
            self.events.append(self._event(behavior, "death", ""))
            self.completed.append(
                CompletedBehavior(name, behavior.since, self.updates.pop(name).summary)
            )
        if leaving:
            self.removed += len(leaving)
            self.behaviors = [b for b in self.behaviors if b.state != COMPLETED]

    def _make(self, template: Template, name: str, text: str, declared: Container[str]) -> None:
        try:
            behavior = template.spawn(text, declared)
        except (SettingError, FormatError) as error:
            self.events.append(self._event_text(name, template.prototype.kind, "abort", text))
            self.warnings.append(f"{name} is not made of {template.name}: {error}")
            return
        behavior.spawned = True
        self._filters.apply_to(behavior)
        self.behaviors.append(behavior)
        self.updates[name] = Updates(behavior, read_update(text)[0])
        self.ever += 1
        self.events.append(self._event(behavior, "spawn", text))

    def _follow(self) -> None:
        variables = [template.variable for template in self.templates]
        self.world.follow([*self.update_variables().values(), *variables])
        # only user-defined behaviors read ``mail``
        own = (one for one in (*self.described, *self.behaviors) if _is_user_defined(one))
        self.world.keep(name for behavior in own for name in subscriptions(behavior))

    def _event(self, behavior: AnyBehavior, event: str, seed: str) -> str:
        return self._event_text(behavior.settings.name, behavior.kind, event, seed)

    def _event_text(self, name: str, kind: str, event: str, seed: str) -> str:
        return (
            f"time={fixed(self.world.time, 2)},bname={name},"
            f"btype={kind},event={event},seed={seed},iter={self.world.iteration}"
        )


def _is_user_defined(behavior: AnyBehavior) -> bool:
    return not type(behavior).__module__.startswith("steerageway.helm.")


def _unique(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))
