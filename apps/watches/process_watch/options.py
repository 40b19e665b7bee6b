"""The parameters of ``uProcessWatch``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import inf

from steerageway.bus import Options, declare
from steerageway.moos.values import is_number, split_first, truth

MAPPED = (
    "PROC_WATCH_SUMMARY",
    "PROC_WATCH_FULL_SUMMARY",
    "PROC_WATCH_ALL_OK",
    "PROC_WATCH_EVENT",
    "PROC_WATCH_TIME_WARP",
)
WATCHED = ("true", "false", "antler", "dbclients")


def parse_names(text: str) -> list[str]:
    """Parse names of processes, separated by commas; also ``pX:VAR`` and ``pX*``.

    Raises:
        ValueError: a name is invalid.
    """
    names = [":".join(part.strip() for part in item.split(":")) for item in text.split(",")]
    if any(not name or any(char.isspace() for char in name) for name in names):
        raise ValueError("expected names of processes without blanks")
    return names


def parse_watch_all(text: str) -> str:
    """Parse ``watch_all``, a word of ``WATCHED``.

    Raises:
        ValueError: it is unknown.
    """
    word = text.strip().lower().replace("db_clients", "dbclients")
    if word not in WATCHED:
        raise ValueError(f"expected one of {', '.join(WATCHED)}")
    return word


def parse_retractions(text: str) -> float:
    """Parse true, false or seconds: the maximum absence after which a warning is retracted [s].

    Raises:
        ValueError: the text has another form.
    """
    allowed = truth(text)
    if allowed is not None:
        return inf if allowed else -1.0
    if not is_number(text):
        raise ValueError("expected true, false or a number of seconds")
    return float(text)


def parse_mapping(text: str) -> tuple[str, str]:
    """Parse ``VAR,NEW``.

    Raises:
        ValueError: the text has another form, or VAR is not published.
    """
    old, new = split_first(text, ",")
    if old not in MAPPED or not new or " " in new:
        raise ValueError(f"expected VAR,NEW with VAR one of {', '.join(MAPPED)}")
    return old, new


@dataclass(frozen=True)
class WatchOptions(Options):
    """Parameters of the configuration block."""

    watch: tuple[list[str], ...] = declare.lines(
        parse_names, "pX, pX:VAR (VAR: true while pX is present) or pX*; comma list"
    )
    nowatch: tuple[list[str], ...] = declare.lines(
        parse_names, "pX or pX* to exclude, unless watched by name; comma list"
    )
    watch_all: str = declare.value(
        "true",
        parse_watch_all,
        "other processes to watch: true, false, antler (launch list) or dbclients",
    )
    summary_wait: float = declare.number(
        -1, "time after which an unchanged summary is posted again; below 0: never", unit="s"
    )
    allow_retractions: float = declare.value(
        "true",
        parse_retractions,
        "true: retract the warning when the process is back; or up to this absence [s]",
    )
    post_mapping: tuple[tuple[str, str], ...] = declare.lines(
        parse_mapping, "VAR,NEW: post NEW instead of VAR"
    )

    @property
    def repeat(self) -> float:
        """Time after which a summary is posted again [s]; inf: never."""
        return self.summary_wait if self.summary_wait >= 0 else inf

    @property
    def names(self) -> dict[str, str]:
        """Variable -> its name after ``post_mapping``."""
        return {name: name for name in MAPPED} | dict(self.post_mapping)


class Selection:
    """Selects the processes to watch.

    Attributes:
        named: watched regardless of nowatch: process -> variable of its presence, or "".
        launched: whether the launch list is watched.
    """

    def __init__(self, options: WatchOptions) -> None:
        watched, excluded = list(chain(*options.watch)), list(chain(*options.nowatch))
        self.named = dict(split_first(item, ":") for item in watched if not item.endswith("*"))
        self.launched = options.watch_all in ("true", "antler")
        self._connected = options.watch_all in ("true", "dbclients")
        self._starts = _starts(watched)
        self._excluded = tuple(item for item in excluded if not item.endswith("*"))
        self._excluded_starts = _starts(excluded)

    def wants(self, process: str) -> bool:
        """Whether a connected process is watched."""
        if process in self.named or process.startswith(self._starts):
            return True
        return self._connected and self.admits(process)

    def admits(self, process: str) -> bool:
        """Whether a process is not excluded by nowatch."""
        return process not in self._excluded and not process.startswith(self._excluded_starts)


def _starts(items: list[str]) -> tuple[str, ...]:
    return tuple(item[:-1] for item in items if item.endswith("*"))
