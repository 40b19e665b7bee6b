"""Edits of a YAML text by keys that preserve its comments, order, spaces, anchors, unknown keys.

Each edit replaces the characters of one value only. The edited text is parsed again before the edit
is accepted: if another value would change, too, the edit is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from steerageway.web.configurator import scalars
from steerageway.web.configurator.scalars import Value, item_lines, written
from steerageway.web.configurator.splices import Splice, spliced
from steerageway.web.configurator.tree import Keys, Node, parsed, plain

NAME = re.compile(r"[-+]?0\d")
ITEM = "expected a place in the list"


class NotEdited(ValueError):
    """A value cannot be edited by its keys; the text says why."""


def set_value(
    text: str, path: Keys, value: Value, everywhere: bool = False, note: str = ""
) -> list[Splice]:
    """Return the splices that set a value, or add its key.

    Args:
        text: of the file.
        path: keys, and indices of lists from 0.
        value: any JSON value.
        everywhere: if the value is an alias, whether to change the anchor's value instead, and so
            all its aliases.
        note: a comment to append if the key is added on its own line.

    Raises:
        NotEdited: another value would change, too.
        NotYaml: the text cannot be parsed.
    """
    root = parsed(text)
    there = _at(root, path)
    if there is not None and _normal(_read_back(value)) == _normal(plain(there)):
        return []
    found = _noted(text, _replaced(text, root, path, value, everywhere), path, note)
    aim = _with(plain(root), path, _read_back(value))
    if everywhere and (node := _at(root, path)) is not None and node.real.anchor:
        for other in _sharing(root, node.real):
            aim = _with(aim, other, _read_back(value))
    return _checked(text, found, aim, path)


def remove(text: str, path: Keys) -> list[Splice]:
    """Return the splices that remove a key with its value, or an item of a list.

    Raises:
        NotEdited, NotYaml: as ``set_value``; there is no such key or item.
    """
    root = parsed(text)
    parent = _at(root, path[:-1])
    if not path or parent is None or parent.real.get(path[-1]) is None:
        raise NotEdited(f"{dotted(path)}: not there")
    owner = parent.real
    place = [step for step, _ in owner.children()].index(path[-1])
    cut = _cut_flow(owner, place) if owner.flow else _cut_block(text, owner, place)
    aim = _without(plain(root), path)
    return _checked(text, [Splice(cut[0], text[cut[0] : cut[1]], cut[2])], aim, path)


def add_item(text: str, path: Keys, value: Value) -> list[Splice]:
    """Return the splices that append an item to a list, which is created if there is none.

    Raises:
        NotEdited, NotYaml: as ``set_value``; the value is not a list.
    """
    root = parsed(text)
    node = _at(root, path)
    aim = [*((plain(node) if node is not None else None) or []), _read_back(value)]
    if node is None or node.empty or not node.real.items:
        found = _replaced(text, root, path, [value], False)
    elif node.real.kind != "list":
        raise NotEdited(f"{dotted(path)}: expected a list")
    elif node.real.flow:
        found = [Splice(node.real.items[-1].end, "", f", {written(value)}")]
    else:
        found = [_below(text, node.real, list(item_lines(value)))]
    return _checked(text, found, _with(plain(root), path, aim), path)


def dotted(path: Keys) -> str:
    """Return a path as text for error messages; indices of lists from 1."""
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


def _at(root: Node | None, path: Keys) -> Node | None:
    node = root
    for step in path:
        node = node.real.get(step) if node is not None else None
    return node


def _replaced(
    text: str, root: Node | None, path: Keys, value: Value, everywhere: bool
) -> list[Splice]:
    """Return the splices of a new value: replaced, or added with its missing parent keys."""
    node, depth = root, 0
    while node is not None and depth < len(path):
        below = node.real.get(path[depth])
        if below is None:
            break
        node, depth = below, depth + 1
    rest = path[depth:]
    if any(isinstance(step, int) for step in rest):
        raise NotEdited(f"{dotted(path)}: {ITEM}")
    for step in reversed(rest[1:]):  # the missing parents, from the inside
        value = {str(step): value}
    if node is None or (node is root and node.empty):
        if not rest:
            raise NotEdited("expected a key")
        return [_at_end(text, list(scalars.lines(str(rest[0]), value)))]
    if rest and not node.empty:
        return [_added(text, node.real, str(rest[0]), value, path)]
    if rest:
        value = {str(rest[0]): value}
    target = node.real if everywhere else node
    return _swapped(text, target, value)


def _noted(text: str, found: list[Splice], path: Keys, note: str) -> list[Splice]:
    """Return the splices with a comment appended, if they add exactly one line."""
    if not note or len(found) != 1:
        return found
    at, old, new = found[0]
    line = new.rstrip("\r\n")
    last = line.rpartition("\n")[2].strip()
    own = last.startswith(f"{scalars.text(str(path[-1]))}: ") and text[at : at + 1].strip() == ""
    if old or not own:
        return found
    return [Splice(at, old, f"{line} # {' '.join(note.split())}{new[len(line) :]}")]


def _swapped(text: str, node: Node, value: Value) -> list[Splice]:
    """Return the splices that replace a value, item by item if both are lists of equal length."""
    if node.kind == "list" and _alike(node, value):
        assert isinstance(value, Sequence)
        pairs = zip(node.items, value, strict=True)
        # From the end: splices are applied in order, and must not move the items still to come.
        return [one for item, new in reversed(list(pairs)) for one in _swapped(text, item, new)]
    if node.kind != "alias" and _normal(_read_back(value)) == _normal(plain(node)):
        return []
    new = written(value)
    before = text[node.start - 1 : node.start]
    if node.start == node.end and before not in ("", " ", "\n"):
        new = f" {new}"
    return [Splice(node.start, text[node.start : node.end], new)]


def _alike(node: Node, value: Value) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and len(node.items) == len(value)  # type: ignore[arg-type]


def _added(text: str, owner: Node, key: str, value: Value, path: Keys) -> Splice:
    """Return the splice that adds a key to a mapping."""
    if owner.kind != "map":
        raise NotEdited(f"{dotted(path)}: expected keys and values before {key}")
    if owner.flow:
        entry = f"{scalars.text(key)}: {written(value)}"
        if owner.items:
            return Splice(owner.items[-1].end, "", f", {entry}")
        return Splice(owner.end - 1, "", entry)
    return _below(text, owner, list(scalars.lines(key, value)))


def _below(text: str, owner: Node, lines: list[str]) -> Splice:
    """Return the splice that appends lines to a block, with the block's indentation."""
    first = owner.keys[0] if owner.keys else owner
    margin = " " * first.column
    end = owner.items[-1].end
    if end and text[end - 1] == "\n":  # a literal block scalar ends with its last newline
        end -= 1
    newline = text.find("\n", end)
    at = len(text) if newline < 0 else newline
    if at and text[at - 1] == "\r":
        at -= 1
    br = _break(text)
    return Splice(at, "", "".join(f"{br}{margin}{line}" for line in lines))


