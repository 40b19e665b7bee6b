"""The parameters of ``pLogger``, and the selection of variables made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from steerageway.apps.logs.logger.files import PartLimit, parse_part_limit
from steerageway.apps.logs.logger.selection import LogRequest, Selection, parse_request
from steerageway.apps.shared.block_readers import parse_file_name
from steerageway.bus import Config, Entry, Options, declare
from steerageway.declarations import truth
from steerageway.moos.values import is_number, split_first

MIN_SYNC_PERIOD = 0.1
DEFAULT_SYNC_PERIOD = 1.0
SUMMARY_FILE = "./.LastOpenedMOOSLogDirectory"

Request = tuple[Entry, LogRequest]
Warn = Callable[[str, str], None]
"""Reports a suspicious setting, and its line."""


def read_requests(config: Config, names: Sequence[str]) -> list[Request]:
    """Read the variables to log, each with its line; invalid lines are left out."""
    return config.readable(*names, read=_request)


def _request(entry: Entry) -> Request:
    try:
        return entry, parse_request(entry.value)
    except ValueError:
        raise Config.error(entry, "expected VAR @ PERIOD [NOSYNC] [MONITOR]") from None


@dataclass(frozen=True)
class LoggerOptions(Options):
    """Parameters of the configuration block."""

    entries: bool = declare.flag(
        True, "write the .alog: an entry for each message", name="AsyncLog"
    )
    sync: Entry | None = declare.line(
        "true or true @ PERIOD: write the .slog, a table with a row every PERIOD (1) [s], >= 0.1",
        default="false",
        name="SyncLog",
    )
    requests: list[Request] = declare.custom(
        read_requests,
        "VAR @ PERIOD [NOSYNC] [MONITOR]; repeatable: log VAR at most once per PERIOD (2) [s], "
        "0: every message; NOSYNC: not a column of the .slog; MONITOR: report its absence",
        name="Log",
    )
    wildcard: bool = declare.flag(
        False,
        "log every variable from its first value; true if the logger has no block",
        name="WildCardLogging",
    )
    accepted: tuple[str, ...] = declare.words(
        "*", "names or patterns to log", name="WildCardPattern"
    )
    omitted: tuple[str, ...] = declare.words(
        "", "names or patterns not to log", name="WildCardOmitPattern"
    )
    exclusions: bool = declare.flag(
        False, "write the omitted messages to the .xlog", name="WildCardExclusionLog"
    )
    file: str = declare.value(
        "MOOSLog",
        parse_file_name,
        "first part of the names of the session's folder and files",
        name="File",
    )
    path: Entry | None = declare.line(
        "subfolder of this run's log folder (--log); a path outside it is "
        "ignored. The global line GlobalLogPath overrides it",
        default="./",
        name="Path",
    )
    stamped: bool = declare.flag(
        True, "add the mission's date and time (UTC) to the names", name="FileTimeStamp"
    )
    utc_folders: bool = declare.flag(
        False, "no effect: names are always in UTC", name="UTCLogDirectories"
    )
    precision: int = declare.whole(
        5, "decimals of numbers in the .alog", low=0, high=16, name="DoublePrecision"
    )
    aux: bool = declare.flag(
        False, "write the source-aux after the source: pHelmIvP:120:waypt_survey", name="LogAuxSrc"
    )
    external: bool = declare.flag(
        False,
        "write @COMMUNITY after the source of messages from another community",
        name="MarkExternalCommunityMessages",
    )
    marks: bool = declare.flag(
        False, "write D: before numbers and S: before texts", name="MarkDataType"
    )
    compressed: bool = declare.flag(
        False, "write .alog.gz and .xlog.gz instead of .alog and .xlog", name="CompressAlogs"
    )
    limit: PartLimit | None = declare.value(
        "",
        parse_part_limit,
        "begin another part of the .alog after so many kB, MB or GB, or every so many s, min or h "
        "of log time; empty: one file",
        name="LogSize",
    )
    mcap: bool = declare.flag(
        False, "write the .alog also as .mcap, for Foxglove and other tools", name="McapLog"
    )
    reserved: int = declare.whole(
        0,
        "columns of the .slog reserved for PLOGGER_CMD = LOG_REQUEST = VAR @ PERIOD",
        low=0,
        high=255,
        name="DynamicSyncLogColumns",
    )
    summary: Entry | None = declare.line(
        "file in this run's log folder that names the latest session's folder",
        default=SUMMARY_FILE,
        name="LoggingDirectorySummaryFile",
    )


def selection_of(options: LoggerOptions, warn: Warn, *, wildcard: bool) -> Selection:
    """Return what is logged.

    Args:
        warn: called for duplicate requests.
        wildcard: whether every variable is logged.
    """
    selection = Selection(
        asynchronous=options.entries or wildcard,
        wildcard=wildcard,
        accepted=options.accepted,
        omitted=options.omitted,
        exclusions=options.exclusions,
    )
    for entry, request in options.requests:
        if request.name in selection.requests:
            warn(f"Log = {entry.value}: asked for before, this line is not followed", entry.where)
        else:
            selection.requests[request.name] = request
    return selection


def inside(entry: Entry | None, default: str, warn: Warn) -> str:
    """Return a path below this run's log folder; the default for a path outside it.

    Args:
        warn: called for such a path.
    """
    if entry is None:
        return default
    path = PurePosixPath(entry.value)
    if path.is_absolute() or ".." in path.parts or entry.value.startswith("~"):
        warn(
            f"{entry.key} = {entry.value}: logs stay in the folder of this run's logs, "
            "this line is not followed",
            entry.where,
        )
        return default
    return path.as_posix()


def sync_period(entry: Entry | None, warn: Warn) -> float:
    """Return the .slog's period [s]; 0: no .slog.

    Args:
        warn: called for a word that is neither true nor false, or a period that is too short.
    """
    if entry is None:
        return 0.0
    word, text = split_first(entry.value, "@")
    known = truth(word) is not None and (not text or is_number(text))
    if not known:
        # pLogger of MOOS takes every word but true for false, and no number for 0
        counts = f"true @ {MIN_SYNC_PERIOD}" if truth(word) else "false"
        expected = f"expected true, false or true @ PERIOD; {counts} counts"
        warn(f"SyncLog = {entry.value}: {expected}", entry.where)
    if not truth(word):
        return 0.0
    period = float(text if known else 0) if text else DEFAULT_SYNC_PERIOD
    if known and period < MIN_SYNC_PERIOD:
        warn(f"SyncLog = {entry.value}: a row each {MIN_SYNC_PERIOD} s at most", entry.where)
    return max(period, MIN_SYNC_PERIOD)
