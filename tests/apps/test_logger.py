"""The logger: selection, files and format of messages, and the behavior on a full disk."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from steerageway.apps.logs.logger.app import Logger
from steerageway.apps.logs.logger.files import LogError
from steerageway.bus import NANO, Answer, Config, ConfigError, Kind, Message, Row, Runner, Setting
from steerageway.moos.alog import Entry, read_banner, read_entries
from steerageway.moos.mission import read_mission

EPOCH = 1780364319.0  # 2026-06-02 01:38:39 UTC
STEM = "MOOSLog_2_6_2026_____01_38_39"
PEER_MISSION = Path(__file__).parents[1] / "reference" / "s1_alpha" / "alpha.moos"
WILDCARD = "WildCardLogging = true"


class Rig:
    """A logger driven by hand: times are in seconds."""

    def __init__(
        self, folder: Path | None, *lines: str, start: float = 0.0, world: Sequence[str] = ()
    ) -> None:
        self.folder = folder
        self.app = Logger(
            Setting(
                name="pLogger",
                community="alpha",
                config=config(lines),
                globals=config(world),
                file=PEER_MISSION,
                folder=PEER_MISSION.parent,
                log_folder=folder,
                epoch=EPOCH,
            )
        )
        self.app.configure()
        self.runner = Runner(self.app)
        self.started = self._run(Kind.START, start)
        self.asked = self.started[1]

    def tick(self, time: float, *mail: Message) -> list[Row]:
        return list(self._run(Kind.ITERATE, time, *mail)[0])

    def ticks(self, grants: Iterable[Sequence[Message]]) -> None:
        for second, messages in enumerate(grants, 1):
            self.tick(second, *messages)

    def stop(self, time: float, *mail: Message) -> None:
        self._run(Kind.STOP, time, *mail)

    def read(self, suffix: str, stem: str = STEM) -> str:
        assert self.folder is not None
        return (self.folder / stem / f"{stem}{suffix}").read_text()

    def entries(self, suffix: str = ".alog", stem: str = STEM) -> list[Entry]:
        assert self.folder is not None
        return list(read_entries(self.folder / stem / f"{stem}{suffix}"))

    def names(self, suffix: str = ".alog") -> list[str]:
        return [entry.name for entry in self.entries(suffix)]

    def _run(self, kind: Kind, time: float, *mail: Message) -> Answer:
        return self.runner.run(kind, round(time * NANO), mail)


def config(lines: Sequence[str]) -> Config:
    parts = [line.partition("=") for line in lines]
    return Config(
        (key.strip(), value.strip(), f"m.moos:{number}")
        for number, (key, _, value) in enumerate(parts, 1)
    )


def mail(name: str, value: float | str | bytes, time: float = 0.0, aux: str = "") -> Message:
    return Message(name, value, time, "pApp", aux, "alpha", round(time * NANO))


def posts_of(posts: Sequence[Row], name: str) -> list[object]:
    return [value for posted, value, _, _ in posts if posted == name]


def test_wildcard_registers_for_everything_at_the_start(tmp_path: Path) -> None:
    assert [r.pattern for r in Rig(tmp_path, WILDCARD).asked] == ["*"]
    assert [r.pattern for r in Rig(tmp_path / "bare").asked] == ["*"]


def test_named_variables_alone_are_registered_with_their_periods(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "Log = NAV_X @ 0.5 NOSYNC", "Log = NAV_Y")
    requested = {r.pattern: r.interval for r in rig.asked}
    assert requested == {
        "MOOS_DEBUG": 0.0,
        "MOOS_SYSTEM": 0.0,
        "PLOGGER_CMD": 0.0,
        "LOGGER_RESTART": 0.0,
        "NAV_X": 0.5,
        "NAV_Y": 2.0,
    }
    rig.tick(0.2, mail("NAV_X", 1.0), mail("OTHER", 2.0), mail("MOOS_DEBUG", "note"))
    assert rig.names() == ["NAV_X", "MOOS_DEBUG"]


def test_every_message_is_an_entry_in_order_with_time_since_the_start(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, start=0.2)
    rig.tick(0.5, mail("B", 1.5, 0.1), mail("A", "two words", 0.3), mail("B", 2.5, 0.45))
    assert rig.entries() == [
        Entry(-0.1, "B", 1.5, "pApp"),
        Entry(0.1, "A", "two words", "pApp"),
        Entry(0.25, "B", 2.5, "pApp"),
    ]
    banner = read_banner(tmp_path / STEM / f"{STEM}.alog")
    assert banner.start == EPOCH + 0.2
    assert banner.file == f"./{STEM}/{STEM}.alog"


def test_patterns_choose_among_wildcard_variables(tmp_path: Path) -> None:
    patterns = ("WildCardPattern = NAV_*, A?", "WildCardOmitPattern = *_Y", "Log = Z_Y @ 0")
    rig = Rig(tmp_path, WILDCARD, *patterns)
    rig.tick(1.0, *(mail(name, 1.0) for name in ("NAV_X", "NAV_Y", "A1", "A12", "Z_Y")))
    assert rig.names() == ["NAV_X", "A1", "Z_Y"]


def test_left_out_variables_go_to_the_exclusion_log(tmp_path: Path) -> None:
    lines = ("WildCardExclusionLog = true", "WildCardOmitPattern = *_STATUS")
    rig = Rig(tmp_path, WILDCARD, *lines)
    rig.tick(1.0, mail("NAV_X", 1.0), mail("A_STATUS", "ok"), mail("MISSION_FILE", "text"))
    assert rig.names() == ["NAV_X"]
    assert rig.names(".xlog") == ["A_STATUS", "MISSION_FILE"]


def test_without_exclusion_log_excluded_variables_are_not_logged(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "WildCardOmitPattern = A")
    rig.tick(1.0, mail("A", 1.0))
    assert rig.names() == []
    assert not (tmp_path / STEM / f"{STEM}.xlog").exists()
    assert "Left out:   A" in rig.app.report()


def test_period_thins_also_under_the_wildcard(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "Log = X @ 1 NOSYNC", "Log = Y @ 0 NOSYNC")
    rig.tick(3.0, *(mail(name, 1.0, t / 4) for t in range(9) for name in "XY"))
    assert [entry.time for entry in rig.entries() if entry.name == "X"] == [0.0, 1.0, 2.0]
    assert rig.names().count("Y") == 9


def test_async_log_may_be_switched_off_unless_there_is_a_wildcard(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "a", "AsyncLog = false", "Log = X @ 0")
    rig.tick(1.0, mail("X", 1.0))
    assert rig.entries() == []
    rig = Rig(tmp_path / "b", "AsyncLog = false", WILDCARD)
    rig.tick(1.0, mail("X", 1.0))
    assert rig.names() == ["X"]


def test_without_a_folder_nothing_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rig = Rig(None, WILDCARD, "SyncLog = true")
    assert not rig.asked
    rig.tick(1.0, mail("X", 1.0), mail("PLOGGER_CMD", "COPY_FILE_REQUEST = alpha.bhv"))
    rig.stop(2.0)
    assert list(tmp_path.iterdir()) == []


def test_entry_options_reach_the_log(tmp_path: Path) -> None:
    lines = ("LogAuxSrc = true", "MarkDataType = true", "DoublePrecision = 2")
    rig = Rig(tmp_path, WILDCARD, *lines, "MarkExternalCommunityMessages = true")
    foreign = mail("C", 1.0)._replace(community="shore")
    rig.tick(1.0, mail("A", 1.234, aux="7:wp"), mail("B", "5"), foreign)
    rows = [line.split() for line in rig.read(".alog").splitlines() if line[0] != "%"]
    assert [row[2:] for row in rows] == [
        ["pApp:7:wp", "D:1.23"],
        ["pApp", "S:5"],
        ["pApp@shore", "D:1.00"],
    ]
    assert "%% DATATYPE MARKING ON" in rig.read(".alog")


def test_comments_and_communities_are_left_out_by_default(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    rig.tick(1.0, mail("A", 1.0, aux="7:wp")._replace(community="shore"))
    assert rig.entries() == [Entry(0.0, "A", 1.0, "pApp")]


def test_a_binary_value_is_found_at_its_logged_position(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    values = [b"\x00\n\xff", b"more"]
    rig.tick(1.0, *(mail("PICTURE", value, 0.5) for value in values))
    for entry, value in zip(rig.entries(), values, strict=True):
        assert isinstance(entry.value, str)
        place = entry.value.removeprefix("<MOOS_BINARY>").removesuffix("</MOOS_BINARY>")
        fields = dict(field.split("=") for field in place.split(","))
        blog = (tmp_path / STEM / fields["File"]).read_bytes()
        assert blog[int(fields["Offset"]) :][: int(fields["Bytes"])] == value
    assert blog.startswith(b"0.50000         PICTURE              pApp            \x00")


def test_compressed_log_holds_the_same_lines(tmp_path: Path) -> None:
    plain, packed = (
        Rig(tmp_path / "a", WILDCARD),
        Rig(tmp_path / "b", WILDCARD, "CompressAlogs=yes"),
    )
    for rig in (plain, packed):
        rig.tick(1.0, mail("X", 1.0))
        rig.tick(2.0, mail("Y", "text"))
    assert packed.entries(".alog.gz") == plain.entries()  # readable before it is finished
    packed.stop(3.0, mail("Z", 3.0))
    assert [entry.name for entry in packed.entries(".alog.gz")] == ["X", "Y", "Z"]


def test_system_log_holds_debug_messages_in_the_reference_format(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, start=0.5)
    rig.tick(
        2.0, mail("MOOS_DEBUG", "a\nnote", 1.75), mail("MOOS_SYSTEM", 2.5, 2.0), mail("X", 1.0)
    )
    assert rig.read(".ylog").splitlines()[5:] == [
        "1.25       MOOS_DEBUG           pApp                 anote                ",
        "1.5        MOOS_SYSTEM          pApp                 2.5                  ",
    ]


def test_mission_file_is_kept_behind_a_banner(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    banner, copy = rig.read("._moos").split("%" * 59 + "\n")[1:]
    assert f"{STEM}._moos" in banner
    assert copy == PEER_MISSION.read_text()


def test_files_are_copied_on_request(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    rig.tick(1.0, mail("PLOGGER_CMD", "COPY_FILE_REQUEST = alpha.bhv"))
    copy = tmp_path / STEM / "alpha._bhv"
    assert copy.read_bytes() == (PEER_MISSION.parent / "alpha.bhv").read_bytes()


def test_impossible_commands_are_run_warnings(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    commands = ("COPY_FILE_REQUEST = none.bhv", "LOG_REQUEST = @", "SING", "LOG_REQUEST = A @ b")
    posts = rig.tick(1.0, *(mail("PLOGGER_CMD", command) for command in commands))
    assert posts_of(posts, "MOOS_DEBUG") == ["failed to open file for reading"]
    assert [warning.partition(":")[0] for warning in rig.app.run_warnings] == [
        "COPY_FILE_REQUEST = none.bhv",
        "LOG_REQUEST = @",
        "PLOGGER_CMD = SING",
        "LOG_REQUEST = A @ b",
    ]


def test_summary_file_names_the_latest_folder(tmp_path: Path) -> None:
    Rig(tmp_path, WILDCARD)
    summary = tmp_path / ".LastOpenedMOOSLogDirectory"
    assert summary.read_text() == f"LastOpenedLoggingDirectory=./{STEM}\n"
    Rig(tmp_path, WILDCARD, "File = B", "LoggingDirectorySummaryFile = last.txt")
    assert (tmp_path / "last.txt").read_text().startswith("LastOpenedLoggingDirectory=./B_2_6_2026")


def test_names_hold_the_missions_date_or_not(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "File = LOG_ALPHA", "FileTimeStamp = false")
    rig.tick(1.0, mail("X", 1.0))
    assert [entry.name for entry in rig.entries(stem="LOG_ALPHA")] == ["X"]
    assert {path.name for path in (tmp_path / "LOG_ALPHA").iterdir()} == {
        f"LOG_ALPHA{suffix}" for suffix in (".alog", ".ylog", ".blog", "._moos")
    }


def test_utc_switch_changes_no_name(tmp_path: Path) -> None:
    for word in ("true", "false"):
        Rig(tmp_path / word, WILDCARD, f"UTCLogDirectories = {word}")
        assert (tmp_path / word / STEM).is_dir()


def test_folder_stays_inside_the_runs_logs(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "a", WILDCARD, "Path = sub/logs/")
    assert posts_of(rig.started[0], "LOGGER_DIRECTORY") == [f"./sub/logs/{STEM}"]
    assert (tmp_path / "a/sub/logs" / STEM / f"{STEM}.alog").exists()
    for number, path in enumerate(("/tmp/elsewhere", "../up", "~/logs")):
        rig = Rig(tmp_path / str(number), WILDCARD, "Path = sub", world=[f"GlobalLogPath = {path}"])
        assert (tmp_path / str(number) / STEM).is_dir()
        assert rig.app.config_warnings[0].startswith(f"m.moos:1: GlobalLogPath = {path}: logs stay")


def test_existing_log_is_never_written_over(tmp_path: Path) -> None:
    first = Rig(tmp_path, WILDCARD)
    first.tick(1.0, mail("X", 1.0))
    with pytest.raises(LogError, match=r"\.alog: cannot write the log: there is one already"):
        Rig(tmp_path, WILDCARD)
    assert first.names() == ["X"]


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogError, match=f"file/{STEM}: cannot write the log: "):
        Rig(tmp_path / "file", WILDCARD)


def test_log_is_the_same_bytes_wherever_it_is_written(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two/deep"):
        rig = Rig(tmp_path / name, WILDCARD)
        rig.tick(1.0, mail("X", 1.0), *(mail(*post[:3]) for post in rig.started[0]))
        texts.append(rig.read(".alog"))
    assert texts[0] == texts[1]


def test_directory_is_announced_at_the_start_and_every_ten_seconds(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    assert posts_of(rig.started[0], "LOGGER_DIRECTORY") == [f"./{STEM}"]
    times = [t / 2 for t in range(1, 60) if posts_of(rig.tick(t / 2), "LOGGER_DIRECTORY")]
    assert times == [10.0, 20.0]


def test_absent_monitored_variables_are_reported_until_they_appear(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "Log = X @ 0 NOSYNC MONITOR", "Log = Y @ 0 NOSYNC, MONITOR")
    assert posts_of(rig.tick(9.0, mail("X", 1.0, 8.0)), "MOOS_DEBUG") == []
    absent = rig.tick(12.0)
    assert posts_of(absent, "MOOS_DEBUG") == ["1 monitored variable is not being logged"]
    assert list(rig.app.run_warnings) == ["monitored variable Y does not appear"]
    both = rig.tick(22.0)
    assert posts_of(both, "MOOS_DEBUG") == ["2 monitored variables are not being logged"]
    rig.tick(32.0, mail("X", 1.0, 31.0), mail("Y", 1.0, 31.0))
    assert rig.app.run_warnings == {}


def test_restart_begins_a_new_set_of_files(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD)
    posts = rig.tick(61.0, mail("X", 1.0, 60.0), mail("LOGGER_RESTART", 1.0, 60.5))
    rig.tick(62.0, mail("X", 2.0, 61.5))
    second = "MOOSLog_2_6_2026_____01_39_40"
    assert rig.names() == ["X", "LOGGER_RESTART"]
    assert rig.entries(stem=second) == [Entry(61.5, "X", 2.0, "pApp")]
    assert f"./{second}" in posts_of(posts, "LOGGER_DIRECTORY")
    assert posts_of(posts, "MOOS_DEBUG") == [f"Closing : {STEM}", f"Now Logging to : {second}"]


def test_restarts_of_one_second_do_not_share_files(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "File = A", "FileTimeStamp = false")
    for time in (1.0, 2.0):
        rig.tick(time, mail("LOGGER_RESTART", 1.0, time))
    assert {path.name for path in tmp_path.glob("A*")} == {"A", "A_2", "A_3"}


def test_restart_from_before_the_start_is_no_restart(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, start=5.0)
    rig.tick(6.0, mail("LOGGER_RESTART", 1.0, 4.0))
    assert [path.name for path in tmp_path.glob("MOOS*")] == ["MOOSLog_2_6_2026_____01_38_44"]


def test_case_is_marked_and_recorded_as_if_it_were_alone(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "Log = X @ 2 NOSYNC", start=1.0)
    rig.tick(5.0, mail("X", 1.0, 4.5))
    rig.app.on_case(2, 77)
    posts = rig.tick(5.5, mail("X", 2.0, 5.25))
    stem = "MOOSLog_2_6_2026_____01_38_40"
    assert posts_of(posts, "LOGGER_DIRECTORY") == posts_of(rig.started[0], "LOGGER_DIRECTORY")
    assert [entry.time for entry in rig.entries(stem=stem)] == [3.5, 4.25]
    lines = rig.read(".alog", stem).splitlines()
    assert lines[6] == "%% CASE number=2,seed=77,time=4.00000"


SYNC = ("SyncLog = true @ 1", "Log = NAV_X @ 0", "Log = MODE @ 0", "Log = NAV_Y @ 0 NOSYNC")


def test_sync_log_is_a_table_of_fresh_numbers(tmp_path: Path) -> None:
    rig = Rig(tmp_path, *SYNC, start=0.25)
    rig.tick(0.5, mail("NAV_X", 1.23456789, 0.5), mail("MODE", "DRIVE", 0.5))
    rig.tick(1.0, mail("NAV_X", 2.0, 1.0))
    rig.tick(1.5, mail("NAV_X", 3.0, 1.5))
    rig.tick(2.5)
    lines = rig.read(".slog").splitlines()
    labels = ["%% TIME", "NAV_X", "MODE"]
    assert lines[5:9] == ["%%   (1) TIME ", "%%   (2) NAV_X", "%%   (3) MODE", "%" * 56]
    assert [line.rstrip() for line in lines[9:]] == [
        columns(*labels),
        columns("%% TIME", "[   0.00]", "[   0.00]"),
        columns("0.25", "1.23457", "NaN"),
        columns(*labels),
        columns("%% TIME", "[   0.25]", "[   0.25]"),
        columns("1.25", "3", "NaN"),
        columns("2.25", "NaN", "NaN"),
    ]


def columns(*fields: str) -> str:
    return "".join(f"{field:<18} " for field in fields).rstrip()


def test_sync_log_repeats_its_labels_every_thirty_rows(tmp_path: Path) -> None:
    rig = Rig(tmp_path, *SYNC)
    for second in range(62):
        rig.tick(float(second + 1))
    lines = rig.read(".slog").splitlines()[11:]
    labels = [
        index for index, line in enumerate(lines) if line.startswith("%% TIME  ") and "N" in line
    ]
    assert labels == [1, 33, 65]


def test_variable_requested_later_takes_a_free_column(tmp_path: Path) -> None:
    rig = Rig(tmp_path, *SYNC, "DynamicSyncLogColumns = 1")
    _, requested, _ = rig.runner.run(
        Kind.ITERATE, NANO, [mail("PLOGGER_CMD", f"LOG_REQUEST = {name} @ 0.5") for name in "VW"]
    )
    assert [(r.pattern, r.interval) for r in requested] == [("V", 0.5), ("W", 0.5)]
    rig.tick(2.0, mail("V", 7.5, 2.0), mail("W", 8.5, 2.0))
    text = rig.read(".slog")
    assert f"%%   (4) {'V':<64}\n" in text
    assert text.splitlines()[-1].split() == ["2", "NaN", "NaN", "7.5"]
    assert rig.names() == ["V", "W"]


def test_reserved_columns_are_nan_until_claimed(tmp_path: Path) -> None:
    rig = Rig(tmp_path, *SYNC, "DynamicSyncLogColumns = 2")
    rig.tick(0.5)
    text = rig.read(".slog")
    assert f"%%   (5) {'DYNAMIC_1':<64}\n" in text
    assert text.splitlines()[-3].split() == ["0.5", *["NaN"] * 4]


def test_without_sync_log_there_is_no_slog(tmp_path: Path) -> None:
    Rig(tmp_path, WILDCARD, "SyncLog = false @ 1")
    assert not (tmp_path / STEM / f"{STEM}.slog").exists()


def test_sync_period_below_the_least_is_a_warning(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "SyncLog = true @ 0.01")
    assert rig.app.config_warnings == ["m.moos:1: SyncLog = true @ 0.01: a row each 0.1 s at most"]
    for tenth in range(1, 21):
        rig.tick(tenth / 20)
    rows = [line for line in rig.read(".slog").splitlines() if line[0] != "%"]
    assert len(rows) == 10


@pytest.mark.parametrize(
    "line",
    [
        "File = a/b",
        "DoublePrecision = 2.5",
        "DoublePrecision = 40",
        "WildCardLogging = 7",
        "CompressAlogs = zip",
    ],
)
def test_bad_line_is_an_error_that_names_it(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match=f"^m.moos:1: {line}: "):
        Rig(tmp_path, line)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    ["Log = @ 1", "Log = NAV_X @ soon", "Log = NAV_X @ -1", "Log = X = 1.0", "Log = X=1.0"],
)
def test_request_that_cannot_be_read_is_left_out_with_a_warning(tmp_path: Path, line: str) -> None:
    rig = Rig(tmp_path, line, "Log = NAV_Y @ 0")
    expected = "expected VAR @ PERIOD [NOSYNC] [MONITOR]; this line is left out"
    assert rig.app.config.warnings == [f"m.moos:1: {line}: {expected}"]
    assert list(rig.app._selection.requests) == ["NAV_Y"]


def test_extra_text_after_true_is_a_warning(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "AsyncLog = true @ 0", "Log = NAV_Y @ 0")
    expected = "expected true or false alone; true counts"
    assert rig.app.config.warnings == [f"m.moos:1: AsyncLog = true @ 0: {expected}"]
    assert rig.app._selection.asynchronous


def test_variable_requested_twice_is_a_warning(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "Log = A @ 0", "Log = A @ 9")
    assert rig.app.config_warnings[0].startswith("m.moos:2: Log = A @ 9: asked for before")
    assert [r.interval for r in rig.asked if r.pattern == "A"] == [0.0]


def test_every_line_of_the_reference_block_is_read(tmp_path: Path) -> None:
    block = read_mission(PEER_MISSION).block("pLogger")
    assert block is not None
    rig = Rig(tmp_path, *(f"{line.key} = {line.value}" for line in block.lines))
    assert rig.app.config.unread() == []
    rig.tick(1.0, mail("NAV_X", 1.0), mail("DB_RWSUMMARY", "x"), mail("SUMMARY", "y"))
    assert rig.names() == ["NAV_X", "SUMMARY"]
    assert rig.names(".xlog") == ["DB_RWSUMMARY"]


def test_logger_posts_only_what_it_declares(tmp_path: Path) -> None:
    rig = Rig(tmp_path, WILDCARD, "Log = X @ 0 MONITOR")
    posts = [*rig.tick(20.0, mail("LOGGER_RESTART", 1.0, 20.0), mail("PLOGGER_CMD", "?"))]
    assert {row[0] for row in posts} == {"LOGGER_DIRECTORY", "MOOS_DEBUG", "PLOGGER_STATUS"}
    assert rig.app.refused == 0


LONG = "x" * 700
SMALL = 16384


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Limit the size of files to SMALL bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_disk")
@pytest.mark.parametrize("lines_a_grant", [1, 4])
def test_full_disk_leaves_whole_lines_and_a_clear_error(tmp_path: Path, lines_a_grant: int) -> None:
    rig = Rig(tmp_path, WILDCARD)
    grants = ([mail("X", LONG, second)] * lines_a_grant for second in range(1, 40))
    with pytest.raises(LogError, match=r"\.alog: cannot write the log: File too large"):
        rig.ticks(grants)
    raw = rig.read(".alog")
    assert raw.endswith(" \n")
    assert SMALL - 800 < len(raw) <= SMALL
    assert all(entry.value == LONG for entry in rig.entries())


def test_device_that_is_full_is_named(tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "S.alog").symlink_to("/dev/full")
    with pytest.raises(LogError, match=r"S\.alog: cannot write the log: No space left on device"):
        Rig(tmp_path, WILDCARD, "File = S", "FileTimeStamp = false")


def test_a_killed_logger_leaves_all_received_entries(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        rig = Rig(tmp_path, WILDCARD)
        rig.tick(1.0, mail("X", 1.0), mail("Y", "text"))
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert [entry.name for entry in read_entries(tmp_path / STEM / f"{STEM}.alog")] == ["X", "Y"]
