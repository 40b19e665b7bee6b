"""Detection of misspelt variables and parameters: names that nobody here posts or reads.

A name in an option, or in a sweep file, that cannot be right is an error. Where somebody may know
it after all, there is a warning, and by ``--allow-unknown`` for every such name.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from steerageway.apps.shared.building import is_parameter
from steerageway.apps.shared.registry import is_shipped
from steerageway.bus import AppPlan, any_matches, is_pattern
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import ALIKE, hint, near
from steerageway.diagnostics.source_map import SourceMap
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.missions import Community
from steerageway.launcher.value_spelling import Use, misspelt_among, uses_of
from steerageway.moos.lines import unquote

_NAME = re.compile(r"\w+")
_FLAG = re.compile(r"^\s*\w*flag\s*=.*$", re.IGNORECASE | re.MULTILINE)
_DIGITS = re.compile(r"\d")
MOST_NAMES = 100  # unknown names of a script that are compared with the known ones


def misspelt_variables(
    apps: Sequence[AppPlan], communities: Sequence[Community], poked: Iterable[str]
) -> dict[str, str]:
    """Return variables in conditions of a community's apps that look misspelt -> the likely one.

    A name is accepted if an app posts it, or a mission file contains it: it may be posted by a
    user, e.g. with a button of a viewer. So is one that is not similar to any other.

    Args:
        apps: of the community, configured.
        communities: all of the run.
        poked: variables that the command line posts.
    """
    posted = [name for plan in apps for name in plan.app.publishes if name != "*"]
    patterns = ["DB_*", *filter(is_pattern, posted)]
    known = {*poked, *(name for name in posted if not is_pattern(name))}
    known |= {f"{plan.name.upper()}_STATUS" for plan in apps}
    awaited = dict.fromkeys(name for plan in apps for name, _ in plan.app.at_launch.awaits)
    unknown = [name for name in awaited if name not in known and not any_matches(patterns, name)]
    if unknown:
        known |= _words(communities) & set(unknown)
    meant = {name: near_name(name, known) for name in unknown if name not in known}
    return {name: one for name, one in meant.items() if one}


def warn_of_misspelt(apps: Iterable[AppPlan], meant: Mapping[str, str]) -> None:
    """Add config warnings to apps, and to those rebuilt from the same blocks."""
    for app in (plan.app for plan in apps):
        for name, line in app.at_launch.awaits:
            if name in meant:
                nobody = f"nobody here posts or initializes {name}"
                warning = replace(line, expected=nobody, nearest=meant[name])
                app.config.add_warning(warning)
                app.config_warning(warning)


def _words(communities: Iterable[Community]) -> set[str]:
    """Return every word in the values of mission files' lines."""
    lines = (line for one in communities for line in one.mission.lines)
    return {word for line in lines for word in _NAME.findall(line.value)}


def _words_of_behaviors(communities: Iterable[Community]) -> set[str]:
    """Return every word of the behavior files that mission files name, except in flags."""
    files = {
        one.mission.path.parent / unquote(line.value)
        for one in communities
        for line in one.mission.lines
        if line.key.lower() == "behaviors"
    }
    texts = (file.read_text(errors="replace") for file in files if file.is_file())
    return {word for text in texts for word in _NAME.findall(_FLAG.sub("", text))}


def near_name(name: str, known: Collection[str]) -> str:
    """Return the known name of which another is probably a misspelling; "" for none.

    Names that differ in digits only are distinct, and so are those whose lengths differ by more
    than one.
    """
    for meant in near(name, known, ALIKE, most=3):
        if abs(len(meant) - len(name)) <= 1 and _DIGITS.sub("", meant) != _DIGITS.sub("", name):
            return meant
    return ""


