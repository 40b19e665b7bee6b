"""The parameters of ``uProcessWatch``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import bite, is_number, truth

MAPPED = (
    "PROC_WATCH_SUMMARY",
    "PROC_WATCH_FULL_SUMMARY",
    "PROC_WATCH_ALL_OK",
    "PROC_WATCH_EVENT",
    "PROC_WATCH_TIME_WARP",
)
PARAMETERS = (
    Parameter("watch", "", "pX, pX:VAR (VAR says true or false) or pX*; comma list; repeatable"),
    Parameter("nowatch", "", "pX or pX*, unless watched by name; comma list; repeatable"),
    Parameter("watch_all", "true", "true, false, antler (launch list) or dbclients"),
    Parameter("summary_wait", "-1", "time after which an unchanged summary is posted again [s]"),
    Parameter(
        "allow_retractions", "true", "whether a warning goes when the process is back; or [s]"
    ),
    Parameter("post_mapping", "", "VAR,NEW: post NEW in place of VAR; repeatable"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says.

    Attributes:
        named: watched whatever nowatch says: process -> variable that tells of it, or "".
        included, excluded: beginnings of names ("pX" of "pX*") or whole ones.
        launched: whether the launch list is watched; connected: whether all clients are.
        repeat: seconds after which a summary is posted again; inf: never.
        retract_within: longest absence after which a warning is taken back [s].
        names: variable -> what is posted in its place.
    """

    named: dict[str, str]
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    excluded_starts: tuple[str, ...]
    launched: bool
    connected: bool
    repeat: float
    retract_within: float
    names: dict[str, str]

    def wants(self, process: str) -> bool:
        """Whether a process that is there is watched."""
        if process in self.named or process.startswith(self.included):
            return True
        return self.connected and self.admits(process)

    def admits(self, process: str) -> bool:
        """Whether nowatch leaves a process alone."""
        return process not in self.excluded and not process.startswith(self.excluded_starts)


def read_options(config: Config) -> Options:
    """Read a block.

    Raises:
        ConfigError: a line is wrong.
    """
    watched = list(_items(config.all("watch")))
    excluded = list(_items(config.all("nowatch")))
    words = ("true", "false", "antler", "dbclients", "db_clients")
    watch_all = config.choice("watch_all", default="true", among=words)
    repeat = config.number("summary_wait", default=-1.0)
    return Options(
        named=dict(bite(item, ":") for item in watched if not item.endswith("*")),
        included=_starts(watched),
        excluded=tuple(item for item in excluded if not item.endswith("*")),
        excluded_starts=_starts(excluded),
        launched=watch_all in ("true", "antler"),
        connected=watch_all not in ("false", "antler"),
        repeat=repeat if repeat >= 0 else inf,
        retract_within=_read_retractions(config),
        names=_read_mapping(config),
    )


def _items(lines: Iterable[Entry]) -> Iterable[str]:
    for entry in lines:
        for item in entry.value.split(","):
            name = ":".join(part.strip() for part in item.split(":"))
            if not name or any(char.isspace() for char in name):
                raise Config.error(entry, "expected names of processes without blanks")
            yield name


def _starts(items: list[str]) -> tuple[str, ...]:
    return tuple(item[:-1] for item in items if item.endswith("*"))


def _read_retractions(config: Config) -> float:
    entry = config.entry("allow_retractions")
    if entry is None:
        return inf
    allowed = truth(entry.value)
    if allowed is not None:
        return inf if allowed else -1.0
    if not is_number(entry.value):
        raise Config.error(entry, "expected true, false or a number of seconds")
    return float(entry.value)


def _read_mapping(config: Config) -> dict[str, str]:
    names = {name: name for name in MAPPED}
    for entry in config.all("post_mapping"):
        old, new = bite(entry.value, ",")
        if old not in names or not new or " " in new:
            raise Config.error(entry, f"expected VAR,NEW with VAR one of {', '.join(MAPPED)}")
        names[old] = new
    return names
