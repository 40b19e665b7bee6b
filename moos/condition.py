"""Parser of MOOS-IvP's logic conditions: ``(DEPLOY = true) and (NAV_DEPTH < $(MAX_DEPTH))``.

    expression = operand | operand {"and" operand} | operand {"or" operand}
    operand    = "(" expression ")" | ("not" | "!") "(" expression ")" | relation
    relation   = NAME ("=" | "," | "==" | "!=" | "<" | "<=" | ">" | ">=") right
    right      = number | word {word} | "quoted text" | "$" "(" NAME ")"

Blanks may be anywhere between these: a macro of a file is ``$(NAME)``, a variable ``$ (NAME)``.
Each side of ``and`` and ``or`` is in parentheses. A relation with a variable that was never posted
is false, ``!=`` included. A name may contain a behavior's macro, ``TAGGED_$[CONTACT]``, which the
helm replaces; until then no variable has that name. A text compares with a number only if it
reads as one; two texts compare by characters. ``==`` on texts also matches one component, or
several in a row, of a value with colons: ``ACTIVE:LOITERING == LOITERING``. ``NAME_DELTA`` is the
time since the UTC value of ``NAME`` [s].
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from steerageway.moos.values import is_number, number_of

Lookup = Callable[[str], float | str | bytes | None]
_Test = Callable[[Lookup, float | None], bool]
_Read = Callable[[Lookup, float | None], float | str | None]
_Compare = Callable[[Any, Any], bool]

_RELATIONS: dict[str, _Compare] = {
    "=": eq, ",": eq, "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge
}  # fmt: skip
_BLANKS = re.compile(r"\s*")
_RELATION = re.compile(r"==|!=|<=|>=|[=,<>]")
_NAME = re.compile(r"(?!(?:and|or|not)\b(?!\s*[=!<>,]))(?:\$\[\w+\]|[^\s()!=<>,\"$])+")
_WORD = r"[^\s()!=<>\"]+"
_WORDS = re.compile(rf"(?!\$\s*\(){_WORD}(?:\s+(?!(?:and|or)(?![^\s()!])){_WORD})*", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]*)"')
_OTHER = re.compile(r"\$\s*\(\s*([^\s()!=<>,\"$]+)\s*\)")
_JOINT = re.compile(r"(and|or)(?![^\s()!])", re.IGNORECASE)
_OPENING = re.compile(r"(!|not)?\s*\(", re.IGNORECASE)
_NOT = re.compile(r"(!|not)\s*(?=\()", re.IGNORECASE)
MACRO = re.compile(r"\$\[(\w+)\]")
_DELTA = "_DELTA"
DEEPEST = 100  # nested parentheses; limits the parser's recursion
LONGEST = 100_000  # characters
_EXPONENT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d{1,3}")
_NO_NUMBER = re.compile(r"[-+]?(nan|inf|infinity)", re.IGNORECASE)
_FINITE = "a finite number"

_SHOWN = 400  # characters of a condition that an error quotes


class ConditionError(ValueError):
    """A condition violates the grammar.

    Attributes: text, column (from 1), expected.
    """

    def __init__(self, text: str, column: int, expected: str) -> None:
        self.text, self.column, self.expected = text, column, expected
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        super().__init__(f"{shown!r}, column {column}: expected {expected}")


@dataclass(frozen=True, slots=True)
class Condition:
    """A compiled condition.

    Attributes:
        text: as it was written.
        variables: the variables in it, in order; ``X`` for ``X_DELTA``.
        timed: whether it has a ``_DELTA``, so that its value may change although no variable does.
        texts: its comparisons with texts: the variable, the relation, the text.
    """

    text: str
    variables: tuple[str, ...]
    timed: bool
    texts: tuple[tuple[str, str, str], ...]
    _test: _Test

    def holds(self, lookup: Lookup, utc: float | None = None) -> bool:
        """Whether it is true.

        Args:
            lookup: returns a variable's value, None if it was never posted.
            utc: the present time [s]; None: every relation on a ``_DELTA`` is false.
        """
        return self._test(lookup, utc)


def parse_condition(text: str, *, component_match: bool = True) -> Condition:
    """Compile a condition.

    Args:
        text: the condition.
        component_match: whether ``==`` is allowed; it is not in mode declarations.
    Raises:
        ConditionError: at the first violation of the grammar.
    """
    if len(text) > LONGEST:
        raise ConditionError(text[:LONGEST], LONGEST, f"at most {LONGEST} characters")
    parser = _Parser(text, component_match)
    test = parser.expression()
    parser.end()
    return Condition(text, tuple(parser.variables), parser.timed, tuple(parser.texts), test)


def parse_typed_condition(text: str) -> Condition:
    """Compile a condition from a command line or script, with stricter checks.

    Refused are what ``doubts_of`` tells of a file's condition, a variable compared with an unquoted
    ``nan`` or ``inf`` or with several words without quotes, and a macro in a variable's name, which
    nothing would replace.

    Raises:
        ConditionError: see ``parse_condition``; or one of these.
    """
    condition = parse_condition(text)
    for name in condition.variables:
        if MACRO.search(name):
            raise ConditionError(text, text.index(name) + 1, "a variable's name without a macro")
    for _, relation, word in condition.texts:
        expected = _number_for(relation, word)
        if f'"{word}"' not in text and _NO_NUMBER.fullmatch(word):
            expected = _FINITE
        elif f'"{word}"' not in text and " " in word:
            expected = f'"{word}" in quotes, or "and" or "or"'
        if expected:
            raise ConditionError(text, _place(text, relation, word), expected)
    return condition


def doubts_of(condition: Condition) -> Iterator[str]:
    """Yield why relations can never hold: they order by ``nan``, ``inf`` or an exponent."""
    for name, relation, word in condition.texts:
        if expected := _number_for(relation, word):
            yield f"{name} {relation} {word} never holds for a number: expected {expected}"


def _number_for(relation: str, word: str) -> str:
    """Return what would be right for a text that looks like a number in an order relation; ""."""
    if relation[0] not in "<>":
        return ""
    if _EXPONENT.fullmatch(word):
        return f"a number without an exponent: {Decimal(word):f}"
    if " " in word:
        return "a number"
    return _FINITE if _NO_NUMBER.fullmatch(word) else ""


def _place(text: str, relation: str, word: str) -> int:
    """Return the column (from 1) of the text of a relation."""
    found = re.search(rf'{re.escape(relation)}\s*"?({re.escape(word)})', text)
    return found.start(1) + 1 if found else 1


class _Parser:
    """Recursive-descent parser; ``at`` is the index of the next character."""

    def __init__(self, text: str, component_match: bool) -> None:
        self.text = text
        self.component_match = component_match
        self.at = 0
        self.depth = 0
        self.variables: dict[str, None] = {}
        self.timed = False
        self.texts: list[tuple[str, str, str]] = []

    def expression(self) -> _Test:
        """Parse an expression, and the blanks after it."""
        tests: list[_Test] = []
        joint = ""
        while True:
            self._skip()
            start = self.at
            tests.append(self._operand())
            found = self._take(_JOINT)
            if (found or joint) and not _OPENING.match(self.text, start):
                raise self._error(start, 'parentheses around each side of "and" and "or"')
            if found is None:
                return _joined(joint, tests)
            word = found[1].lower()
            if joint not in ("", word):
                raise self._error(found.start(), f'parentheses: which of "{joint}" and "{word}"?')
            joint = word

    def _operand(self) -> _Test:
        if self._take(_NOT):
            test = self._parenthesised()
            return lambda lookup, utc: not test(lookup, utc)
        if self.text.startswith("(", self.at):
            return self._parenthesised()
        return self._relation()

    def end(self) -> None:
        if self.at < len(self.text):
            raise self._error(self.at, 'the end, "and" or "or"')

    def _parenthesised(self) -> _Test:
        self.at += 1
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._error(self.at, f"at most {DEEPEST} parentheses within one another")
        test = self.expression()
        self.depth -= 1
        if not self.text.startswith(")", self.at):
            raise self._error(self.at, '")"')
        self.at += 1
        return test

    def _relation(self) -> _Test:
        name = self._expect(_NAME, 'a variable, "(" or "not ("')[0]
        left = self._name(name)
        relation = self._expect(_RELATION, "one of = == != < <= > >=")
        if relation[0] == "==" and not self.component_match:
            raise self._error(relation.start(), '"=" ("==" is not for mode declarations)')
        same_component = relation[0] == "=="
        compare = _RELATIONS[relation[0]]
        if other := self._take(_OTHER):
            return _between(left, self._name(other[1]), compare, same_component)
        if quoted := self._take(_QUOTED):
            self.texts.append((name, relation[0], quoted[1]))
            return _against_text(left, quoted[1], compare, same_component)
        word = self._expect(_WORDS, "a number, a word, quoted text or $(...)")[0]
        if (number := number_of(word)) is not None:
            return _against_number(left, number, compare)
        self.texts.append((name, relation[0], word))
        return _against_text(left, word, compare, same_component)

    def _name(self, name: str) -> _Read:
        if name.endswith(_DELTA) and len(name) > len(_DELTA):
            base = name.removesuffix(_DELTA)
            self.variables[base] = None
            self.timed = True
            return _elapsed_since(base)
        self.variables[name] = None
        return _value_of(name)

    def _skip(self) -> None:
        self.at = _BLANKS.match(self.text, self.at).end()  # type: ignore[union-attr]

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _expect(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        found = self._take(pattern)
        if found is None:
            raise self._error(self.at, expected)
        return found

    def _error(self, at: int, expected: str) -> ConditionError:
        return ConditionError(self.text, at + 1, expected)


def _joined(joint: str, tests: list[_Test]) -> _Test:
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        one, other = tests
        if joint == "and":
            return lambda lookup, utc: one(lookup, utc) and other(lookup, utc)
        return lambda lookup, utc: one(lookup, utc) or other(lookup, utc)
    every = all if joint == "and" else any
    return lambda lookup, utc: every(test(lookup, utc) for test in tests)


def _value_of(name: str) -> _Read:
    def read(lookup: Lookup, utc: float | None) -> float | str | None:
        value = lookup(name)
        return None if value.__class__ is bytes else value  # type: ignore[return-value]

    return read


def _elapsed_since(name: str) -> _Read:
    def read(lookup: Lookup, utc: float | None) -> float | None:
        value = lookup(name)
        return utc - value if utc is not None and isinstance(value, float) else None

    return read


def _against_number(left: _Read, number: float, compare: _Compare) -> _Test:
    def test(lookup: Lookup, utc: float | None) -> bool:
        value = left(lookup, utc)
        if value.__class__ is float:
            return bool(compare(value, number))
        return value is not None and _numeric(value, number, compare)

    return test


def _against_text(left: _Read, text: str, compare: _Compare, same_component: bool) -> _Test:
    def test(lookup: Lookup, utc: float | None) -> bool:
        value = left(lookup, utc)
        if value.__class__ is str:
            return bool(compare(value, text)) or (same_component and _has_component(value, text))
        return value is not None and _numeric(value, text, compare)

    return test


def _between(left: _Read, right: _Read, compare: _Compare, same_component: bool) -> _Test:
    def test(lookup: Lookup, utc: float | None) -> bool:
        value, other = left(lookup, utc), right(lookup, utc)
        if value is None or other is None:
            return False
        if isinstance(value, str) and isinstance(other, str):
            return bool(compare(value, other)) or (same_component and _has_component(value, other))
        return _numeric(value, other, compare)

    return test


def _numeric(left: float | str, right: float | str, compare: _Compare) -> bool:
    """Compare as numbers; False if one of the two is no number."""
    numbers = [
        float(side) for side in (left, right) if not isinstance(side, str) or is_number(side)
    ]
    return len(numbers) == 2 and bool(compare(*numbers))


def _has_component(value: str, part: str) -> bool:
    return f":{part}:" in f":{value}:"
