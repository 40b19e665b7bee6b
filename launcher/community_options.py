"""Parsing of options that may name a community: ``--config``, ``--set``, ``--until``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from steerageway.apps.shared.building import GLOBAL
from steerageway.bus import NANO, Condition, Entry, Input, Phase, Value
from steerageway.diagnostics.nearest import nearest
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import instant
from steerageway.moos.condition import ConditionError, parse_typed_condition
from steerageway.moos.globals import AS_MOOS
from steerageway.moos.poke import FORM
from steerageway.moos.poke import parse_poke as parse_untimed

EVERY = "*"

_OVERRIDE = re.compile(r"(?:([^\s:.=]+):)?([^\s:=]+)\.([^\s.=]+?)\s*=(.*)", re.DOTALL)
_TIMED = re.compile(r"(?:@([^:]*):)?(.*)", re.DOTALL)
_ENDING = re.compile(r"\s*(?:(\*|[^\s:*()=!<>\"]+)\s*:)?(.*)", re.DOTALL)
_BRACKETED = re.compile(r"\[([^\]]*?):?\]\s*(.*)", re.DOTALL)
_MEASURED = re.compile(r"\b(min|max|mean|std|count)\s+(\w+\s*([<>=!])=?\s*[^\s()]+)")
_ELAPSED = re.compile(r"_DELTA\b")


@dataclass(frozen=True, slots=True)
class Override:
    """A line of an app's block from ``--config``; community "": every one that has the app.

    With ``GLOBAL`` for the app it is a global line.
    """

    community: str
    app: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Poke:
    """A post from the command line.

    Attributes:
        at: instant of the post [ns]; None: once every app of the community has iterated once.
        community: "" for every community.
        value: computes the value from UTC [s].
    """

    at: int | None
    community: str
    name: str
    value: Callable[[float], Value]

    def enter(self, first: Mapping[str, int], epoch: float) -> list[Input]:
        """Return the posts as inputs of the run.

        Args:
            first: community -> instant at which all its apps have iterated once [ns].
            epoch: UTC [s] of simulated time zero.
        """
        phase = Phase.AFTER if self.at is None else Phase.INPUT
        posts = []
        for community in (self.community,) if self.community else first:
            when = first[community] if self.at is None else self.at
            value = self.value(epoch + when / NANO)
            posts.append(Input(when, phase, community, self.name, value))
        return posts


def parse_override(text: str, communities: Mapping[str, Sequence[str]]) -> Override:
    """Read ``[NAME:]APP.KEY=VALUE``.

    Args:
        text: the value of the option.
        communities: name -> the apps of its launch list that are started.

    Raises:
        LaunchError: it is not of this form, or there is no such community or app.
    """
    match = _OVERRIDE.fullmatch(text)
    if match is None:
        raise LaunchError(f"--config {text}: expected [NAME:]APP.KEY=VALUE")
    name, app, key, value = match.groups(default="")
    _check_community(f"--config {text}", name, communities)
    apps = {a for c, names in communities.items() if name in ("", c) for a in names}
    if app not in apps:
        raise LaunchError(f"--config {text}: expected an app, {nearest(app, apps)}")
    where = f"--config {text.partition('=')[0].strip()}"
    return Override(name, app, Entry(key, value.strip(), where))


def as_moos() -> Override:
    """Return the global line ``AsMOOS = true`` of every community: ``--as-moos``."""
    return Override("", GLOBAL, Entry(AS_MOOS, "true", "--as-moos"))


def parse_poke(text: str, communities: Mapping[str, Sequence[str]]) -> Poke:
    """Read ``[@T:][NAME:]VAR=VALUE``, the value typed as uPokeDB types it.

    Raises:
        LaunchError: it is not of this form, or there is no such community.
    """
    match = _TIMED.fullmatch(text)
    assert match is not None  # everything may follow the optional time
    poke = parse_untimed(match[2])
    if poke is None:
        raise LaunchError(f"--set {text}: expected [@T:]{FORM}")
    community = "" if poke.community == EVERY else poke.community
    _check_community(f"--set {text}", community, communities)
    return Poke(instant_of(f"--set {text}", match[1]), community, poke.name, poke.value)


def first_of_many(endings: Iterable[Condition], count: int) -> Iterator[str]:
    """Return a hint for each ending that the first of several communities reaches for all."""
    for one in endings if count > 1 else ():
        if not one.community:
            every = f"'{EVERY}:{one.text}' waits for all, and each has to post it"
            yield f"until {one.text}: the first of {count} communities ends it; {every}"


def parse_ending(option: str, text: str, communities: Mapping[str, Sequence[str]]) -> Condition:
    """Read ``[NAME|*:]COND``.

    Raises:
        LaunchError: there is no such community, the name is written in brackets as in the usage,
            or the condition uses an elapsed time.
        ConditionError: the condition is not valid.
    """
    if bracketed := _BRACKETED.fullmatch(text.strip()):
        raise LaunchError(f"{option} {text}: expected {bracketed[1]}:{bracketed[2]}")
    match = _ENDING.fullmatch(text)
    assert match is not None  # everything may follow the optional name
    community, condition = match[1] or "", match[2].strip()
    if community != EVERY:
        _check_community(f"{option} {text}", community, communities)
    try:
        parsed = parse_typed_condition(condition)
    except ConditionError as error:
        if measured := _MEASURED.search(condition):
            expected = _instead_of(*measured.groups())
            raise LaunchError(f"{option} {text}: {expected}") from error
        raise
    if _ELAPSED.search(condition):
        raise LaunchError(f"{option} {text}: expected no _DELTA here: nothing says when it changes")
    return Condition(text, parsed.variables, parsed.holds, community)


def _instead_of(kind: str, relation: str, sign: str) -> str:
    """Return what to write instead of a condition on an outcome of a whole case."""
    if (kind, sign) in (("max", ">"), ("min", "<")):
        return f"expected {relation}: it is evaluated at every instant, not only at the end"
    return f"expected a variable: a {kind} is known at the end, in results.csv and --json FILE"


def _check_community(what: str, name: str, communities: Mapping[str, Sequence[str]]) -> None:
    if name and name not in communities:
        raise LaunchError(f"{what}: expected a community, {nearest(name, communities)}")


def instant_of(what: str, time: str | None) -> int | None:
    """Return the instant [ns] of ``@T:`` before a post; None without one.

    Args:
        what: the option as written, for the error message.
        time: T.

    Raises:
        LaunchError: it is not a time.
    """
    if time is None:
        return None
    try:
        return instant(time)
    except ValueError as error:
        raise LaunchError(f"{what}: @{time}: {error}") from None