@dataclass(frozen=True, slots=True)
class Posters:
    """Who may post a variable in a run.

    Attributes:
        apps: of all communities.
        communities: all of the run.
        posted: variables that the command line and replayed inputs post.
        others: whether anyone else may post: an observer, or a script that steps the mission.
    """

    apps: Sequence[AppPlan]
    communities: Sequence[Community]
    posted: Collection[str]
    others: bool

    def check(self, what: str, names: Iterable[str]) -> list[Diagnostic]:
        """Return warnings of variables of an option that no app declares to post.

        If an app may post anything, only of those whose name is similar to a declared one.

        Args:
            what: the option.
            names: the variables.

        Raises:
            LaunchError: nobody can post one, and no file mentions it.
        """
        unknown, anything = self._unposted(what, names)
        closed = unknown and not (anything or self.others)
        if wrong := unknown.keys() - _mentioned(self.communities) if closed else ():
            raise LaunchError(*(one for name, one in unknown.items() if name in wrong))
        return list(unknown.values())

    def unmeasured(self) -> list[Diagnostic]:
        """Return the variables of apps' cases that nobody posts, whoever may watch the run.

        As in a sweep's file, so in that of an app: a misspelt name measures nothing.
        """
        found = []
        for plan in self.apps:
            lines = dict(plan.app.at_launch.measures)
            unknown = self._unposted("", lines)[0] if lines else {}
            mentioned = _mentioned(self.communities) if unknown else set()
            for name, one in unknown.items():
                if name not in mentioned:
                    found.append(replace(lines[name], expected=one.expected))
        return found

    def _unposted(self, what: str, names: Iterable[str]) -> tuple[dict[str, Diagnostic], bool]:
        """Return variables that no app declares to post, and whether an app may post any."""
        if any(one.programs for one in self.communities):  # these may post anything
            return {}, True
        publications = [name for plan in self.apps for name in plan.app.publishes]
        declared = [name for name in publications if name != "*"]
        anything = len(declared) < len(publications)
        unknown = {}
        for name in names:
            by_bus = name.startswith("DB_") or name.endswith("_STATUS")  # posted for every app
            known = by_bus or name in self.posted or any_matches(declared, name)
            if not known and (not anything or near_name(name, declared)):
                unposted = (
                    f"no app declares that it posts {name}{hint(name, [*declared, *self.posted])}"
                )
                unknown[name] = Diagnostic(about=what, expected=unposted)
        return unknown, anything


def unknown_parameters(apps: Iterable[AppPlan]) -> list[Diagnostic]:
    """Return the parameters of ``--config`` that no app of the name has, in any community.

    An app of a user's own may read a line that it does not ask for when it is configured.
    """
    read: dict[str, list[Diagnostic | None]] = defaultdict(list)
    for app in (plan.app for plan in apps if not plan.external):
        own = not is_shipped(type(app))
        unread = app.config.unread()
        for entry in app.config.entries:
            if entry.where.startswith("--config"):
                known = own or entry not in unread or is_parameter(type(app), entry)
                problem = None if known else app.config.unknown_key(entry)
                read[entry.where].append(problem and replace(problem, about=app.name))
    return [one for found in read.values() if all(found) for one in found[:1] if one is not None]


def _mentioned(communities: Sequence[Community]) -> set[str]:
    """Return every word of mission and behavior files."""
    return _words(communities) | _words_of_behaviors(communities)


