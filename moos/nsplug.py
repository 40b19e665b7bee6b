"""Expansion of templates with macros, conditions and inclusions, as by ``nsplug``.

    #define SPEED 1.5                  replaces one given from outside, with a warning
        #ifdef MODE sim || #ifdef FAST     also && ; #elseifdef, #else, #endif; #ifndef A B
        #include plug_pid.moos             or one section of it: #include plugs.moos <uvs>
        speed = $(SPEED)                   %(SPEED) in capitals; $(SPEED:=2) with a default
        <tag> uvs                          begins a section, as does <tag><uvs>

A directive is the first word of its line; tabs in it are blanks, and in what it defines several
blanks are one. A macro's value may contain macros, which are evaluated where it is used. A line
with an undefined macro is left unchanged as a whole, with a warning; an expansion that is lenient
replaces its other macros. An empty default, ``$(SPEED:=)``, is none. As with nsplug, an ``#ifdef``
that mixes || and && is false, and one without an ``#endif`` extends to the end, also of the
including file: both with a warning. So is one without a condition, and a second ``#else`` has no
effect. A macro given with an empty value expands to nothing, and is not defined for an ``#ifdef``.
Names of macros are case-sensitive, and may have any characters but blanks and ``( ) = :``. Line
ends remain what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import cut_comment, file_bytes
from steerageway.moos.values import split_first

DEFINED = "<defined>"  # the value of a macro that has none; it expands to nothing

_MACRO = re.compile(r"([$%])\(([^\s():=]+)(?:(:?=)([^()]*))?\)")
_BEGUN = re.compile(r"[$%]\(([^\s()]*)")
DIRECTIVE = re.compile(
    r"[ \t]*#(define|ifdef|ifndef|elseifdef|else|endif|include)(?!\w)[ \t]*([^\r]*)\r?"
)
_NAMED = re.compile(r"\$\((.+)\)|(.+)")
_TAG = re.compile(r"\s*<tag>\s*(?:<(.*)>|(.*?))\s*")
_GIVEN = re.compile(r"(\w+)(?:\s*=\s*|\s+)?(.*)", re.DOTALL)
_SHOWN = 80  # characters of a line that an error quotes
_INCLUDE = re.compile(r"(\"[^\"]+\"|\S+)(?:\s+<([^<>\s]+)>)?")
_CLAUSES = re.compile(r"(\|\||&&)")
LONGEST_LINE = 1 << 20  # characters of an expanded line
LARGEST_TEXT = 64 << 20  # characters of an expanded template
MOST_FILES = 1000  # included in a template
_DEEPEST = 10  # nested macros; a macro still left then contains itself


class PlugLine(NamedTuple):
    """A line of an expanded template, without its end, and its place ("meta.moos:7")."""

    text: str
    where: str


@dataclass(slots=True)
class Expansion:
    """Result of an expansion.

    Attributes:
        lines: in order.
        warnings: about missing sections and doubtful conditions, with the line.
        unknown: about undefined macros, except in comment lines.
    """

    lines: list[PlugLine] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    unknown: list[Diagnostic] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines as a text."""
        return "".join(f"{line.text}\n" for line in self.lines)


@dataclass(frozen=True, slots=True)
class PlugCall:
    """A command line of ``nsplug``.

    Attributes:
        source, target: the template, and the file to be written.
        macros: name -> value, without those of ``macro_files``.
        macro_files: of ``--macros``; search: of ``--path``; tag: of ``--tag``, "" for none.
        options: the others that were given, by their long names: ``OPTIONS``.
    """

    source: str
    target: str
    macros: Mapping[str, str]
    macro_files: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    tag: str = ""
    options: frozenset[str] = frozenset()

    def template(self, folder: Path = Path()) -> Path:
        """Return the template: with ``--xfile``, the file with an x behind its name, if not empty.

        Args:
            folder: in which nsplug is called.
        """
        other = folder / f"{self.source}x"
        there = "xfile" in self.options and other.is_file() and other.stat().st_size > 0
        return other if there else folder / self.source