def _at_end(text: str, lines: list[str]) -> Splice:
    br = _break(text)
    begin = br if text and not text.endswith("\n") else ""
    return Splice(len(text), "", begin + "".join(f"{line}{br}" for line in lines))


def _break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _cut_flow(owner: Node, place: int) -> tuple[int, int, str]:
    """Return start, end and replacement of an entry in brackets, with its comma."""
    starts = owner.keys or owner.items
    if place + 1 < len(starts):
        return starts[place].start, starts[place + 1].start, ""
    if place:
        return owner.items[place - 1].end, owner.items[place].end, ""
    return starts[0].start, owner.items[0].end, ""


def _cut_block(text: str, owner: Node, place: int) -> tuple[int, int, str]:
    """Return start, end and replacement of the lines of an entry of a block."""
    begin = owner.keys[place].start if owner.keys else _dash(text, owner, place)
    line = text.rfind("\n", 0, begin) + 1
    end = owner.items[place].end
    newline = text.find("\n", end - 1 if end > begin and text[end - 1] == "\n" else end)
    stop = len(text) if newline < 0 else newline + 1
    if not text[line:begin].strip():
        return line, stop, ""
    if place + 1 < len(owner.items):  # first key behind a dash: the next key moves to its place
        follower = owner.keys[place + 1] if owner.keys else owner.items[place + 1]
        return begin, follower.start, ""
    return begin, end, "{}" if owner.kind == "map" else "[]"


def _dash(text: str, owner: Node, place: int) -> int:
    """Return the offset of an item's dash, which may be on an earlier line."""
    line = text.rfind("\n", 0, owner.items[place].start) + 1
    while line >= 0:
        at = line + owner.column
        if text[at : at + 1] == "-" and not text[line:at].strip(" -"):
            return at
        if not line:
            break
        line = text.rfind("\n", 0, line - 1) + 1
    raise NotEdited("the item's dash is not found: change the text")


def _sharing(root: Node | None, target: Node, at: Keys = ()) -> list[Keys]:
    """Return the paths of an anchor's value and of all its aliases."""
    if root is None:
        return []
    if root.real is target:
        return [at]
    if root.kind == "alias":
        return []
    return [path for step, one in root.children() for path in _sharing(one, target, (*at, step))]


def _read_back(value: Value) -> Any:
    """Return a value as it reads after writing and parsing it (scalars as texts)."""
    return plain(parsed(f"it: {written(value)}").get("it"))  # type: ignore[union-attr]


def _with(data: Any, path: Keys, value: Any) -> Any:
    """Return parsed data with one value changed."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int) and isinstance(data, list):
        return [*data[:step], _with(data[step], rest, value), *data[step + 1 :]]
    old = data if isinstance(data, dict) else {}
    return {**old, step: _with(old.get(step), rest, value)}


def _without(data: Any, path: Keys) -> Any:
    """Return parsed data without one value."""
    step, rest = path[0], path[1:]
    if not rest:
        if isinstance(data, list):
            return [*data[:step], *data[step + 1 :]]  # type: ignore[index,operator]
        return {key: one for key, one in data.items() if key != step}
    return _with(data, (step,), _without(data[step], rest))


def _checked(text: str, found: list[Splice], aim: Any, path: Keys) -> list[Splice]:
    """Return the splices, if the text they make parses to the intended data (``aim``).

    Raises:
        NotEdited: it does not.
    """
    try:
        came = plain(parsed(spliced(text, found)))
    except ValueError as error:
        raise NotEdited(f"{dotted(path)}: {error}; change the text of the file") from None
    if _normal(came) != _normal(aim):
        raise NotEdited(f"{dotted(path)}: other values are tied to it; change the text of the file")
    return found


def _normal(data: Any) -> Any:
    """Return parsed data for comparison: empty collections as None, 2.0 equal to 2, 0015 a name."""
    if isinstance(data, dict):
        return {key: _normal(one) for key, one in data.items()} or None
    if isinstance(data, list):
        return [_normal(one) for one in data] or None
    if data is None or NAME.match(data):
        return data
    try:
        return repr(float(data))
    except ValueError:
        return data
