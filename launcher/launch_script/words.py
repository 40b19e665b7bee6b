"""Shell word expansion: quotes, variables, ``${...}`` forms, patterns, arithmetic."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from fnmatch import translate
from typing import TypeAlias

from steerageway.launcher.launch_script.errors import Effort, Unread

Variables: TypeAlias = Mapping[str, "str | list[str]"]
_BRACED = re.compile(r"(\w+|[@*#?])(?:\[([^]]*)\])?(.*)", re.DOTALL)
_PLAIN = re.compile(r"\w+|[@*#?$!-]")
_ALL = ("@", "*")
_LARGEST = 2**63  # arithmetic of a shell


class Words:
    """Expands words as a shell does.

    Args:
        variables: name -> text, or texts of an array; ``@`` are the arguments.
        run: returns the output of a command in backquotes.
        effort: limits the expansions.
    """

    def __init__(self, variables: Variables, run: Callable[[str], str], effort: Effort) -> None:
        self._variables = variables
        self._run = run
        self._effort = effort

    def fields(self, text: str) -> list[str]:
        """Return the words of a command, expanded.

        Raises:
            Unread: a form is not supported.
        """
        found: list[str] = []
        word: str | None = None
        at = 0
        while at < len(text):
            if text[at].isspace():
                found += [] if word is None else [word]
                word, at = None, at + 1
                continue
            value, quoted, at = self._piece(text, at)
            if quoted and isinstance(value, list):
                found += value
            elif quoted or not isinstance(value, str):
                word = (word or "") + ("".join(value))
            else:
                first, *rest = re.split(r"\s+", value)
                word = (word or "") + first if first or word is not None else None
                for part in rest:
                    found += [] if word is None else [word]
                    word = part or None
        return found + ([] if word is None else [word])

    def whole(self, word: str) -> str:
        """Return a word expanded, without splitting at blanks, as in an assignment.

        Raises:
            Unread: a form is not supported.
        """
        made, at = "", 0
        while at < len(word):
            value, _, at = self._piece(word, at)
            made += " ".join(value) if isinstance(value, list) else value
        return made

    def text(self, text: str) -> str:
        """Return a text expanded, as between double quotes.

        Raises:
            Unread: a form is not supported.
        """
        made, at = "", 0
        while at < len(text):
            if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "$", "`", "\\"):
                made, at = made + text[at + 1], at + 2
            elif text[at] in "$`":
                value, at = self._expansion(text, at)
                made += " ".join(value) if isinstance(value, list) else value
                self._effort.spend(len(made))
            else:
                made, at = made + text[at], at + 1
        return made

    def _piece(self, text: str, at: int) -> tuple[str | list[str], bool, int]:
        """Return the expanded piece at an offset, whether it is quoted, and the next offset."""
        value, quoted, end = self._expanded_piece(text, at)
        self._effort.spend(
            len(value) + sum(map(len, value)) if isinstance(value, list) else len(value)
        )
        return value, quoted, end

    def _expanded_piece(self, text: str, at: int) -> tuple[str | list[str], bool, int]:
        char = text[at]
        if char == "'":
            end = _closing(text, at + 1, "'")
            return text[at + 1 : end], True, end + 1
        if char == '"':
            end = _closing(text, at + 1, '"')
            inner = text[at + 1 : end]
            if inner in ("$@", "${@}") or re.fullmatch(r"\$\{\w+\[@\]\}", inner):
                return self._expansion(inner, 0)[0], True, end + 1
            return self.text(inner), True, end + 1
        if char == "\\":
            return text[at + 1 : at + 2], True, at + 2
        if char in "$`":
            value, end = self._expansion(text, at)
            return " ".join(value) if isinstance(value, list) else value, False, end
        return char, True, at + 1

    def _expansion(self, text: str, at: int) -> tuple[str | list[str], int]:
        if text[at] == "`":
            end = _closing(text, at + 1, "`")
            return self._run(text[at + 1 : end]), end + 1
        if text.startswith("$((", at):
            end = text.find("))", at)
            return str(self.number(text[at + 3 : end])), end + 2
        if text.startswith("$(", at):
            end = _matching(text, at + 1, "(", ")")
            return self._run(text[at + 2 : end]), end + 1
        if text.startswith("${", at):
            end = _matching(text, at + 1, "{", "}")
            return self._braced(text[at + 2 : end]), end + 1
        found = _PLAIN.match(text, at + 1)
        if found is None:
            return "$", at + 1
        return self._value(found[0]), found.end()

    def _value(self, name: str) -> str | list[str]:
        value = self._variables.get(name, "")
        if name in _ALL:
            return list(self._variables.get("@", []))
        if name == "#":
            return str(len(self._variables.get("@", [])))
        return (value[0] if value else "") if isinstance(value, list) else value

    def number(self, text: str) -> int:
        """Return the value of an arithmetic expression.

        Raises:
            Unread: it is not one, or its form is not supported.
        """
        plain = re.sub(r"[A-Za-z_]\w*", lambda found: self._number(found[0]), self.text(text))
        try:
            return _evaluated(ast.parse(plain.strip() or "0", mode="eval").body)
        except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
            raise Unread(f"$(({text}))") from None

    def _number(self, name: str) -> str:
        value = self._value(name)
        return value if isinstance(value, str) and value else "0"

    def _braced(self, inner: str) -> str | list[str]:
        """Return the expansion of ``${inner}``."""
        if inner.startswith("#") and len(inner) > 1:
            found = self._braced(inner[1:])
            return str(len(found))
        match = _BRACED.fullmatch(inner)
        if match is None:
            raise Unread(f"${{{inner}}}")
        name, index, rest = match.groups()
        value = self._value(name) if index is None else self._item(name, index)
        if not rest:
            return value
        text = " ".join(value) if isinstance(value, list) else value
        return self._changed(text, rest, inner)

    def _item(self, name: str, index: str) -> str | list[str]:
        items = self._variables.get(name, [])
        items = items if isinstance(items, list) else [items]
        if index in _ALL:
            return items
        place = self.number(index)
        return items[place] if 0 <= place < len(items) else ""

    def _changed(self, text: str, rest: str, inner: str) -> str:
        """Apply the operator of ``${NAME...}`` (defaults, substrings, patterns) to a value."""
        if rest[:2] in (":-", ":=") or rest[:1] in ("-", "="):
            return text or self.text(rest.lstrip(":")[1:])
        if rest[:2] == ":+":
            return self.text(rest[2:]) if text else ""
        if rest.startswith(":"):
            start, _, length = rest[1:].partition(":")
            first = self.number(start)
            return text[first:][: self.number(length)] if length else text[first:]
        if rest[0] in "#%":
            self._effort.spend(len(text) ** 2)
            return _stripped(
                text, rest[0], self.text(rest.lstrip(rest[0])), rest[:1] * 2 == rest[:2]
            )
        if rest.startswith("/"):
            pattern, _, other = rest.lstrip("/").partition("/")
            count = 0 if rest.startswith("//") else 1
            return re.sub(
                _pattern(self.text(pattern)), lambda _: self.text(other), text, count=count
            )
        if rest in ("^^", ",,"):
            return text.upper() if rest == "^^" else text.lower()
        raise Unread(f"${{{inner}}}")


def _pattern(glob: str) -> str:
    """Return the regular expression of a shell pattern, not anchored at the end."""
    # translate() gives an expression for a whole text; its end anchor (\Z, or \z) is cut off.
    whole = translate(glob.replace("[^", "[!"))
    return re.sub(r"^\(\?s:(.*)\)(?:\\Z|\\z)$", r"(?s:\1)", whole)


def _stripped(text: str, side: str, pattern: str, longest: bool) -> str:
    """Remove the longest or shortest match of a pattern at the start (#) or end (%) of a text."""
    whole = re.compile(_pattern(pattern) + r"\Z")
    lengths = range(len(text), -1, -1) if longest else range(len(text) + 1)
    if side == "#":
        return next((text[n:] for n in lengths if whole.match(text[:n])), text)
    return next(
        (text[: len(text) - n] for n in lengths if whole.match(text[len(text) - n :])), text
    )


def matches(text: str, pattern: str) -> bool:
    """Whether the whole of a text matches a shell pattern."""
    return re.fullmatch(_pattern(pattern), text) is not None


def _closing(text: str, at: int, quote: str) -> int:
    while at < len(text):
        if text[at] == "\\" and quote != "'":
            at += 1
        elif text[at] == quote:
            return at
        at += 1
    raise Unread(f"no closing {quote}")


def _matching(text: str, at: int, opening: str, closing: str) -> int:
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == opening) - (text[index] == closing)
        if depth == 0:
            return index
    raise Unread(f"no closing {closing}")


def _evaluated(node: ast.expr) -> int:
    value = _value_of(node)
    if not -_LARGEST <= value < _LARGEST:
        raise OverflowError
    return value


def _value_of(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _evaluated(node.left), _evaluated(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div | ast.FloorDiv):
            return int(left / right)
        if isinstance(node.op, ast.Mod):
            return left % right
    raise Unread("arithmetic")