def parse_call(arguments: Sequence[str]) -> PlugCall:
    """Parse the command-line arguments of ``nsplug``; it takes an unknown one for a macro.

    Raises:
        FormatError: not two files.
    """
    names: list[str] = []
    macros: dict[str, str] = {}
    listed: dict[str, list[str]] = {"--macros": [], "--path": [], "--tag": []}
    given: set[str] = set()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        key, mark, value = argument.partition("=")
        if argument in ("-p", "--path") and rest:
            listed["--path"].append(rest.pop(0))
        elif key in listed and mark:
            listed[key] += [part for part in value.split(":") if part]
        elif argument in OPTIONS:
            given.add(OPTIONS[argument])
        elif len(names) < 2 and not mark and (not argument.startswith("-") or argument == "-"):
            names.append(argument)
        else:
            macros[key] = value if mark else DEFINED
    if len(names) < 2:
        raise _error("nsplug", " ".join(arguments), "", "expected a template and a file to make")
    files, search, tags = map(tuple, listed.values())
    source, target = names
    return PlugCall(source, target, macros, files, search, "".join(tags[-1:]), frozenset(given))


OPTIONS = {
    **dict.fromkeys(("-f", "--force"), "force"),
    **dict.fromkeys(("-s", "--strict"), "strict"),
    **dict.fromkeys(("-l", "--lenient"), "lenient"),
    **dict.fromkeys(("-t", "--terminal"), "terminal"),
    **dict.fromkeys(("-x", "--xfile"), "xfile"),
    **dict.fromkeys(("-i", "--interactive", "-I", "--impatient"), "interactive"),
}
"""Options of ``nsplug`` without a value, and their long names."""


def read_macros(path: Path) -> dict[str, str]:
    """Read a macro file, as named by ``--macros`` of nsplug.

    A line is ``NAME=value``, ``NAME value`` or ``#define NAME value``; comments begin with ``//``,
    or with a ``#`` other than ``#define``. The last line of a name counts.

    Raises:
        FormatError: it cannot be read, or a line is none of these.
    """
    found: dict[str, str] = {}
    for number, raw in enumerate(_text(path, "").split("\n"), 1):
        line = cut_comment(raw).strip().removeprefix("#define").strip()
        if not line or line.startswith("#"):
            continue
        match = _GIVEN.fullmatch(line)
        if match is None:
            raise _error(f"{path}:{number}", line[:_SHOWN], "", "expected NAME=value")
        found[match[1]] = (match[2] or "").strip().strip('"') or DEFINED
    return found


def expand(
    path: Path,
    macros: Mapping[str, str],
    search: Sequence[Path] = (),
    *,
    tag: str = "",
    lenient: bool = False,
) -> Expansion:
    """Expand a template.

    Args:
        path: the template.
        macros: name -> value, from outside; ``DEFINED`` for one without a value.
        search: folders searched for included files after the template's own.
        tag: expand only the section under this tag.
        lenient: replace the defined macros of a line that also has undefined ones.
    Raises:
        FormatError: a file cannot be read, or a directive is misplaced.
    """
    plug = _Plug(macros, (path.parent, *search), lenient=lenient)
    plug.read(path, tag)
    plug.finish()
    return plug.result


@dataclass(slots=True)
class _Branch:
    """An open ``#ifdef``.

    Attributes:
        where: its place.
        holds: whether the present branch is used; taken: whether a branch has been used.
        closing: whether its ``#else`` was read; negated: whether it is an ``#ifndef``.
    """

    where: str
    holds: bool
    taken: bool
    closing: bool = False
    negated: bool = False


