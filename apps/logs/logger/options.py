"""What the logger's block of a mission file says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from steerageway.apps.logs.logger.selection import LogRequest, Selection, parse_request
from steerageway.bus import Config, Entry, Parameter, nanoseconds
from steerageway.moos.values import bite, is_number, truth

LEAST_SYNC_PERIOD = 0.1
DEFAULT_SYNC_PERIOD = 1.0
SUMMARY_FILE = "./.LastOpenedMOOSLogDirectory"

PARAMETERS = (
    Parameter("AsyncLog", "true", "write the .alog: an entry for each message"),
    Parameter(
        "SyncLog",
        "false",
        "true or true @ PERIOD: write the .slog, a table with a row each PERIOD (1) [s], >= 0.1",
    ),
    Parameter(
        "Log",
        "",
        "VAR @ PERIOD [NOSYNC] [MONITOR]; repeatable: log VAR at most once each PERIOD (2) [s], "
        "0 for every message; NOSYNC: it is no column of the .slog; MONITOR: report its absence",
    ),
    Parameter(
        "WildCardLogging",
        "false",
        "log every variable from its first value on; true if the logger has no block",
    ),
    Parameter("WildCardPattern", "*", "names, with * and ?, by commas; repeatable: only these"),
    Parameter("WildCardOmitPattern", "", "names, with * and ?, by commas; repeatable: not these"),
    Parameter("WildCardExclusionLog", "false", "write what is left out to the .xlog"),
    Parameter("File", "MOOSLog", "first part of the names of the folder and of the files in it"),
    Parameter(
        "Path",
        "./",
        "folder inside the folder of this run's logs (launch.py --log); one outside it is not "
        "followed. The global line GlobalLogPath comes before it",
    ),
    Parameter("FileTimeStamp", "true", "add date and time (UTC, of the mission) to the names"),
    Parameter("UTCLogDirectories", "false", "without effect: names are always in UTC"),
    Parameter("DoublePrecision", "5", "decimals of numbers in the .alog, 0 to 16"),
    Parameter("LogAuxSrc", "false", "write sources with their remark: pHelmIvP:120:waypt_survey"),
    Parameter(
        "MarkExternalCommunityMessages",
        "false",
        "write @COMMUNITY after the source of what came from another community",
    ),
    Parameter("MarkDataType", "false", "write D: before numbers and S: before texts"),
    Parameter("CompressAlogs", "false", "write .alog.gz and .xlog.gz instead of .alog and .xlog"),
    Parameter(
        "DynamicSyncLogColumns",
        "0",
        "columns of the .slog kept free for PLOGGER_CMD = LOG_REQUEST = VAR @ PERIOD",
    ),
    Parameter(
        "LoggingDirectorySummaryFile",
        SUMMARY_FILE,
        "file inside the folder of this run's logs that names the latest session's folder",
    ),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The logger's parameters, read and checked.

    Attributes:
        selection: which variables are logged.
        file: first part of all names.
        folder: where sessions go, below the folder of this run's logs; "" or "a/b/".
        summary: file that names the latest session's folder, likewise below it.
        stamped: whether names carry date and time.
        precision: decimals of numbers.
        aux, marks, external: what entries carry besides.
        compressed: whether the .alog and the .xlog are compressed.
        sync_period: of the .slog [ns]; 0: there is none.
        reserved: columns of the .slog kept free.
    """

    selection: Selection
    file: str
    folder: str
    summary: str
    stamped: bool
    precision: int
    aux: bool
    marks: bool
    external: bool
    compressed: bool
    sync_period: int
    reserved: int


def read_options(config: Config, world: Config, warn: Callable[[str, str], None]) -> Options:
    """Read the logger's block.

    Args:
        config: the block.
        world: the lines of the whole file, for GlobalLogPath.
        warn: is told what is accepted but not followed.
    Raises:
        ConfigError: a line is wrong.
    """
    config.flag("UTCLogDirectories", default=False)
    own_path = config.entry("Path")
    path = world.entry("GlobalLogPath") or own_path
    return Options(
        selection=_selection(config, warn),
        file=_file(config),
        folder=_inside(path, "", warn),
        summary=_inside(config.entry("LoggingDirectorySummaryFile"), SUMMARY_FILE, warn),
        stamped=config.flag("FileTimeStamp", default=True),
        precision=config.whole("DoublePrecision", default=5, low=0, high=16),
        aux=config.flag("LogAuxSrc", default=False),
        marks=config.flag("MarkDataType", default=False),
        external=config.flag("MarkExternalCommunityMessages", default=False),
        compressed=config.flag("CompressAlogs", default=False),
        sync_period=nanoseconds(_sync_period(config, warn)),
        reserved=config.whole("DynamicSyncLogColumns", default=0, low=0, high=255),
    )


def _selection(config: Config, warn: Callable[[str, str], None]) -> Selection:
    wildcard = config.flag("WildCardLogging", default=not config.entries)
    selection = Selection(
        asynchronous=config.flag("AsyncLog", default=True) or wildcard,
        wildcard=wildcard,
        accepted=_patterns(config, "WildCardPattern"),
        omitted=_patterns(config, "WildCardOmitPattern"),
        exclusions=config.flag("WildCardExclusionLog", default=False),
    )
    for entry, request in config.readable("Log", read=_request):
        if request.name in selection.requests:
            warn(f"Log = {entry.value}: asked for before, this line is not followed", entry.where)
        else:
            selection.requests[request.name] = request
    return selection


def _request(entry: Entry) -> tuple[Entry, LogRequest]:
    try:
        return entry, parse_request(entry.value)
    except ValueError:
        raise Config.error(entry, "expected VAR @ PERIOD [NOSYNC] [MONITOR]") from None


def _patterns(config: Config, key: str) -> tuple[str, ...]:
    words = [word.strip() for entry in config.all(key) for word in entry.value.split(",")]
    return tuple(word for word in words if word)


def _file(config: Config) -> str:
    entry = config.entry("File")
    if entry is None:
        return "MOOSLog"
    if not entry.value or any(sign in entry.value for sign in "/\\") or entry.value in (".", ".."):
        raise config.error(entry, "expected the first part of a file's name, without folders")
    return entry.value


def _inside(entry: Entry | None, default: str, warn: Callable[[str, str], None]) -> str:
    """Give a path below the folder of this run's logs; one that leads out of it is not taken."""
    if entry is None:
        return default
    path = PurePosixPath(entry.value)
    if path.is_absolute() or ".." in path.parts or entry.value.startswith("~"):
        warn(
            f"{entry.key} = {entry.value}: logs stay in the folder of this run's "
            "logs, this line is not followed",
            entry.where,
        )
        return default
    return path.as_posix()


def _sync_period(config: Config, warn: Callable[[str, str], None]) -> float:
    """Give the .slog's period [s]; 0 if there is to be none."""
    entry = config.entry("SyncLog")
    if entry is None:
        return 0.0
    word, text = bite(entry.value, "@")
    if truth(word) is None or (text and not is_number(text)):
        raise config.error(entry, "expected true, false or true @ PERIOD")
    period = float(text) if text else DEFAULT_SYNC_PERIOD
    if period < LEAST_SYNC_PERIOD:
        warn(f"SyncLog = {entry.value}: a row each {LEAST_SYNC_PERIOD} s at most", entry.where)
        period = LEAST_SYNC_PERIOD
    return period if truth(word) else 0.0
