"""``steerageway app NAME --replay LOG``: runs an app again on the mail recorded in a log."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from re import compile as regular
from tempfile import TemporaryDirectory

from steerageway.apps.shared.building import plan_app, setting_for
from steerageway.apps.shared.log_files import log_at
from steerageway.apps.shared.registry import BROKER, base_name, why_skipped
from steerageway.apps.shared.rerun import Comparison, Record, compare
from steerageway.apps.shared.terminal import say
from steerageway.apps.shared.user_code import check_no_code
from steerageway.bus import App, AppPlan, BusError, ConfigError, Message, nanoseconds
from steerageway.diagnostics.nearest import nearest
from steerageway.diagnostics.source_map import Origin, SourceMap
from steerageway.moos.alog import (
    COMMENT,
    DATABASE,
    posted_value,
    read_banner,
    read_entries,
    whole_lines,
)
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import file_bytes
from steerageway.moos.mission import MissionFile, parse_mission, read_mission

SAME, DIFFERENT, WRONG = 0, 1, 2
ALL_DECIMALS = 16
OF_COPIES = (
    " (in the copies beside the log; a mission file before --replay is used instead of its copy)"
)
PYTHON = "Python that a log names is not run; a mission file before --replay may name it"
_NUMBER = regular(rb" DB_UPTIME +\S+ +(?:D:)?\d+\.?(\d*)")


def replay(kind: type[App], options: Namespace) -> int:
    """Run an app on a log, and print whether its posts are the same.

    Args:
        kind: the app's class.
        options: of its command line: ``replay``, ``mission``, ``name`` and ``seed`` are used.
    Returns: the exit code: 0 the same, 1 different, 2 an error.
    """
    hint = ""
    with TemporaryDirectory() as folder:
        try:
            record = read_record(log_at(options.replay))
            given = options.mission
            mission = read_mission(given) if given else mission_beside(record.path, Path(folder))
            hint = "" if given else OF_COPIES
            starts = _starts(mission, options.name, given or record.path.parent)
            plan = _plan(kind, mission, options, record, starts, Path(folder))
            found = compare(plan, record, starts)
        except (BusError, ValueError, OSError) as error:
            say(f"{error}{hint}", to=sys.stderr)
            return WRONG
    say(*report_lines(options.name, found))
    if found.difference and record.decimals < ALL_DECIMALS:
        say(f"the log has {record.decimals} decimals; DoublePrecision = 16 for pLogger keeps all")
    return DIFFERENT if found.difference else SAME


def report_lines(name: str, found: Comparison) -> Iterator[str]:
    """Yield the result of a comparison as text."""
    if found.unmatched:
        yield f"not in the log, so not delivered to {name}: {', '.join(found.unmatched)}"
    if found.unlogged:
        yield f"not in the log, so not compared: {', '.join(found.unlogged)}"
    if found.difference is not None:
        yield f"{found.posts} posts are the same"
        yield str(found.difference)
    else:
        yield f"no difference in {found.posts} posts"


def _starts(mission: MissionFile, name: str, where: Path) -> dict[str, int]:
    """Return when each app of a launch list starts [ns].

    Args:
        mission: the file with the launch list.
        name: the app to replay.
        where: the user's file, or the folder of the copy.

    Raises:
        ConfigError: the app to replay is not in the launch list.
    """
    antler = mission.antler()
    starts = {
        run.alias: antler.start_of(run)
        for run in antler.runs
        if base_name(run.process) != BROKER and not why_skipped(run.process)
    }
    if name not in starts:
        expected = f"expected an app of the launch list; {nearest(name, starts)}"
        raise ConfigError(str(where), "Run", name, expected)
    return starts


def _plan(
    kind: type[App],
    mission: MissionFile,
    options: Namespace,
    record: Record,
    starts: Mapping[str, int],
    folder: Path,
) -> AppPlan:
    """Plan the app as in the recorded run.

    Args:
        folder: holds the copies of the mission's files under their own names; what the app writes
            goes there, too, and is deleted with it.
    """
    logs = folder / "logs"
    logs.mkdir()
    read = setting_for(kind, mission, options.name)
    if not options.mission:
        check_no_code(read, PYTHON)
    setting = replace(
        read,
        community=record.community,
        log_folder=logs,
        sources=SourceMap(folder=folder),  # messages name a copy as the mission names the file
        launch_list=tuple(starts),
        seed=options.seed,
        epoch=record.epoch,
    )
    return plan_app(kind, setting, start=starts[options.name])


def read_record(path: Path) -> Record:
    """Read a log.

    Raises:
        FormatError: the file is no log, contains several cases, or lacks its start time.
    """
    decimals = ALL_DECIMALS
    for raw in whole_lines(path):
        if raw.startswith(f"{COMMENT} CASE".encode()):
            raise FormatError(str(path), "", "", "expected the log of one case; this has several")
        if number := _NUMBER.search(raw):
            decimals = len(number[1])
    entries = list(read_entries(path))
    began = next((e for e in entries if e.name == "DB_UPTIME" and isinstance(e.value, float)), None)
    if began is None:
        raise FormatError(str(path), "DB_UPTIME", "", "expected a log of everything")
    offset, community = float(began.value) - began.time, began.source.removeprefix(DATABASE)
    messages, reached = [], 0
    for name_time, name, value, source, aux, sender in entries:
        time = round(name_time + offset, 5)
        reached = max(reached, nanoseconds(time))  # a stamp may be earlier than its post
        known = posted_value(path, value)
        messages.append(Message(name, known, time, source, aux, sender or community, reached))
    epoch = round(read_banner(path).start - offset, 5)
    return Record(path, messages, community, epoch, decimals)


def mission_beside(log: Path, folder: Path) -> MissionFile:
    """Return the recorded mission, from the copies that the logger keeps next to a log.

    Args:
        log: the log.
        folder: where the copies are written under their original names.
    Raises:
        FormatError: there is no such copy.
        ValueError: one is too large.
    """
    for copy in log.parent.glob("*._*"):
        if copy.is_file() and not copy.is_symlink():
            (folder / f"{copy.stem}.{copy.suffix[2:]}").write_bytes(file_bytes(copy))
    found = sorted(folder.glob("*.moos"))
    if len(found) != 1:
        raise FormatError(str(log.parent), "", "", "expected the copy of a mission file in it")
    text = found[0].read_text(encoding="utf-8", errors="surrogateescape")
    # Blank out the logger's banner, and keep the line numbers of the copy.
    lines = ["" if line.startswith(COMMENT) else line for line in text.split("\n")]
    found[0].write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    return parse_mission("\n".join(lines), str(found[0]), origin=Origin(found[0].name))