class _Plug:
    """State of an expansion."""

    def __init__(self, given: Mapping[str, str], search: Sequence[Path], *, lenient: bool) -> None:
        self.result = Expansion()
        self._macros = dict(given)
        self._lenient = lenient
        self._search = search
        self._open: list[Path] = []
        self._branches: list[_Branch] = []
        self._size = self._files = 0

    def read(self, path: Path, tag: str = "", included_at: str = "") -> None:
        """Expand a file, or its section under a tag."""
        here = path.resolve()
        if here in self._open:
            raise _error(included_at, "#include", str(path), "the file includes itself")
        self._files += 1
        if self._files > MOST_FILES:
            expected = f"expected at most {MOST_FILES} files, each as often as it is included"
            raise _error(included_at, "#include", str(path), expected)
        self._open.append(here)
        text = _text(path, included_at)
        if tag and tag not in _tags(text):
            line = f"#include {path.name} <{tag}>"
            self._warn(included_at, line, "no section of this tag")
        for where, line in _lines(path, text, tag):
            found = DIRECTIVE.match(line)
            if found is not None:
                self._execute(found.group(1), found.group(2).replace("\t", " ").strip(), where)
            elif self._is_used:
                self._add(self._substituted(line, where), where)
        self._open.pop()

    def _add(self, text: str, where: str) -> None:
        """Add a line to the result."""
        self._size += len(text) + 1
        if self._size > LARGEST_TEXT:
            expected = f"expected a template that expands to at most {LARGEST_TEXT} characters"
            raise _error(where, "", "", expected)
        self.result.lines.append(PlugLine(text, where))

    def finish(self) -> None:
        """Warn of what is open at the end."""
        for branch in self._branches:
            self._warn(branch.where, "", "no #endif for it: it counts to the end")

    @property
    def _is_used(self) -> bool:
        """Whether the present lines are used."""
        return all(branch.holds for branch in self._branches)

    def _warn(self, where: str, line: str, problem: str) -> None:
        self.result.warnings.append(Diagnostic(where, line, expected=problem))

    def _execute(self, word: str, rest: str, where: str) -> None:
        """Carry out a directive."""
        is_used = self._is_used
        if "//" in rest and word in ("ifdef", "ifndef", "elseifdef"):
            problem = "the comment is part of the condition; expected none"
            self._warn(where, f"#{word} {rest}", problem)
        if word in ("ifdef", "ifndef"):
            holds = (
                self._is_defined(rest, where)
                if word == "ifdef"
                else self._none_defined(rest, where)
            )
            self._branches.append(_Branch(where, holds, holds, negated=word == "ifndef"))
        elif word in ("elseifdef", "else", "endif"):
            branch = self._branches[-1] if self._branches else None
            if branch is None or (word == "elseifdef" and (branch.closing or branch.negated)):
                raise _error(where, f"#{word}", rest, "there is no #ifdef open for it")
            if branch.closing and word == "else":
                self._warn(where, "#else", "a second #else has no effect")
            else:
                self._next_branch(word, rest, where)
        elif is_used and word == "define":
            self._define(rest, where)
        elif is_used:
            self._include(rest, where)

    def _next_branch(self, word: str, rest: str, where: str) -> None:
        """Move to the next branch of the innermost ``#ifdef``, or close it."""
        branch = self._branches[-1]
        if word == "endif":
            self._branches.pop()
            return
        branch.closing = word == "else"
        branch.holds = not branch.taken and (branch.closing or self._is_defined(rest, where))
        branch.taken = branch.taken or branch.holds

    def _define(self, rest: str, where: str) -> None:
        name, _, value = " ".join(rest.split()).partition(" ")
        key, value = _bare(name), value or DEFINED
        if not key:
            raise _error(where, "#define", rest, "expected NAME value")
        before = self._macros.get(key, value)
        if before != value:
            replaced = f"replaces the value {before!r}, which it has already; {value!r} counts"
            self._warn(where, f"#define {key}", replaced)
        self._macros[key] = value

    def _include(self, rest: str, where: str) -> None:
        found = _INCLUDE.fullmatch(self._substituted(rest, where))
        if found is None:
            raise _error(where, "#include", rest, "expected a file, and <tag> for a section of it")
        name = found.group(1).strip('"')
        places = [folder / name for folder in self._search]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            folders = ", ".join(str(folder) for folder in self._search)
            raise _error(where, "#include", name, f"expected a file in {folders}")
        self.read(path, found.group(2) or "", where)

    def _none_defined(self, rest: str, where: str) -> bool:
        """Whether none of some macros is defined."""
        names = rest.split()
        if not names:
            self._warn(where, "#ifndef", "false: expected names of macros")
        return bool(names) and not any(self._macros.get(_bare(name)) for name in names)

    def _is_defined(self, rest: str, where: str) -> bool:
        """Whether clauses ``M`` or ``M value`` are true, all of them or one."""
        parts = _CLAUSES.split(rest)
        joints, clauses = set(parts[1::2]), [clause.strip() for clause in parts[::2]]
        if not all(clauses):
            problem = "expected M, or M value, joined by || or &&; an empty one is false"
            self._warn(where, f"#ifdef {rest}".rstrip(), problem)
        if len(joints) > 1:
            problem = "|| and && together are never true; expected only || or only &&"
            self._warn(where, f"#ifdef {rest}", problem)
            return False
        if joints == {"&&"}:
            return all(map(self._holds_with_others, clauses))
        return any(map(self._holds, clauses))

    def _holds(self, clause: str) -> bool:
        """Whether a clause of a condition is true, as nsplug compares.

        A macro with an empty value equals an undefined one.
        """
        name, wanted = split_first(clause, " ")
        value = self._macros.get(name)
        if value is None or not wanted:
            return bool(value)
        return value in (wanted, self._macros.get(wanted, ""))

    def _holds_with_others(self, clause: str) -> bool:
        """Whether a clause joined by ``&&`` is true: there, nsplug takes an undefined macro for
        an empty one, and an empty one for a defined one."""
        name, wanted = split_first(clause, " ")
        if not wanted:
            return name in self._macros
        return self._macros.get(name, "") in (wanted, self._macros.get(wanted, ""))

    def _substituted(self, line: str, where: str) -> str:
        """Replace all macros, nested ones included, or, if one is undefined, none or the others."""
        replaced, unknown = line, list[str]()
        for _ in range(_DEEPEST):
            if self._grows_to(replaced) > LONGEST_LINE:
                expected = f"expected macros that make a line of at most {LONGEST_LINE} characters"
                raise _error(where, line.strip()[:_SHOWN], "", expected)
            before, (replaced, unknown) = replaced, self._replaced(replaced)
            if replaced == before or (unknown and not self._lenient):
                break
        # One that contains itself is still there, as is what only begins like a macro.
        unknown = unknown or [found.group(1) for found in _BEGUN.finditer(replaced)][:1]
        if not unknown:
            return replaced
        if not line.lstrip().startswith("//"):
            without = f"no macro {', '.join(unknown)}"
            self.result.unknown.append(Diagnostic(where, line.strip(), expected=without))
        return replaced if self._lenient else line

    def _grows_to(self, line: str) -> int:
        """Return the greatest possible length of a line after one round of replacement."""
        found = (match[2] for match in _MACRO.finditer(line))
        return len(line) + sum(len(self._macros.get(name, "")) for name in found)

    def _replaced(self, line: str) -> tuple[str, list[str]]:
        """Replace each macro once; also return the undefined ones."""
        unknown: list[str] = []

        def value(found: re.Match[str]) -> str:
            kind, name, joint, default = found.groups()
            text = self._macros.get(name, default or None)
            if joint == ":=" and text in ("", DEFINED):
                text = default or None
            if text is None:
                unknown.append(name)
                return found[0]
            text = "" if text == DEFINED else text
            return text.upper() if kind == "%" else text

        return _MACRO.sub(value, line), unknown


def _bare(name: str) -> str:
    """Return the name of a macro that may be written as ``$(NAME)``."""
    found = _NAMED.fullmatch(name)
    return (found.group(1) or found.group(2)) if found else ""


def _text(path: Path, where: str) -> str:
    """Read a template."""
    try:
        return file_bytes(path).decode("utf-8", errors="surrogateescape")
    except OSError as error:
        raise _error(where or str(path), "", "", f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _error(where or str(path), "", "", str(error)) from error


def _tags(text: str) -> list[str]:
    """Return the tags of a text's sections."""
    headings = map(_TAG.fullmatch, text.split("\n"))
    return [heading[1] or heading[2] for heading in headings if heading is not None]


def _lines(path: Path, text: str, tag: str) -> Iterator[tuple[str, str]]:
    """Yield place and text of the lines of a file, or of its section under a tag."""
    inside = not tag
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        heading = _TAG.fullmatch(line)
        if heading is not None:
            inside = not tag or (heading[1] or heading[2]) == tag
        elif inside:
            yield f"{path}:{number}", line


def _error(where: str, key: str, value: str, expected: str) -> FormatError:
    return FormatError(where, key, value, expected)
