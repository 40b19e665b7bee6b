"""Detection of misspelt values: ``RETURN = flase``, or similar to another value of a variable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.missions import Community
from steerageway.moos.lines import cut_comment, unquote

LOGICAL = ("true", "false")
SHORTEST = 5  # least length of other values that are compared: short ones are too often similar
_PAIR = re.compile(r"(?<![\w$@<>])([A-Za-z_]\w*)\s*(?:==|!=|=)\s*\"?([A-Za-z_][\w-]*)\"?(?![\w(])")
_LINE = re.compile(r"\s*(?:\w*condition|\w*flag|initialize_?)\b\s*=?\s*(.*)", re.IGNORECASE)
_MODE = re.compile(r"\s*set\s", re.IGNORECASE)


class Use(NamedTuple):
    """A value that a variable is set to or compared with, and its place."""

    where: str
    name: str
    value: str


def misspelt_values(
    communities: Sequence[Community], pokes: Iterable[tuple[str, str]], ends: Iterable[str]
) -> Iterator[Diagnostic]:
    """Warn of values that look misspelt, in behavior files and on the command line.

    These are slips of ``true`` or ``false``, and values that differ from another value of the same
    variable by an inserted, missing, or two swapped letters.

    Args:
        communities: all of the run.
        pokes: (variable, text) of each post of the command line.
        ends: conditions of the command line.
    """
    written = list(chain.from_iterable(map(_uses, communities)))
    asked = [Use(f"--set {name}={text}", name, text) for name, text in pokes]
    asked += [Use(text, *pair) for text in ends for pair in _PAIR.findall(text)]
    for use in dict.fromkeys((*written, *asked)):
        others = [one.value for one in written if one.name == use.name and one.where != use.where]
        if meant := meant_by(use.value, others):
            value = f"{use.value} of {use.name}"
            what = value if use in written else f"value {value}"
            yield Diagnostic(use.where, expected=what, nearest=meant)


def meant_by(value: str, others: Sequence[str]) -> str:
    """Return the value of which another is probably a misspelling; "" for none."""
    word = value.lower()
    if word in (*LOGICAL, *(one.lower() for one in others)):
        return ""
    for known in LOGICAL:
        if is_slip(word, known) or _is_swap(word, known):
            return known
    for other in others:
        long = min(len(value), len(other)) >= SHORTEST
        if long and len(word) != len(other) and is_slip(word, other.lower()):
            return other
        if long and _is_swap(word, other.lower()):
            return other
    return ""


def is_slip(word: str, meant: str) -> bool:
    """Whether two words differ by one letter changed, missing or added, and end in no digit."""
    if word == meant or abs(len(word) - len(meant)) > 1:
        return False
    if word.rstrip("0123456789") != word or meant.rstrip("0123456789") != meant:
        return False
    # Behind the common start, the rests are equal but for a letter of both, of word, or of meant.
    same = 0
    while same < min(len(word), len(meant)) and word[same] == meant[same]:
        same += 1
    rests = word[same:], meant[same:]
    return any(rests[0][first:] == rests[1][second:] for first, second in ((1, 1), (1, 0), (0, 1)))


def _is_swap(word: str, meant: str) -> bool:
    """Whether two words differ by swapping two adjacent letters."""
    differ = [i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b]
    if len(word) != len(meant) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first, second = differ
    return word[first] == meant[second] and word[second] == meant[first]


def _uses(community: Community) -> Iterator[Use]:
    """Return the values in conditions, flags, initializations and modes of behavior files."""
    for line in community.mission.lines:
        if line.key.lower() == "behaviors":
            path = community.mission.path.parent / unquote(line.value)
            if path.is_file():
                yield from _uses_in(path.name, path.read_text(errors="replace"))


def _uses_in(file: str, text: str) -> Iterator[Use]:
    in_mode = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = cut_comment(raw)
        where = f"{file}:{number}"
        if found := _LINE.fullmatch(line):
            yield from (Use(where, *pair) for pair in _PAIR.findall(found[1]))
        elif in_mode or _MODE.match(line):
            in_mode = True
            yield from (Use(where, *pair) for pair in _PAIR.findall(line))
        if "}" in line:
            in_mode = False
