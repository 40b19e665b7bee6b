"""Builds behaviors from the blocks of behavior files, with errors and warnings of the blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from math import inf
from typing import ClassVar, NamedTuple

from steerageway.declarations import Declaration, doubts, finite
from steerageway.diagnostics.diagnostic import Diagnostic, not_used
from steerageway.diagnostics.nearest import near, nearest
from steerageway.helm.behavior_variables import publications, subscriptions
from steerageway.helm.behaviors.base import AnyBehavior, Behavior, BehaviorError, above_domain
from steerageway.helm.kinds import PREFIX, Kinds, NotLoaded
from steerageway.helm.refusals import alike_names, refusals
from steerageway.helm.settings import (
    CLONE,
    SPAWN,
    CommonSettings,
    SettingError,
    declarations,
    put,
    reader_of,
)
from steerageway.helm.world import World
from steerageway.ivp import Domain
from steerageway.moos.bhv import BehaviorBlock
from steerageway.moos.errors import FormatError, FormatErrors
from steerageway.moos.values import trimmed

_FEW = 3  # known behaviors listed in an error without a near match
_ADDS = "--config pHelmIvP.behavior_path=FILE.py adds one of your own"

_DESIRED = re.compile(r"speed(_alt)?|(?!max_|mod_)\w+_speed")  # parameters: speeds to sail at

Assignments = Sequence[tuple[str, str]]


class Built(NamedTuple):
    """A behavior and the block it was built from."""

    behavior: AnyBehavior
    block: BehaviorBlock


def build_all(blocks: Iterable[BehaviorBlock], kinds: Kinds, world: World) -> list[Built]:
    """Build a behavior from each block.

    Raises:
        FormatErrors: unknown types or parameters, invalid values, or duplicate names.
    """
    found: list[Built] = []
    errors: list[FormatError] = []
    places: dict[str, str] = {}
    for block in blocks:
        try:
            if _why_left_out(block, kinds):
                continue
            behavior = build_one(block, kinds, world)
            _check_name(behavior.settings.name, block, places)
        except FormatErrors as error:
            errors += error.errors
        except FormatError as error:
            errors.append(error)
        else:
            found.append(Built(behavior, block))
    if errors:
        raise FormatErrors(errors)
    return found


def build_one(
    block: BehaviorBlock, kinds: Kinds, world: World, more: Assignments = ()
) -> AnyBehavior:
    """Build a behavior from a block.

    Args:
        more: additional parameters, as from an update.
    Raises:
        FormatError: the block is invalid, or the behavior fails.
        SettingError: an additional parameter is invalid.
    """
    kind = _kind(block, kinds, world)
    settings = kind.settings_class()
    assigned = _read_settings(block, settings)
    assigned |= {put(settings, name, text) for name, text in more}
    settings.settle(assigned)
    try:
        return _instance(kind, block.kind, settings, world)
    except SettingError as error:
        if more:
            raise
        raise _located(error, block, settings.name) from error
    except Exception as error:  # a user's behavior may raise anything
        expected = f"the behavior fails: {type(error).__name__}: {error}"
        raise FormatError(block.where, "Behavior", block.kind, expected) from error


def file_warnings(blocks: Iterable[BehaviorBlock], kinds: Kinds) -> Iterator[Diagnostic]:
    """Yield a warning for each behavior, parameter and visual hint without effect.

    A behavior that completes as soon as it runs is reported, too.
    """
    blocks = list(blocks)
    yield from alike_names(blocks)
    for block in blocks:
        if why := kinds.why_left_out(block.kind):
            yield Diagnostic(block.where, expected=f"{block.kind} is {why}")
        if (kind := kinds.get(block.kind)) is None:
            continue
        if (kind.run, kind.on_every_state) == (Behavior.run, Behavior.on_every_state):
            nothing = f"{block.kind} does nothing: its class has no method run"
            yield Diagnostic(block.where, expected=nothing)
        settings = kind.settings_class
        known = declarations(settings)
        if settings.duration == 0 and not _keys(block) & {"duration", "updates"}:
            expected = "expected duration = no-time-limit, or how many seconds it is to run"
            soon = f"{block.kind} completes as soon as it runs: {expected}"
            yield Diagnostic(block.where, expected=soon)
        for line in block.lines:
            key = line.key.lower()
            place, declared = known.get(key.removeprefix("_"), ("", None))
            if declared is None and key in settings.without_effect:
                why = f"{line.key} has no effect here: {settings.without_effect[key]}"
                yield Diagnostic(line.where, expected=why)
            if declared is not None:
                reader = reader_of(settings(), place, declared)
                for why in doubts(reader, line.value.strip()):
                    yield Diagnostic(line.where, line.key, line.value, why)
            spawns = key == "templating" and line.value.strip().lower() in (SPAWN, CLONE)
            if spawns and "updates" not in _keys(block):
                why = "expected an updates line, too; without it no behavior is spawned"
                yield Diagnostic(line.where, line.key, line.value, why)
        yield from _line_warnings(block, settings())
        yield from refusals(block)


def domain_warnings(
    blocks: Iterable[BehaviorBlock], kinds: Kinds, domain: Domain
) -> Iterator[Diagnostic]:
    """Yield a warning for each behavior that needs what the domain lacks, and for each line that
    desires a speed above the domain's maximum.
    """
    top = domain["speed"].high if "speed" in domain else inf
    for block in blocks:
        kind = kinds.get(block.kind)
        known = {} if kind is None else declarations(kind.settings_class)
        if kind is not None and (why := _why_unfit(kind, domain)):
            yield Diagnostic(block.where, "Behavior", block.kind, f"{why}; it fails when it runs")
        for line in block.lines:
            place, _ = known.get(line.key.lower().removeprefix("_"), ("", None))
            speed = finite(line.value) if _DESIRED.fullmatch(place) else None
            if speed is not None and speed > top:
                yield Diagnostic(line.where, line.key, line.value, above_domain(speed, top))


def _line_warnings(block: BehaviorBlock, settings: CommonSettings) -> Iterator[Diagnostic]:
    """Yield a warning for lines of a block that are not used as written, or are missing."""
    yield from _contradictions(block, type(settings)())
    known = declarations(type(settings))
    yield from _replaced(block, known)
    for name, why in settings.doubts(_read_settings(block, settings)):
        lines = [line for line in block.lines if known.get(line.key.lower(), ("",))[0] == name]
        if lines:
            yield Diagnostic(lines[-1].where, lines[-1].key, lines[-1].value, why)
        else:
            yield Diagnostic(block.where, expected=f"{block.kind} {why}")


def _replaced(
    block: BehaviorBlock, known: Mapping[str, tuple[str, Declaration]]
) -> Iterator[Diagnostic]:
    """Yield a warning for each line whose value a later line of the parameter replaces."""
    lines = []
    for line in block.lines:
        place, declared = known.get(line.key.lower().removeprefix("_"), ("", None))
        if declared is not None and not declared.repeats:
            lines.append((place, line))
    counting = dict(lines)
    for place, line in lines:
        last = counting[place]
        if line.value.strip() != last.value.strip():
            why = not_used(last.where, last.key, last.value)
            yield Diagnostic(line.where, line.key, line.value, why)


def _contradictions(block: BehaviorBlock, settings: CommonSettings) -> Iterator[Diagnostic]:
    """Yield a warning for each line that moves what another line of the block has set."""
    assigned: set[str] = set()
    for line in block.lines:
        before = copy(settings)
        place = put(settings, line.key, line.value)
        for pair in settings.pairs:
            other = pair[place == pair[0]]
            if place in pair and other in assigned:
                old, new = (trimmed(getattr(one, other)) for one in (before, settings))
                if old != new:
                    why = f"contradicts {other} = {old}, which becomes {new}, as in MOOS-IvP"
                    yield Diagnostic(line.where, line.key, line.value, why)
        assigned.add(place)


def _keys(block: BehaviorBlock) -> set[str]:
    return {line.key.lower() for line in block.lines}


def _instance(
    kind: type[AnyBehavior], name: str, settings: CommonSettings, world: World
) -> AnyBehavior:
    behavior = kind(name, settings, world)
    fields = frozenset(vars(settings))
    behavior.check(settings, fields)
    behavior.configured(fields)
    publications(behavior, settings)  # a user's behavior may fail here, too
    subscriptions(behavior)
    return behavior


def _why_left_out(block: BehaviorBlock, kinds: Kinds) -> str:
    try:
        return kinds.why_left_out(block.kind)
    except NotLoaded as error:
        raise FormatError(block.where, "Behavior", block.kind, str(error)) from error


def _kind(block: BehaviorBlock, kinds: Kinds, world: World) -> type[AnyBehavior]:
    try:
        kind = kinds.get(block.kind)
    except NotLoaded as error:
        raise FormatError(block.where, "Behavior", block.kind, str(error)) from error
    if kind is None:
        raise FormatError(block.where, "Behavior", block.kind, _unknown_text(block.kind, kinds))
    if not (expected := _why_unfit(kind, world.domain)):
        return kind
    if any(
        near(variable, world.domain.names)
        for variable in kind.needs
        if variable not in world.domain
    ):
        raise FormatError(block.where, "Behavior", block.kind, expected)
    return type(kind.__name__, (_Unfit,), {"settings_class": kind.settings_class, "why": expected})


def _why_unfit(kind: type[AnyBehavior], domain: Domain) -> str:
    """Return which decision variable a type needs and the domain lacks; "" if none."""
    for variable in kind.needs:
        if variable not in domain:
            named = nearest(variable, domain.names)
            return f"expected {variable} among the helm's domain lines; {named}"
    return ""


class _Unfit(Behavior[CommonSettings]):
    """Stands for a behavior that needs what the domain lacks; as MOOS-IvP's, it fails to run."""

    why: ClassVar[str]

    def run(self) -> None:
        raise BehaviorError(self.why)


