"""YAML files read with line numbers, so that errors name the line of the invalid value.

A ``Section`` is a mapping of a file; its methods return a key's value as the requested type, or
raise an ``InvalidValue`` with file, line, key, value and the expected value. Scalars stay text
until a type is requested: ``0015`` is a name where a text is requested, never the octal 13. To
collect all mistakes, each is appended to a list and a placeholder is returned, so that reading
continues. NumPy is imported with the first vector: sweep files have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import chain
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import yaml

from steerageway.declarations import Number, Whole, bytes_of, decimal, finite, unknown
from steerageway.declarations.key import LARGEST_OTHER, Key
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import ALIKE, near
from steerageway.world.errors import InvalidValue

if TYPE_CHECKING:
    from steerageway.world.arrays import Floats

STAND_IN = 1.0
LARGEST_FILE = 16 << 20  # bytes
DEEPEST = 50  # nesting depth of lists and sections
MOST_NODES = 1_000_000  # values of a file, with aliases expanded
_DEEP = re.compile(rf"^[ ?-]{{{DEEPEST}}}", re.MULTILINE)  # a block at this indentation depth
ANY = Number()
NOTHING = {"", "none", "null", "~"}
T = TypeVar("T")


@dataclass(frozen=True)
class Section:
    """A mapping of a YAML file; every key that is requested counts as known.

    A declared ``Key`` supplies its default, range, size and choices; arguments passed explicitly
    override them.

    Attributes:
        path: the file.
        line: line where the mapping begins.
        nodes: YAML values by key.
        prefix: keys that lead to the section, joined by dots.
        mistakes: list to which errors are appended instead of raised; None to raise.
    """

    path: Path
    line: int = 1
    nodes: dict[str, yaml.Node] = field(default_factory=dict)
    prefix: str = ""
    asked: set[str] = field(default_factory=set)
    mistakes: list[InvalidValue] | None = None

    def __contains__(self, key: str) -> bool:
        """Whether a key is present and its value is not empty or ``None``."""
        self.asked.add(key)
        node = self.nodes.get(key)
        return node is not None and not _is_nothing(node)

    def number(
        self,
        key: str,
        default: float | None = None,
        low: float = -inf,
        high: float = inf,
        above: float = -inf,
    ) -> float:
        """Return a finite number within the range, and that of a declared key."""
        return self._limited(key, default, Number(low, high, above))

    def whole(
        self, key: str, default: int | None = None, low: float = -inf, high: float = inf
    ) -> int:
        """Return a whole number within the range, and that of a declared key."""
        return int(self._limited(key, default, Whole(low, high)))

    def _limited(self, key: str, default: float | None, limits: Number) -> float:
        if isinstance(key, Key):
            limits = key.limits.within(limits)
            if default is None and isinstance(key.default, int | float):
                default = float(key.default)
        if key not in self:
            return self._absent(key, default, limits.expected, STAND_IN)
        return self._read(key, self.nodes[key], limits)

    def positive(self, key: str, default: float | None = None, high: float = inf) -> float:
        """Return a number above zero, up to ``high``."""
        return self.number(key, default, high=high, above=0.0)

    def vector(self, key: str, size: int = 0, default: Sequence[float] | None = None) -> Floats:
        """Return a vector of ``size`` numbers."""
        import numpy as np

        if isinstance(key, Key):
            size = size or key.size
            if default is None and isinstance(key.default, tuple):
                default = key.default

        if key not in self:
            given = self._absent(key, default, f"expected {size} numbers", [STAND_IN] * size)
            return np.array(given, np.float64)
        numbers = self._row(key, self.nodes[key], size)
        return np.array(numbers)

    def matrix(self, key: str, rows: int = 0, columns: int = 0) -> Floats:
        """Return a matrix written as a list of rows."""
        import numpy as np

        if isinstance(key, Key):
            rows, columns = rows or key.size, columns or key.size

        expected = f"{rows} rows of {columns} numbers"
        if key not in self:
            return self._absent(key, None, f"expected {expected}", np.eye(rows, columns))
        node = self.nodes[key]
        if not isinstance(node, yaml.SequenceNode) or len(node.value) != rows:
            return self.refused(key, _shown(node), expected, np.eye(rows, columns))
        return np.array([self._row(key, row, columns) for row in node.value])

    def rows(self, key: str, columns: int = 0) -> list[list[float]]:
        """Return a list of rows of numbers, of any length; an absent one is empty."""
        if isinstance(key, Key):
            columns = columns or key.size
        return [self._row(key, row, columns) for row in self._items(key)] if key in self else []

    def pairs(self, key: str) -> list[tuple[int, int]]:
        """Return a list of [row, column] pairs, counted from 1 in the file and from 0 here."""
        if key not in self:
            return []
        rows = [self._row(key, row, 2) for row in self._items(key)]
        return [(int(row) - 1, int(column) - 1) for row, column in rows]

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return a truth value."""
        if default is None:
            default = isinstance(key, Key) and key.default is True
        if key not in self:
            return default
        text = _shown(self.nodes[key]).lower()
        if text not in ("true", "false"):
            return self.refused(key, text, "true or false", default)
        return text == "true"

    def text(self, key: str, default: str = "") -> str:
        """Return a value as written in the file; empty and ``None`` are replaced by the default."""
        if not default and isinstance(key, Key) and isinstance(key.default, str):
            default = key.default
        return _shown(self.nodes[key]) if key in self else default

    def choice(self, key: str, choices: Sequence[str] = (), default: str = "") -> str:
        """Return a value that must be one of the choices."""
        if isinstance(key, Key):
            choices = choices or key.choices
            default = default or str(key.default)
        word = self.text(key, default)
        if word not in choices:
            return self.refused(key, word, f"one of {', '.join(choices)}", default)
        return word

    def words(self, key: str) -> list[str]:
        """Return a list of words; a single word need not be in a list."""
        if isinstance(self.nodes.get(key), yaml.ScalarNode):
            return [self.text(key)]
        return [_shown(node) for node in self._items(key)] if key in self else []

    def section(self, key: str) -> Section:
        """Return the mapping under a key; an empty one if there is none."""
        if key not in self:
            return replace(self, nodes={}, prefix=f"{self.prefix}{key}.", asked=set())
        return self._section(key, self.nodes[key], f"{self.prefix}{key}.")

    def sections(self, key: str) -> list[Section]:
        """Return a list of mappings."""
        if key not in self:
            return []
        nodes = self._items(key)
        return [
            self._section(key, node, f"{self.prefix}{key}.{i}.") for i, node in enumerate(nodes, 1)
        ]

    def is_valid(self, *keys: str) -> bool:
        """Whether no mistake has been found in these keys."""
        places = {place for key in keys for place in self._places(key)}
        found = (one for mistake in self.mistakes or () for one in mistake.diagnostics)
        return not any((one.where, one.key) in places for one in found)

    @contextmanager
    def collecting_errors(self) -> Iterator[None]:
        """If mistakes are collected, collect those raised in the context, and continue after it.

        Arithmetic errors caused by placeholders are suppressed; they are no mistake of the files.
        """
        try:
            yield
        except InvalidValue as error:
            if self.mistakes is None:
                raise
            if error not in self.mistakes:
                self.mistakes.append(error)
        except (ArithmeticError, LookupError, ValueError):
            if not self.mistakes:
                raise

    def rest(self) -> Iterator[str]:
        """Return the keys that have not been requested."""
        return (key for key in self.nodes if key not in self.asked)

    def finish(
        self, also: Sequence[str] = (), meant: Callable[[str], str] = lambda key: ""
    ) -> None:
        """Reject keys that were never requested.

        Args:
            also: further valid keys.
            meant: returns the key equivalent to one of another notation, or "".

        Raises:
            InvalidValue: for the first unknown key (or all are collected), with its
            line and the nearest known key.
        """
        known = sorted({*self.asked, *also})
        for key in self.rest():
            if key not in also:
                self.note(self.mistake(key, unknown(key, known, meant=meant(key)).expected), None)

    def where(self, key: str) -> str:
        """Return file, line and key, the prefix of an error."""
        return f"{self.place(key)}: {self.prefix}{key}"

    def place(self, key: str) -> str:
        """Return file and line of a key; for the value of an override, where that was given."""
        mark = self.nodes[key].start_mark if key in self.nodes else None
        if mark is None:
            return f"{self.path}:{self.line}"
        of_a_file = mark.name == str(self.path) or mark.name.endswith(".yml")
        return f"{mark.name}:{mark.line + 1}" if of_a_file else str(mark.name)

    def mistake(self, key: str, what: str, value: str = "") -> InvalidValue:
        """Return the error about a key, or its value."""
        return InvalidValue(Diagnostic(self.place(key), f"{self.prefix}{key}", value, what))

    def wrong(self, key: str, value: str, expected: str, instead: T) -> T:
        """Raise the error about a value's effect; if collected, add it and return a placeholder."""
        return self.note(self.mistake(key, f"{value}: expected {expected}"), instead)

    def refused(self, key: str, value: str, expected: str, instead: T) -> T:
        """Raise the error of a value that is not legal; if collected, return a placeholder."""
        return self.note(self.mistake(key, f"expected {expected}", value), instead)

    def fail(self, key: str, value: str, expected: str) -> NoReturn:
        """Raise the error of an invalid value that has no placeholder."""
        error = self.mistake(key, f"{value}: expected {expected}")
        if self.mistakes is not None:
            self.mistakes.append(error)
        raise error

    def note(self, mistake: InvalidValue, instead: T) -> T:
        """Raise a mistake; if mistakes are collected, add it and return a placeholder."""
        if self.mistakes is None:
            raise mistake
        self.mistakes.append(mistake)
        return instead

    def _absent(self, key: str, default: T | None, expected: str, instead: T) -> T:
        if default is not None:
            return default
        node = self.nodes.get(key)
        if isinstance(node, yaml.ScalarNode) and not node.value:
            return self.note(self.mistake(key, expected), instead)
        other = near(key, self.rest(), ALIKE)
        hint = f"; the nearest that is there is {self.where(other[0])}" if other else ""
        where, name = self._beginning, f"{self.prefix}{key}"
        absent = Diagnostic(where, name, expected=f"{expected}{hint}", missing=True)
        return self.note(InvalidValue(absent), instead)

    @property
    def _beginning(self) -> str:
        """Return the place where a missing key would be."""
        return f"{self.path}:{self.line}" if self.line > 1 else str(self.path)

    def _places(self, key: str) -> Iterator[tuple[str, str]]:
        """Return the places of mistakes about a key, with its name."""
        for place in (self.place(key), self._beginning):
            yield place, f"{self.prefix}{key}"

    def _items(self, key: str) -> list[yaml.Node]:
        node = self.nodes[key]
        if not isinstance(node, yaml.SequenceNode):
            return self.refused(key, _shown(node), "a list", [])
        items: list[yaml.Node] = node.value
        return items

    def _row(self, key: str, node: yaml.Node, size: int) -> list[float]:
        if not isinstance(node, yaml.SequenceNode) or len(node.value) != size:
            return self.refused(key, _shown(node), f"{size} numbers", [STAND_IN] * size)
        return [self._read(key, item, ANY) for item in node.value]

    def _read(self, key: str, node: yaml.Node, limits: Number) -> float:
        try:
            return sized(key, limits(scalar_of(node)))
        except OverflowError as error:
            return self.refused(key, _shown(node), str(error), STAND_IN)
        except ValueError:
            value = finite(scalar_of(node))
            nearest = min(max(value or STAND_IN, limits.low), limits.high)
            instead = nearest if nearest in limits else STAND_IN
            return self.refused(key, _shown(node), limits.phrase, instead)

    def _section(self, key: str, node: yaml.Node, prefix: str) -> Section:
        if not isinstance(node, yaml.MappingNode):
            listed = ", ".join(key.keys) if isinstance(key, Key) else ""
            expected = f"keys and values: {listed}" if listed else "keys and values"
            self.refused(key, _shown(node), expected, None)
            return replace(self, nodes={}, prefix=prefix, asked=set())
        nodes = _mapping(self.path, node)
        return replace(self, line=_line(node), nodes=nodes, prefix=prefix, asked=set())


