"""Settings of the scope: variables, columns and modes, from a ``uXMS`` block or command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from steerageway.apps.consoles.scope.colors import Colored, read_colored
from steerageway.bus import Config, Entry
from steerageway.moos.lines import unquote
from steerageway.moos.mission import read_mission

BLOCK = "uXMS"
INTERVAL = 0.6  # default wall time between reports [s]
_WITHOUT_EFFECT = ("AppTick", "CommsTick")


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
        filter: only names that contain this text.
        source, time, community, aux: whether these columns are shown.
        virgins: whether variables that were never posted are shown.
        width: maximum characters of a value; 0: as many as there is room for.
        interval: wall time between reports when streaming [s].
        colored: names or patterns of variables, sources or communities, and their colours.
    """

    names: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    history: str = ""
    filter: str = ""
    source: bool = True
    time: bool = True
    community: bool = False
    aux: bool = False
    virgins: bool = True
    width: int = 0
    mode: Mode = Mode.EVENTS
    interval: float = INTERVAL
    colored: list[Colored] = field(default_factory=list)


def view_of_mission(path: Path) -> tuple[View, list[str]]:
    """Read a mission file's block for the scope.

    Returns: the view, by default if there is no block; and warnings about lines that are not used.
    Raises:
        ConfigError, FormatError: a line is invalid.
    """
    block = read_mission(path).block(BLOCK)
    view = View()
    if block is None:
        return view, []
    lines = [Entry(key, unquote(value), where) for key, value, where in block.lines]
    config = Config(lines, where=block.where, known=_WITHOUT_EFFECT)
    view.names = list(_listed(config, "var"))
    view.sources = list(_listed(config, "source", "src"))
    view.history = config.text("history_var")
    view.source = config.flag("display_source", default=view.source)
    view.time = config.flag("display_time", default=view.time)
    view.community = config.flag("display_community", default=view.community)
    view.aux = config.flag("display_aux_source", default=view.aux)
    view.virgins = config.flag("display_virgins", default=view.virgins)
    view.width = config.whole("trunc_data", default=0, low=0)
    view.mode = Mode(config.choice("refresh_mode", default=view.mode, among=Mode))
    view.interval = config.number("term_report_interval", default=view.interval, above=0.0)
    for entry in config.all("colormap"):
        try:
            view.colored.append(read_colored(entry.value))
        except ValueError as error:
            raise config.error(entry, str(error)) from None
    content = config.choice("content_mode", default="scoping", among=("scoping", "history"))
    if content == "scoping":
        view.history = ""
    if config.flag("display_all", default=False):
        view.names = []
    return view, [str(config.unknown_key(entry)) for entry in config.unread()]


def _listed(config: Config, *keys: str) -> Iterator[str]:
    for entry in config.all(*keys):
        yield from (name for part in entry.value.split(",") if (name := part.strip()))
