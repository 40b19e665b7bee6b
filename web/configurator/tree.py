"""YAML syntax tree: every value with the offsets of its characters in the text.

Made from parser events, since ``yaml.compose`` loses the positions of aliases. Offsets exclude an
anchor: the value of ``&area 0.1`` is ``0.1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from steerageway.world.document import composed

NOTHING = {"", "none", "null", "~"}
HEAD = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)+")
Keys = tuple[str | int, ...]
"""A path: keys, and indices of lists from 0."""


class NotYaml(ValueError):
    """A text is not YAML of keys and values.

    Attributes: ``line``, from 1.
    """

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        super().__init__(text)


@dataclass(eq=False, slots=True)
class Node:
    """A value in a text.

    Attributes:
        kind: ``scalar``, ``list``, ``map`` or ``alias``.
        start, end: offsets of its characters; a block ends with its last value.
        line, column: where it begins, both from 0; for a list in block style, its first dash.
        text: a scalar's value, unquoted.
        plain: whether a scalar has no quotes.
        flow: whether a collection is in brackets (flow style).
        anchor: name of its anchor, or of the anchor that an alias refers to.
        keys, items: keys and values of a map, in order; a list has items only.
        target: the node that an alias refers to.
    """

    kind: str
    start: int
    end: int
    line: int
    column: int
    text: str = ""
    plain: bool = True
    flow: bool = False
    anchor: str = ""
    keys: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    target: Node | None = None

    @property
    def real(self) -> Node:
        """The node itself, or the one that an alias refers to."""
        return self.target if self.target is not None else self

    @property
    def empty(self) -> bool:
        """Whether it is null: no value, ``null``, ``~`` or ``None``."""
        return self.kind == "scalar" and self.plain and self.text.lower() in NOTHING

    def get(self, step: str | int) -> Node | None:
        """Return the value of a key, or the item at an index; None if there is none."""
        if self.kind == "map":
            names = [key.text for key in self.keys]
            return self.items[names.index(str(step))] if str(step) in names else None
        if self.kind == "list" and isinstance(step, int) and 0 <= step < len(self.items):
            return self.items[step]
        return None

    def children(self) -> Iterator[tuple[str | int, Node]]:
        """Yield keys or indices, with their values."""
        steps = [key.text for key in self.keys] if self.kind == "map" else range(len(self.items))
        yield from zip(steps, self.items, strict=True)


def parsed(text: str) -> Node | None:
    """Return the syntax tree of a text; None if it contains no value.

    Raises:
        NotYaml: it is not valid YAML, contains itself by an alias, or is nested too deep.
    """
    try:
        composed(text, "text")
        events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)
        return _Reader(text, events).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise NotYaml(line, f"not YAML: {error.problem or error}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise NotYaml(1, str(error).removeprefix("text:")) from None


def plain(node: Node | None) -> Any:
    """Return a node's data: mappings, lists, texts; None for null."""
    if node is None or node.empty:
        return None
    real = node.real
    if real.kind == "map":
        return {key: plain(one) for key, one in real.children()}
    if real.kind == "list":
        return [plain(one) for one in real.items]
    return None if real.empty else real.text


def shown(node: Node | None) -> Any:
    """Return a tree in the page's format: ``m`` keys, ``l`` items, ``s`` a scalar's text.

    Further: ``n`` the line from 1, ``a`` the anchor's name, ``x`` an alias, ``q`` quoted.
    """
    if node is None:
        return None
    real = node.real
    about: dict[str, Any] = {"n": node.line + 1}
    if node.anchor:
        about["a"] = node.anchor
    if node.kind == "alias":
        about["x"] = True
    if real.kind == "map":
        return {**about, "m": {str(key): shown(one) for key, one in real.children()}}
    if real.kind == "list":
        return {**about, "l": [shown(one) for one in real.items]}
    return {**about, "s": real.text, **({} if real.plain else {"q": True})}


def scalars(node: Node | None, at: Keys = ()) -> Iterator[tuple[Keys, Node]]:
    """Yield the path and node of every scalar value and alias."""
    if node is None:
        return
    if node.kind in ("map", "list"):
        for step, one in node.children():
            yield from scalars(one, (*at, step))
    else:
        yield at, node


class _Reader:
    """Builds the tree from parser events."""

    def __init__(self, text: str, events: Iterator[Any]) -> None:
        self._text, self._events = text, events
        self._anchors: dict[str, Node] = {}

    def document(self) -> Node | None:
        root = None
        for event in self._events:
            if _is(event, yaml.DocumentStartEvent):
                root = self._node(next(self._events))
        return root

    def _node(self, event: Any) -> Node:
        mark = event.start_mark
        if _is(event, yaml.AliasEvent):
            target = self._anchors[event.anchor]
            node = Node("alias", mark.index, event.end_mark.index, mark.line, mark.column)
            node.anchor, node.target = event.anchor, target
            return node
        node = self._begun(event)
        if event.anchor is not None:
            node.anchor = event.anchor
            self._anchors[event.anchor] = node
        if node.kind == "scalar":
            return node
        self._fill(node)
        return node

    def _begun(self, event: Any) -> Node:
        mark, start = event.start_mark, event.start_mark.index
        if event.anchor or event.tag:
            head = HEAD.match(self._text, start)
            start = head.end() if head else start
            if _is(event, yaml.ScalarEvent):
                start = min(start, event.end_mark.index)
        if _is(event, yaml.ScalarEvent):
            node = Node("scalar", start, event.end_mark.index, mark.line, mark.column)
            node.text, node.plain = event.value, event.style is None
            return node
        kind = "map" if _is(event, yaml.MappingStartEvent) else "list"
        node = Node(kind, start, start, mark.line, mark.column)
        node.flow = bool(event.flow_style)
        return node

    def _fill(self, node: Node) -> None:
        for event in self._events:
            if _is(event, yaml.CollectionEndEvent):
                last = node.items[-1].end if node.items else event.end_mark.index
                node.end = event.end_mark.index if node.flow else last
                return
            if node.kind == "map":
                node.keys.append(self._node(event))
                event = next(self._events)
            node.items.append(self._node(event))


def _is(event: object, kind: type) -> bool:
    return isinstance(event, kind)