class Spelling:
    """Warns a script of names that look misspelt, by those that apps publish or subscribe to.

    And of values, by those of behavior files. A script that has used ``MOST_NAMES`` names that no
    app knows, or as many values, is not warned any more: it makes up its names, and comparing each
    with all others would take a time that grows with the square of their number.
    """

    def __init__(self, apps: Iterable[AppPlan], communities: Sequence[Community] = ()) -> None:
        self._communities = communities
        self._used: set[Use] = set()
        self._names: dict[str, set[str]] = {}
        self._patterns: dict[str, set[str]] = {}
        self._checked: set[tuple[str, str]] = set()
        for plan in apps:
            awaited = (name for name, _ in plan.app.at_launch.awaits)
            for name in (*plan.app.publishes, *type(plan.app).subscribes, *awaited):
                kind = self._patterns if is_pattern(name) else self._names
                kind.setdefault(plan.community, set()).add(name)

    def near(self, community: str, name: str, known: Collection[str] = ()) -> str:
        """Return the likely correct name; "" if the name is known, or not similar to any.

        Args:
            community: of the variable.
            name: of the variable.
            known: further valid names.
        """
        names = self._names.get(community, set())
        if name in known or name in names:
            return ""
        patterns = self._patterns.get(community, set()) - {"*"}
        return "" if any_matches(patterns, name) else near_name(name, {*names, *known})

    def check(self, what: str, community: str, name: str, known: Collection[str]) -> None:
        """Warn of a misspelt name, once; the warning is attributed to the caller's caller.

        Args:
            what: the operation, for the message.
            community: of the variable.
            name: of the variable.
            known: variables that have been posted or registered so far.
        """
        if (community, name) in self._checked or len(self._checked) >= MOST_NAMES:
            return
        if name in known or name in self._names.get(community, ()):
            return
        self._checked.add((community, name))
        if meant := self.near(community, name, known):
            unknown = f"no app in {community} posts it or subscribes to it"
            text = f"{what} {name}: {unknown}; the nearest is {meant}"
            warnings.warn(text, stacklevel=3)

    def check_values(self, uses: Iterable[Use]) -> None:
        """Warn of misspelt values, once; warnings are attributed to the caller's caller."""
        fresh = [one for one in uses if one not in self._used]
        if fresh and len(self._used) < MOST_NAMES:
            self._used.update(fresh)
            for one in misspelt_among(fresh, self._written):
                warnings.warn(str(one), stacklevel=3)

    @cached_property
    def _written(self) -> list[Use]:
        return uses_of(self._communities)


def misspelt_pokes(
    apps: Sequence[AppPlan],
    communities: Sequence[Community],
    pokes: Iterable[tuple[str, str]],
    ends: Iterable[str],
) -> Iterator[Diagnostic]:
    """Warn of misspelt variables in posts of the command line and of apps for others.

    Args:
        apps, communities: all of the run.
        pokes: (community, variable) of each post of the command line; "" for all communities.
        ends: variables in the run's end conditions.
    """
    names = [one.name for one in communities]
    source_maps = {one.name: one.source_map for one in communities}
    found = [*_unknown_of_options(apps, names, pokes), *_unknown_of_apps(apps, source_maps)]
    known = set(ends)
    if found:
        known |= _mentioned(communities)
    for name, line, meant in found:
        if name not in known:
            yield replace(line, expected="no app posts it or subscribes to it", nearest=meant)


def _unknown_of_options(
    apps: Sequence[AppPlan], names: Sequence[str], pokes: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, Diagnostic, str]]:
    """Yield each unknown variable of the command line, its place, and the likely variable."""
    spelling = Spelling(apps)
    for community, name in dict.fromkeys(pokes):
        meant = [spelling.near(one, name) for one in ([community] if community else names)]
        if all(meant):
            yield name, Diagnostic(about=f"--set {name}"), meant[0]


def _unknown_of_apps(
    apps: Sequence[AppPlan], source_maps: Mapping[str, SourceMap]
) -> Iterator[tuple[str, Diagnostic, str]]:
    """Yield each variable that an app posts for others and no other app knows, likewise."""
    beside: dict[str, list[AppPlan]] = {}
    for plan in apps:
        beside.setdefault(plan.community, []).append(plan)
    for plan in (plan for plan in apps if plan.app.at_launch.pokes):
        of_others = Spelling(other for other in beside[plan.community] if other is not plan)
        at = plan.app.at_launch
        awaited = [name for name, _ in (*at.awaits, *at.measures)]
        for name, line in plan.app.at_launch.pokes:
            if meant := of_others.near(plan.community, name, awaited):
                own = source_maps[plan.community].own(line)
                yield name, replace(own, about=plan.name), meant
