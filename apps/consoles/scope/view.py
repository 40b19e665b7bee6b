"""Settings of the scope: variables, columns, modes and colours; a ``uXMS`` block, command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from steerageway.bus import Config, Entry, Message, Options, declare, matches
from steerageway.moos.lines import unquote
from steerageway.moos.mission import read_mission

BLOCK = "uXMS"
SCOPING, HISTORY = "scoping", "history"  # of content_mode
_WITHOUT_EFFECT = ("AppTick", "CommsTick")


COLORS = ("red", "green", "blue", "magenta", "cyan", "yellow")
NEW, UNPOSTED = "bold", "ansibrightblack"
Colored = tuple[str, str]


def read_colored(text: str) -> Colored:
    """Parse ``NAME, COLOUR``: a name or a pattern and its colour.

    Raises:
        ValueError: the text has another form, or the colour is unknown.
    """
    name, comma, color = (part.strip() for part in text.rpartition(","))
    if not (name and comma) or color.lower() not in COLORS:
        raise ValueError(f"expected NAME, COLOUR; colours are {', '.join(COLORS)}")
    return name, color.lower()


def style_of(
    name: str, message: Message | None, colored: Sequence[Colored], *, is_new: bool
) -> str:
    """Return a row's style.

    Args:
        name: of the row, with the community if there are several.
        message: of the row; None if it was never posted.
        colored: names or patterns and their colours; the first that matches the variable, its
            source
            or its community is used.
        is_new: whether its value has changed since it was last shown.
    """
    if message is None:
        return UNPOSTED
    names = (name, message.name, message.source, message.community)
    found = (color for pattern, color in colored if any(matches(pattern, one) for one in names))
    color = next(found, "")
    return " ".join(filter(None, (f"ansi{color}" if color else "", NEW if is_new else "")))


def use_colors(asked: bool | None) -> bool:
    """Whether to use colour: as requested; by default unless NO_COLOR is set."""
    return not os.environ.get("NO_COLOR") if asked is None else asked


class Mode(StrEnum):
    """When the view is updated."""

    EVENTS = "events"  # as soon as a message arrives
    STREAMING = "streaming"  # periodically
    PAUSED = "paused"  # on request


@dataclass(slots=True)
class View:
    """What to show.

    Attributes:
        names: variables or patterns as requested; empty: all.
        sources: only posts of these apps (names or patterns); empty: of all.
        history: the variable whose past values are shown; "" for the present values of all.
        source, time, community, aux: whether these columns are shown.
        virgins: whether variables that were never posted are shown.
        width: maximum characters of a value; 0: as many as there is room for.
        interval: wall time between reports when streaming [s].
        mode: when the view is updated.
        colored: names or patterns of variables, sources or communities, and their colours.
        filter: only names that contain this text.
    """

    names: list[str]
    sources: list[str]
    history: str
    source: bool
    time: bool
    community: bool
    aux: bool
    virgins: bool
    width: int
    mode: Mode
    interval: float
    colored: list[Colored]
    filter: str = ""


@dataclass(frozen=True)
class ScopeOptions(Options):
    """Parameters of the ``uXMS`` block."""

    var: tuple[str, ...] = declare.words("", "variables or patterns to show instead of all")
    source: tuple[str, ...] = declare.words(
        "", "apps or patterns; only their posts are shown", aliases=("src",)
    )
    history_var: str = declare.text("", "variable for content_mode = history")
    content_mode: str = declare.choice(
        SCOPING, {SCOPING: "present values", HISTORY: "past values of history_var"}
    )
    display_source: bool = declare.flag(True, "false: no column of the sources")
    display_time: bool = declare.flag(True, "false: no column of the times")
    display_community: bool = declare.flag(False, "true: a column of the communities")
    display_aux_source: bool = declare.flag(False, "true: a column of the auxiliary sources")
    display_virgins: bool = declare.flag(True, "false: hide variables that were never posted")
    display_all: bool = declare.flag(False, "true: show all variables, also with var")
    trunc_data: int = declare.whole(
        0, "maximum characters of a value; 0: as many as there is room for", low=0
    )
    colormap: tuple[Colored, ...] = declare.lines(
        read_colored, "NAME, COLOUR: colour of a variable, source or community, or of a pattern"
    )
    refresh_mode: str = declare.choice(
        Mode.EVENTS,
        {Mode.EVENTS: "on new values", Mode.STREAMING: "periodically", Mode.PAUSED: "on a key"},
    )
    term_report_interval: float = declare.number(
        0.6, "wall time between reports with refresh_mode = streaming", unit="s", above=0
    )

    def view(self) -> View:
        """Return what to show."""
        return View(
            names=[] if self.display_all else list(self.var),
            sources=list(self.source),
            history=self.history_var if self.content_mode == HISTORY else "",
            source=self.display_source,
            time=self.display_time,
            community=self.display_community,
            aux=self.display_aux_source,
            virgins=self.display_virgins,
            width=self.trunc_data,
            mode=Mode(self.refresh_mode),
            interval=self.term_report_interval,
            colored=list(self.colormap),
        )


def view_of_mission(path: Path | None) -> tuple[View, list[str]]:
    """Read a mission file's block for the scope.

    Args:
        path: None: no file.
    Returns: the view, by default if there is no block; and warnings about lines that are not used.
    Raises:
        ConfigError, FormatError: a line is invalid.
    """
    block = read_mission(path).block(BLOCK) if path is not None else None
    if block is None:
        return ScopeOptions.read(Config()).view(), []
    lines = [Entry(key, unquote(value), where) for key, value, where in block.lines]
    config = Config(lines, where=block.where, known=_WITHOUT_EFFECT)
    view = ScopeOptions.read(config).view()
    return view, [str(config.unknown_key(entry)) for entry in config.unread()]