def sized(key: str, value: float) -> float:
    """Return a number of a file, unless nothing at sea is as large, with which no model is finite.

    Raises:
        OverflowError: it is larger than any of the key's unit; its text says what would be right.
    """
    largest = key.largest if isinstance(key, Key) else LARGEST_OTHER
    if abs(value) <= largest:
        return value
    unit = f" {key.unit}" if isinstance(key, Key) else ""
    raise OverflowError(f"a number of size at most {largest:g}{unit}".rstrip())


def scalar_of(node: yaml.Node) -> str:
    """Return the text of a number in YAML's notation, as 1_000 and .inf; "" for a collection."""
    text = str(node.value) if isinstance(node, yaml.ScalarNode) else ""
    return text.replace("_", "") if text[:1].isdigit() else text


def composed(text: str, where: str) -> yaml.Node | None:
    """Parse YAML into nodes that have line numbers.

    Raises:
        InvalidValue: it is nested too deep, contains itself, or expands without limit.
    """
    _check_depth(text, where)
    stream = StringIO(text)
    stream.name = where
    node = yaml.compose(stream, Loader=yaml.SafeLoader)
    if node is not None:
        _check_size(node, where)
    return node


def _check_depth(text: str, where: str) -> None:
    """Check the nesting depth: reading is recursive."""
    if text.count("[") + text.count("{") <= DEEPEST and not _DEEP.search(text):
        return
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                line = event.start_mark.line + 1 if event.start_mark else 1
                message = f"expected at most {DEEPEST} lists and sections within one another"
                raise InvalidValue(message, f"{where}:{line}")
    except yaml.YAMLError:
        return  # the parser reports the error