def _unknown_text(name: str, kinds: Kinds) -> str:
    """Return the error text for an unknown behavior: the nearest ones, and how to add one."""
    bare = {one.removeprefix(PREFIX): one for one in kinds.names()}
    meant, *others = near(name.removeprefix(PREFIX), bare, 0.0, _FEW)
    if near(name.removeprefix(PREFIX), [meant]):
        return f"no such behavior; the nearest is {bare[meant]}; {_ADDS}"
    listed = list(dict.fromkeys([*kinds.own(), bare[meant], *map(bare.__getitem__, others)]))
    more = f"{', '.join(listed)} and {len(bare) - len(listed)} more"
    return f"no such behavior; there are {more}; {_ADDS}"


def _read_settings(block: BehaviorBlock, settings: CommonSettings) -> frozenset[str]:
    """Read a block's lines into settings, and return the names of the fields that were set."""
    errors: list[FormatError] = []
    assigned: set[str] = set()
    for line in block.lines:
        try:
            assigned.add(put(settings, line.key, line.value))
        except SettingError as error:
            errors.append(_located(error, block, _name_of(block)))
    if errors:
        raise FormatErrors(errors)
    settings.name = settings.name or block.kind.lower()
    return frozenset(assigned)


def _check_name(name: str, block: BehaviorBlock, places: dict[str, str]) -> None:
    if name in places:
        expected = f"expected a name of its own: it is also that of {places[name]}"
        raise FormatError(block.where, "name", name, expected)
    places[name] = block.where


def _name_of(block: BehaviorBlock) -> str:
    names = [line.value for line in block.lines if line.key.lower() in ("name", "descriptor")]
    return names[-1] if names else block.kind.lower()


def _located(error: SettingError, block: BehaviorBlock, name: str) -> FormatError:
    """Return an error with its place: the last line of its key and value, or the block."""
    lines = [line for line in block.lines if line.key.lower() == error.name.lower()]
    same = [line for line in lines if line.value == error.value] or lines
    where = same[-1].where if same else block.where
    expected = f"{error.expected} (behavior {name}, {block.kind})"
    return FormatError(where, error.name, error.value, expected)
