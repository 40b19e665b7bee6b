"""Detection of misspelt values: ``RETURN = flase``, or similar to another value of a variable.

Also of values that a condition waits for in vain: ``DEPLOY = yes``, of a logical variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from steerageway.bus import AppPlan, any_matches
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.slips import LOGICAL, meant_by
from steerageway.diagnostics.source_map import Origin
from steerageway.launcher.buttons import posts_of_buttons
from steerageway.launcher.missions import Community
from steerageway.moos.lines import cut_comment, unquote

_HELM = "IVPHELM_STATE"  # a helm is known by this variable
_PAIR = re.compile(r"(?<![\w$@<>])([A-Za-z_]\w*)\s*(?:==|!=|=)\s*\"?([A-Za-z_][\w-]*)\"?(?![\w(])")
_LINE = re.compile(r"\s*(\w*condition|\w*flag|initialize_?)\b\s*=?\s*(.*)", re.IGNORECASE)
_POST = re.compile(r"(?<![\w$@<>])([A-Za-z_]\w*)\s*=")
_WORD = re.compile(r"[\w-]+")
_MODE = re.compile(r"\s*set\s", re.IGNORECASE)


class Use(NamedTuple):
    """A value that a variable is set to (posted) or compared with, and its place.

    The value is "" for a number, and one that macros make.
    """

    where: str
    name: str
    value: str
    posted: bool = False


def misspelt_values(
    written: Sequence[Use], pokes: Iterable[tuple[str, str]], ends: Iterable[str]
) -> Iterator[Diagnostic]:
    """Warn of values that look misspelt, in behavior files and on the command line.

    These are slips of ``true`` or ``false`` that nobody posts, however often they are awaited, and
    values that differ from another value of the same variable by an inserted, missing, or two
    swapped letters.

    Args:
        written: of the behavior files, see ``uses_of``.
        pokes: (variable, text) of each post of the command line.
        ends: conditions of the command line.
    """
    asked = [Use(f"--set {name}={text}", name, text) for name, text in pokes]
    asked += chain.from_iterable(map(uses_in_condition, ends))
    yield from misspelt_among((*written, *asked), written)


def uses_in_condition(text: str) -> list[Use]:
    """Return the values with which a condition compares, with the whole text as their place."""
    return [Use(text, *pair) for pair in _PAIR.findall(text)]


def is_word(text: str) -> bool:
    """Whether a text is one word, as the values that are compared."""
    return _WORD.fullmatch(text) is not None


def misspelt_among(uses: Iterable[Use], written: Sequence[Use]) -> Iterator[Diagnostic]:
    """Warn of those of some uses that look misspelt, beside the values of behavior files."""
    values: dict[str, dict[str, set[str]]] = {}  # variable -> value -> where it is written
    for one in written:
        values.setdefault(one.name, {}).setdefault(one.value, set()).add(one.where)
    posted = {(one.name, one.value) for one in written if one.posted}

    def meant(use: Use) -> str:
        its = values.get(use.name, {})
        others = [value for value, where in its.items() if where != {use.where}]
        slip = meant_by(use.value, ())
        in_vain = slip in map(str.lower, others) and (use.name, use.value) not in posted
        return slip if slip and in_vain else meant_by(use.value, others)

    for use in dict.fromkeys(uses):
        if not (nearest := meant(use)):
            continue
        if use in written:
            yield Diagnostic(use.where, use.name, use.value, nearest=nearest)
        else:
            told = f"value {use.value} of {use.name}"
            yield Diagnostic(use.where, expected=told, nearest=nearest)


def awaited_in_vain(
    written: Sequence[Use],
    communities: Sequence[Community],
    apps: Sequence[AppPlan],
    pokes: Iterable[tuple[str, str]],
) -> Iterator[Diagnostic]:
    """Warn of conditions that compare a variable with a word, where only true or false is posted.

    The values of another app than a helm are unknown, and a line of a mission file that has both
    variable and word is taken to post it.

    Args:
        written: of the behavior files, see ``uses_of``.
        communities, apps: all of the run.
        pokes: (variable, text) of each post of the command line.
    """
    posts: dict[str, dict[str, None]] = {}
    buttons = chain.from_iterable(map(posts_of_buttons, communities))
    posted_by_files = ((one.name, one.value) for one in written if one.posted)
    for name, value in chain(pokes, buttons, posted_by_files):
        posts.setdefault(name, {})[value] = None
    logical = {name for name, found in posts.items() if not {*map(str.lower, found)} - {*LOGICAL}}
    others = [
        name for plan in apps if _HELM not in plan.app.publishes for name in plan.app.publishes
    ]
    lines = [line.value for one in communities for line in one.mission.lines]
    for where, name, value, posted in written:
        if posted or name not in logical or value.lower() in LOGICAL or any_matches(others, name):
            continue
        if meant_by(value, ()):  # reported as misspelt
            continue
        if not any({name, value} <= {*_WORD.findall(line)} for line in lines):
            never = f"nobody posts this value; posted are {', '.join(posts[name])}"
            yield Diagnostic(where, name, value, never)


def uses_of(communities: Sequence[Community]) -> list[Use]:
    """Read the values in conditions, flags, initializations and modes of behavior files."""
    return list(chain.from_iterable(map(_uses, communities)))


def _uses(community: Community) -> Iterator[Use]:
    for line in community.mission.lines:
        if line.key.lower() == "behaviors":
            path = community.mission.path.parent / unquote(line.value)
            if path.is_file():
                origin = community.source_map.of(path)
                yield from _uses_in(origin, path.read_text(errors="replace"))


def _uses_in(file: Origin, text: str) -> Iterator[Use]:
    in_mode = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = cut_comment(raw)
        where = file.at(number)
        if found := _LINE.fullmatch(line):
            pairs = _PAIR.findall(found[2])
            posted = not found[1].lower().endswith("condition")
            yield from (Use(where, name, value, posted) for name, value in pairs)
            names = _POST.findall(found[2]) if posted else ()
            yield from (Use(where, name, "", posted) for name in names if name not in dict(pairs))
        elif in_mode or _MODE.match(line):
            in_mode = True
            yield from (Use(where, *pair) for pair in _PAIR.findall(line))
        if "}" in line:
            in_mode = False