def _check_size(node: yaml.Node, where: str) -> None:
    """Check the number of values in a file, with aliases expanded."""
    sizes: dict[int, int] = {}

    def size(node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1
        if id(node) not in sizes:
            sizes[id(node)] = MOST_NODES + 1  # until computed: a node within itself is too large
            parts = node.value if isinstance(node, yaml.SequenceNode) else chain(*node.value)
            sizes[id(node)] = 1 + sum(map(size, parts))
        if sizes[id(node)] > MOST_NODES:
            message = f"expected a file of at most {MOST_NODES} values, no alias within itself"
            raise InvalidValue(message, f"{where}:{_line(node)}")
        return sizes[id(node)]

    size(node)


def read(path: Path) -> Section:
    """Read a mapping file; an empty one, only comments, or ``---`` alone, has no keys.

    Raises:
        InvalidValue: it is not YAML, or not a mapping.
    """
    try:
        node = composed(text_of(path), str(path))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or error
        message = f"not YAML: {problem}"
        raise InvalidValue(message, f"{path}:{line}") from error
    if node is None or _is_nothing(node):
        return Section(path)
    if not isinstance(node, yaml.MappingNode):
        message = f"{_shown(node)}: expected keys and values"
        raise InvalidValue(message, f"{path}:{_line(node)}")
    return Section(path, _line(node), _mapping(path, node))


def text_of(path: Path) -> str:
    """Return a file's text without the byte order mark; raise InvalidValue if it is not UTF-8."""
    raw = bytes_of(path, LARGEST_FILE)
    if len(raw) > LARGEST_FILE:
        message = f"expected a file of at most {LARGEST_FILE} bytes"
        raise InvalidValue(message, str(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, byte = raw.count(b"\n", 0, error.start) + 1, raw[error.start]
        message = f"byte {byte:#x}: expected text in UTF-8"
        raise InvalidValue(message, f"{path}:{line}") from error


def read_if_there(path: Path) -> Section:
    """Read a file; a missing file has no keys."""
    return read(path) if path.is_file() else Section(path)


def read_or_tell(path: Path, mistakes: list[InvalidValue]) -> Section:
    """Read a file; if it cannot be read, add that mistake alone and return an empty section."""
    try:
        return replace(read_if_there(path), mistakes=mistakes)
    except InvalidValue as error:
        mistakes.append(error)
        return Section(path, mistakes=[])


def replaced(section: Section, keys: Sequence[str], node: yaml.Node, where: str) -> Section:
    """Return a copy of a section with the value at a path replaced; list items count from 1."""
    nodes = dict(section.nodes)
    first, rest = keys[0], keys[1:]
    nodes[first] = _inserted(nodes.get(first), rest, node, Diagnostic(where, first))
    return replace(section, nodes=nodes, asked=set())


def leaves(section: Section) -> Iterator[tuple[tuple[str, ...], str]]:
    """Return every scalar of a section with its path of keys."""
    for key, node in section.nodes.items():
        for path, text in _leaves(node):
            yield (key, *path), text


def _leaves(node: yaml.Node) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(node, yaml.ScalarNode):
        yield (), node.value
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value, 1):
            for path, text in _leaves(item):
                yield (str(i), *path), text
    elif isinstance(node, yaml.MappingNode):
        for key, item in node.value:
            for path, text in _leaves(item):
                yield (key.value, *path), text


def _inserted(
    old: yaml.Node | None, keys: Sequence[str], new: yaml.Node, about: Diagnostic
) -> yaml.Node:
    if not keys and not (isinstance(new, yaml.MappingNode) and old is not None):
        return new
    if not keys:
        assert isinstance(new, yaml.MappingNode)
        for key, item in new.value:
            old = _inserted(old, [key.value], item, about)
        assert old is not None
        return old
    if isinstance(old, yaml.SequenceNode):
        at = decimal(keys[0]) or 0
        if not 1 <= at <= len(old.value):
            message = f"{keys[0]}: expected a place from 1 to {len(old.value)}"
            raise InvalidValue(replace(about, expected=message))
        items = list(old.value)
        items[at - 1] = _inserted(items[at - 1], keys[1:], new, about)
        return yaml.SequenceNode(old.tag, items, old.start_mark, old.end_mark)
    pairs = list(old.value) if isinstance(old, yaml.MappingNode) else []
    for i, (key, item) in enumerate(pairs):
        if key.value == keys[0]:
            pairs[i] = (key, _inserted(item, keys[1:], new, about))
            break
    else:
        name = yaml.ScalarNode("tag:yaml.org,2002:str", keys[0], new.start_mark, new.end_mark)
        pairs.append((name, _inserted(None, keys[1:], new, about)))
    mark = old or new
    return yaml.MappingNode("tag:yaml.org,2002:map", pairs, mark.start_mark, mark.end_mark)


def _mapping(path: Path, node: yaml.MappingNode) -> dict[str, yaml.Node]:
    found: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            message = f"{_shown(key)}: expected a key"
            raise InvalidValue(message, f"{path}:{_line(key)}")
        if key.value in found:
            raise InvalidValue(
                Diagnostic(f"{path}:{_line(key)}", key.value, expected="stands twice")
            )
        found[key.value] = value
    return found


def _is_nothing(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.value.lower() in NOTHING


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1 if node.start_mark else 1


def _shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    return "a list" if isinstance(node, yaml.SequenceNode) else "keys and values"
