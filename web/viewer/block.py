"""Reader of a mission's ``pMarineViewer`` block: buttons, actions, mouse contexts, scopes.

    button_one  = DEPLOY # DEPLOY=true # color=green
    button_one  = MOOS_MANUAL_OVERRIDE=false
    action      = MENU_KEY=deploy # DEPLOY=true # RETURN=false
    right_context[return] = RETURN=true
    left_context[station] = STATION=x=$(XPOS),y=$(YPOS)
    scope       = RETURN
    watch_cluster = key=helm,vars=DEPLOY:RETURN

Lines of the same button, or of the same context, are combined. Values that look like numbers are
numbers, quoted values are text. Invalid lines are reported in ``ViewerBlock.trouble`` and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from steerageway.declarations import decimal, words_of
from steerageway.moos.lines import Line
from steerageway.moos.values import Value, auto_value, by_key, fixed, split_first, trimmed
from steerageway.web.viewer.colors import css_color

BLOCK = "pMarineViewer"
_BUTTON = re.compile(r"button_(\w+)", re.IGNORECASE)
_CONTEXT = re.compile(r"(left|right)_context\s*(?:\[(.*)\])?", re.IGNORECASE)
_MACRO = re.compile(r"\$[(\[](\w+)[)\]]")
_NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


@dataclass(slots=True)
class Choice:
    """A button, an action or a context, with its posts.

    Attributes:
        label: the text on the button or in the menu.
        posts: (variable, value) as written, with macros.
        color: CSS color; "" for none.
    """

    label: str
    posts: list[tuple[str, str]] = field(default_factory=list)
    color: str = ""

    def values(self, macros: Mapping[str, str]) -> list[tuple[str, Value]]:
        """Return the posts, with macros such as ``$(XPOS)`` and ``$[UTC]`` replaced."""
        return [(name, auto_value(_filled(text, macros))) for name, text in self.posts]

    def shown(self, number: int) -> dict[str, Any]:
        """Return its form in the viewer protocol."""
        posts = [f"{name} = {text}" for name, text in self.posts]
        return {"n": number, "label": self.label, "color": self.color, "posts": posts}


@dataclass(slots=True)
class ViewerBlock:
    """The parameters of a ``pMarineViewer`` block.

    Attributes:
        community: of the mission file.
        buttons: number (0 to 19) -> button. actions: in order. contexts: (side, key) -> posts.
        scopes: variables to show. clusters: key -> variables.
        trouble: an error message for each invalid line.
    """

    community: str
    buttons: dict[int, Choice] = field(default_factory=dict)
    actions: list[Choice] = field(default_factory=list)
    contexts: dict[tuple[str, str], Choice] = field(default_factory=dict)
    scopes: list[str] = field(default_factory=list)
    clusters: dict[str, list[str]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    def shown(self) -> dict[str, Any]:
        """Return its form in the viewer protocol."""
        sides: dict[str, list[str]] = {"left": [], "right": []}
        for side, key in self.contexts:
            sides[side].append(key)
        return {
            "community": self.community,
            "buttons": [one.shown(number) for number, one in sorted(self.buttons.items())],
            "actions": [one.shown(number) for number, one in enumerate(self.actions)],
            "contexts": sides,
            "scopes": self.scopes,
            "clusters": [{"key": key, "vars": names} for key, names in self.clusters.items()],
            "trouble": self.trouble,
        }

    def take(self, line: Line) -> None:
        """Read a line of the block; parameters that this viewer does not support are ignored."""
        key = line.key.lower()
        button, context = _BUTTON.fullmatch(key), _CONTEXT.fullmatch(line.key.strip())
        if button is not None:
            self._take_button(button[1], line)
        elif context is not None:
            self._take_context(context[1].lower(), (context[2] or "").strip(), line)
        elif key.rstrip("+") == "action":
            self._take_action(line)
        elif key == "scope":
            self.scopes += words_of(line.value)
        elif key == "watch_cluster":
            self._take_cluster(line)

    def _take_button(self, word: str, line: Line) -> None:
        number = _index(word) if (named := decimal(word)) is None else named - 1
        if not 0 <= number < len(_NUMBERS):
            self._reject(line, "expected button_one to button_twenty")
            return
        first, *rest = _parts(line.value)
        known = self.buttons.get(number)
        if known is None and "=" in first:
            self._reject(line, "expected a label first, as DEPLOY # DEPLOY=true")
            return
        if known is None:
            known = self.buttons[number] = Choice(first)
        elif "=" in first:
            rest = [first, *rest]
        self._add(known, rest, line)

    def _take_action(self, line: Line) -> None:
        first, *rest = _parts(line.value)
        key, label = split_first(first, "=")
        is_named = key.upper() == "MENU_KEY" and label
        posts = rest if is_named else [first, *rest]
        label = label if is_named else posts[0]
        known = next((one for one in self.actions if one.label == label and is_named), None)
        if known is None:
            known = Choice(label)
            self._add(known, posts, line)
            if known.posts:
                self.actions.append(known)
        else:
            self._add(known, posts, line)

    def _take_context(self, side: str, key: str, line: Line) -> None:
        known = self.contexts.setdefault((side, key), Choice(key))
        self._add(known, _parts(line.value), line)
        if not known.posts:
            del self.contexts[side, key]

    def _take_cluster(self, line: Line) -> None:
        fields = by_key(line.value.replace("#", ","))
        names = fields.get("vars", fields.get("var", "")).replace(";", ":").split(":")
        found = [name.strip() for name in names if name.strip()]
        if not found:
            self._reject(line, "expected key=NAME,vars=VAR:VAR")
            return
        self.clusters.setdefault(fields.get("key", found[0]), []).extend(found)

    def _add(self, choice: Choice, parts: Iterable[str], line: Line) -> None:
        for part in parts:
            name, text = split_first(part, "=")
            if name.lower() in ("color", "colour", "button_color"):
                choice.color = css_color(text) or ""
            elif not name or "=" not in part or " " in name:
                self._reject(line, f"{part}: expected VAR=VALUE")
            else:
                choice.posts.append((name, text))

    def _reject(self, line: Line, expected: str) -> None:
        self.trouble.append(f"{line.where}: {line.key} = {line.value}: {expected}")


def read_block(community: str, lines: Iterable[Line]) -> ViewerBlock:
    """Read the lines of a viewer's block."""
    block = ViewerBlock(community)
    for line in lines:
        block.take(line)
    return block


def macros_at(
    x: float, y: float, latlon: tuple[float, float] | None, vname: str, closest: str, utc: float
) -> dict[str, str]:
    """Return the values of macros for a click on the map.

    Args:
        x, y: position of the click [m].
        latlon: the same position [deg]; None without a datum.
        vname: the selected vessel, "" for none. closest: the one nearest to the click.
        utc: the time [s].
    """
    lat, lon = ("", "") if latlon is None else (trimmed(latlon[0], 8), trimmed(latlon[1], 8))
    return {
        "XPOS": fixed(x, 1),
        "YPOS": fixed(y, 1),
        "X": fixed(x, 0),
        "Y": fixed(y, 0),
        "LAT": lat,
        "LON": lon,
        "VNAME": vname,
        "UP_VNAME": vname.upper(),
        "VNAME_CLOSEST": closest,
        "UTC": fixed(utc, 3),
    }


def _filled(text: str, macros: Mapping[str, str]) -> str:
    return _MACRO.sub(lambda match: macros.get(match[1], match[0]), text)


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in text.split("#")]
    return [part for part in parts if part] or [""]


def _index(word: str) -> int:
    return _NUMBERS.index(word) if word in _NUMBERS else -1
