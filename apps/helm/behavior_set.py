"""The helm's behaviors: built from the files, run one after the other, removed when completed."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import NamedTuple

from apps.helm.behaviors import BEHAVIORS
from apps.helm.behaviors.base import AnyBehavior
from apps.helm.life_cycle import COMPLETED
from apps.helm.settings import CommonSettings, SettingError, put
from apps.helm.updates import Updates
from apps.helm.variables import publications, subscriptions
from apps.helm.world import World
from moos.bhv import BehaviorBlock
from moos.errors import FormatError
from moos.values import fixed

MOST_COMPLETED = 50  # how many completed behaviors are remembered


class Departed(NamedTuple):
    """A completed behavior: its name, when it completed (UTC [s]), and its updates."""

    name: str
    since: float
    updates: str


class BehaviorSet:
    """The behaviors, in the order of the files.

    Attributes:
        behaviors: those that are alive.
        departed: the last ones that completed.
        removed: how many completed so far; ever: how many there ever were.
        events: life events that were not posted yet.
    """

    def __init__(self, blocks: Iterable[BehaviorBlock], world: World) -> None:
        self.world = world
        self.behaviors = build(blocks, world)
        self.updates = {behavior.settings.name: Updates(behavior) for behavior in self.behaviors}
        self.departed: deque[Departed] = deque(maxlen=MOST_COMPLETED)
        self.removed = 0
        self.ever = len(self.behaviors)
        self.events = [self._event(b, "spawn", "helm_startup") for b in self.behaviors]
        world.follow(self.update_variables())

    def update_variables(self) -> list[str]:
        """Give the variables whose texts change parameters, in alphabetical order."""
        return sorted({b.settings.updates for b in self.behaviors if b.settings.updates})

    def publications(self) -> list[str]:
        """Give every variable that the behaviors may post."""
        return _unique(publications(b, b.settings) for b in self.behaviors)

    def subscriptions(self) -> list[str]:
        """Give every variable that the behaviors want to hear."""
        return _unique(map(subscriptions, self.behaviors))

    def take_updates(self, declared: Collection[str]) -> list[str]:
        """Take the updates that came for this iteration; give their results."""
        results: list[str] = []
        for behavior in self.behaviors:
            variable = behavior.settings.updates
            if variable and (texts := self.world.news(variable)):
                results += self.updates[behavior.settings.name].take(texts, declared)
        return results

    def remove_completed(self) -> None:
        """Let the completed behaviors go."""
        leaving = [behavior for behavior in self.behaviors if behavior.state == COMPLETED]
        for behavior in leaving:
            name = behavior.settings.name
            self.events.append(self._event(behavior, "death", ""))
            self.departed.append(Departed(name, behavior.since, self.updates[name].summary))
        if leaving:
            self.removed += len(leaving)
            self.behaviors = [b for b in self.behaviors if b.state != COMPLETED]

    def _event(self, behavior: AnyBehavior, event: str, seed: str) -> str:
        return (
            f"time={fixed(self.world.time, 2)},bname={behavior.settings.name},"
            f"btype={behavior.kind},event={event},seed={seed},iter={self.world.iteration}"
        )


def build(blocks: Iterable[BehaviorBlock], world: World) -> list[AnyBehavior]:
    """Make the behaviors of the files.

    Raises:
        FormatError: an unknown type or parameter, a wrong value, or a name used twice.
    """
    behaviors: list[AnyBehavior] = []
    places: dict[str, str] = {}
    for block in blocks:
        behavior = _build_one(block, world)
        name = behavior.settings.name
        if name in places:
            expected = f"expected a name of its own: it is also that of {places[name]}"
            raise FormatError(block.where, "name", name, expected)
        places[name] = block.where
        behaviors.append(behavior)
    return behaviors


def _build_one(block: BehaviorBlock, world: World) -> AnyBehavior:
    kind = BEHAVIORS.get(block.kind)
    if kind is None:
        near = get_close_matches(block.kind, BEHAVIORS, n=1, cutoff=0.5)
        hint = f"; the nearest is {near[0]}" if near else ""
        expected = f"expected one of {', '.join(BEHAVIORS)}{hint}"
        raise FormatError(block.where, "Behavior", block.kind, expected)
    for variable in kind.needs:
        if variable not in world.domain:
            expected = f"expected {variable} among the helm's domain lines, which it decides about"
            raise FormatError(block.where, "Behavior", block.kind, expected)
    behavior = kind(block.kind, _read_settings(block, kind.settings_class()), world)
    fields = frozenset(vars(behavior.settings))
    try:
        behavior.check(behavior.settings, fields)
    except SettingError as error:
        raise _located(error, block, behavior.settings.name) from error
    behavior.configured(fields)
    return behavior


def _read_settings(block: BehaviorBlock, settings: CommonSettings) -> CommonSettings:
    for line in block.lines:
        try:
            put(settings, line.key, line.value)
        except SettingError as error:
            raise _located(error, block, _name_of(block)) from error
    settings.name = settings.name or block.kind.lower()
    return settings


def _name_of(block: BehaviorBlock) -> str:
    names = [line.value for line in block.lines if line.key.lower() in ("name", "descriptor")]
    return names[-1] if names else block.kind.lower()


def _located(error: SettingError, block: BehaviorBlock, name: str) -> FormatError:
    """Say where a wrong setting stands: the last line of its key and value, or the block."""
    lines = [line for line in block.lines if line.key.lower() == error.name.lower()]
    same = [line for line in lines if line.value == error.value] or lines
    where = same[-1].where if same else block.where
    expected = f"{error.expected} (behavior {name}, {block.kind})"
    return FormatError(where, error.name, error.value, expected)


def _unique(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))
