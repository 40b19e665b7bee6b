"""Mission files: lines, quotes, variables, blocks, the launch list, and errors."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos import globals as well_known
from steerageway.moos.errors import FormatError
from steerageway.moos.mission import MissionFile, parse_mission, read_mission, unquote

ALPHA = Path(__file__).parents[1] / "reference" / "s1_alpha" / "alpha.moos"


def mission(*lines: str, **environment: str) -> MissionFile:
    return parse_mission("\n".join(lines), "m.moos", environment=environment)


def antler(*lines: str) -> MissionFile:
    return mission("ProcessConfig = ANTLER", "{", *lines, "}")


def error_of(*lines: str) -> str:
    with pytest.raises(FormatError) as caught:
        mission(*lines).antler()
    return str(caught.value)


@pytest.mark.slow
def test_reference_mission_reads_without_a_warning() -> None:
    alpha = read_mission(ALPHA)
    assert alpha.warnings == ()
    assert [block.name for block in alpha.blocks] == [
        "ANTLER", "pLogger", "uProcessWatch", "uSimMarineV22", "pHelmIvP", "pMarinePIDV22",
        "pMarineViewer", "pNodeReporter",
    ]  # fmt: skip


def test_reference_launch_list_is_in_file_order() -> None:
    launch = read_mission(ALPHA).antler()
    assert launch.ms_between_launches == Decimal(200)
    assert [run.alias for run in launch.runs] == [
        "MOOSDB", "pLogger", "uSimMarineV22", "pMarinePIDV22", "pHelmIvP", "pMarineViewer",
        "uProcessWatch", "pNodeReporter", "pRealm",
    ]  # fmt: skip
    assert not any(run.new_console for run in launch.runs)
    assert launch.unread == ()


def test_reference_lines_keep_order_place_and_inner_blanks() -> None:
    block = read_mission(ALPHA).block("USIMMARINEV22")
    assert block is not None
    assert [(line.key, line.value) for line in block.lines][2:5] == [
        ("start_pos", "x=0, y=-20, heading=180, speed=0"),
        ("prefix", "NAV"),
        ("turn_rate", "95"),
    ]
    assert block.lines[2].where == f"{ALPHA}:84"


def test_reference_global_lines_have_their_types() -> None:
    alpha = read_mission(ALPHA)
    assert well_known.community(alpha) == "alpha"
    assert well_known.datum(alpha) == (43.8253, -70.3304)
    assert well_known.time_warp(alpha) == 1.0
    assert well_known.server_host(alpha) == "localhost"
    assert well_known.server_port(alpha) == 9000
    assert well_known.epoch(alpha) is None
    assert well_known.geodesy(alpha) == "ecef"


@pytest.mark.parametrize("sign", '/\\,=:*?"{}')
def test_a_community_that_others_would_misread_is_refused(sign: str) -> None:
    with pytest.raises(FormatError, match=r"m.moos:1: Community = .*expected a name without"):
        well_known.community(parse_mission(f"Community = a{sign}b", "m.moos"))


@pytest.mark.parametrize("name", ["abe", "#1", "abe_2", "h\u00e9l\u00e8ne", "a-b.c", "a b"])
def test_a_plain_name_of_a_community_is_kept(name: str) -> None:
    found = well_known.community(parse_mission(f"Community = {name}", "m.moos"))
    assert found == name.replace(" ", "")


def test_comment_is_cut_unless_inside_the_first_quotes() -> None:
    lines = mission(
        "// nothing",
        "a = 1 // one",
        'b = "x // y"',
        'c = "x // y" // z',
        'd = 1 // "q"',
        '"//e" = 2 // two',
        'f = "" // "x"',
    ).lines
    assert [(line.key, line.value) for line in lines] == [
        ("a", "1"),
        ("b", '"x // y"'),
        ("c", '"x // y"'),
        ("d", "1"),
        ('"//e"', "2"),
        ("f", '""'),
    ]


def test_unquote_takes_only_the_first_pair_off() -> None:
    assert unquote('"a b", "c"') == 'a b, "c"'
    assert unquote('half " open') == 'half " open'
    assert unquote("plain") == "plain"


def test_value_keeps_everything_after_the_first_equals_sign() -> None:
    (line,) = mission("action = MENU = deploy # DEPLOY = true").lines
    assert line == ("action", "MENU = deploy # DEPLOY = true", "m.moos:1")


def test_windows_and_old_encodings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.moos"
    path.write_bytes("\ufeffa = 1\r\nb = 2\r\n".encode())
    assert [tuple(line[:2]) for line in read_mission(path).lines] == [("a", "1"), ("b", "2")]
    path.write_bytes(b"name = Gr\xf6nland\n")
    assert read_mission(path).lines[0].value == "Grönland"


def test_variable_comes_from_a_define_before_a_line_before_the_environment() -> None:
    text = ("V = line", "a = ${V}", "define: V = defined", "b = ${W}", "W = later", "c = ${X}")
    found = mission(*text, V="outside", W="outside", X="outside")
    assert [(line.key, line.value) for line in found.lines] == [
        ("V", "line"),
        ("a", "defined"),
        ("b", "later"),
        ("W", "later"),
        ("c", "outside"),
    ]


def test_variable_may_hold_another_and_falls_back_where_it_names_itself() -> None:
    found = mission("define: A = ${B}/x", "define: B = b", "PATH = ${PATH}:${A}", PATH="/bin")
    assert found.lines[0].value == "/bin:b/x"


def test_variables_reach_headings_and_keys() -> None:
    found = mission("define: P = pX", "ProcessConfig = ${P}", "{", "${P}_gain = 2", "}")
    assert found.blocks[0].name == "pX"
    assert found.blocks[0].lines[0].key == "pX_gain"


def test_unknown_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(FormatError, match=r"m\.moos:2: \$\{NOWHERE\}: expected a variable"):
        mission("a = 1", "b = ${NOWHERE}")


def test_long_chains_of_definitions_end_in_an_error() -> None:
    chain = [f"define: V{n} = ${{V{n + 1}}}" for n in range(2000)]
    with pytest.raises(FormatError, match="expected a variable"):
        mission(*chain, "a = ${V0}")


def test_heading_may_be_spelled_in_any_case_and_hold_its_brace() -> None:
    found = mission("Processconfig=pA{", "x = 1", "}", "PROCESSCONFIG = pB {", "}")
    assert [block.name for block in found.blocks] == ["pA", "pB"]
    assert found.blocks[0].lines[0].value == "1"
    assert found.blocks[0].where == "m.moos:1"


def test_first_block_of_a_name_is_used_and_the_second_gives_a_warning() -> None:
    found = mission("ProcessConfig = pA", "{", "x=1", "}", "ProcessConfig = PA", "{", "x=2", "}")
    assert [line.value for block in found.blocks for line in block.lines] == ["1"]
    assert tuple(map(str, found.warnings)) == (
        "m.moos:5: ProcessConfig = PA: the block at m.moos:1 counts, this one is not read",
    )


def test_get_value_scans_blocks_too() -> None:
    found = mission("ProcessConfig = pA", "{", "Geodesy = utm", "}", "geodesy = ecef")
    line = found.value("GEODESY")
    assert line is not None
    assert line.where == "m.moos:3"
    assert found.globals == found.lines[1:]
    assert found.value("nothing") is None


def test_lines_without_a_value_are_skipped_with_a_warning() -> None:
    lists = ("list[0]", "begun[", "ended]")
    found = mission("ProcessConfig = pA", "{ x = 1", "empty =", "word", *lists, "} y", "}")
    assert [line.key for line in found.blocks[0].lines] == [*lists]
    assert [warning.partition(": ")[2] for warning in map(str, found.warnings)] == [
        "x = 1: not read, it follows { on its line",
        "empty: no value, not read",
        "word: no value, not read",
        "y: not read, it follows } on its line",
        "}: no value, not read",
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["", "ProcessConfig = pA", "x = 1"], "m.moos:2: ProcessConfig = pA: expected { on the"),
        (["ProcessConfig = pA"], "m.moos:1: ProcessConfig = pA: expected { on the next line"),
        (["ProcessConfig = pA", "{", "x=1"], "m.moos:1: ProcessConfig = pA: expected } at the end"),
        (["ProcesConfg = pA", "{", "x=1", "}"], "m.moos:1: ProcesConfg = pA: expected ProcessConf"),
    ],
)
def test_broken_block_names_its_heading_when_its_app_reads_it(
    lines: list[str], message: str
) -> None:
    found = parse_mission("\n".join(lines), "m.moos")
    assert found.globals == ()
    with pytest.raises(FormatError) as error:
        found.block("PA")
    assert str(error.value).startswith(message)


def test_a_block_without_a_name_is_an_error() -> None:
    error = error_of("ProcessConfig =", "{", "}")
    assert error.startswith("m.moos:1: ProcessConfig: expected the name of a process")


def test_an_unused_broken_block_does_not_affect_the_others() -> None:
    """As of a scope whose block was pasted with the line numbers of a manual."""
    text = """\
Community = alpha
ProcessConfig = uHelmScope
   6  {
   7    AppTick = 1
  20  }
ProcessConfig = pB
{
  gain = 2
}
"""
    found = parse_mission(text, "m.moos")
    block = found.block("pB")
    assert block is not None
    assert [line.value for line in block.lines] == ["2"]
    assert [one.name for one in found.blocks] == ["pB"]
    assert [line.key for line in found.globals] == ["Community"]
    warnings = [
        warning
        for warning in map(str, found.warnings)
        if "not read" in warning and "expected" in warning
    ]
    assert warnings == [
        "m.moos:2: ProcessConfig = uHelmScope: expected { on the next line; not read",
    ]
    with pytest.raises(FormatError):
        found.block("uHelmScope")


def test_a_block_without_its_closing_brace_extends_to_the_next_one_with_a_warning() -> None:
    """MOOS's reader looks for a block's heading, and from there for a line that begins with }."""
    lines = ("x = 1", "ProcessConfig = pB", "{", "y = 2", "ProcessConfig = pC {", "z = 3", "}")
    found = mission("ProcessConfig = pA", "{", *lines, "w = 4")
    assert {one.name: [line.key for line in one.lines] for one in found.blocks} == {
        "pA": ["x", "y", "z"],
        "pB": ["y", "z"],
        "pC": ["z"],
    }
    assert [line.key for line in found.lines] == ["x", "y", "z", "w"]
    assert [line.key for line in found.globals] == ["w"]
    on = "the lines up to the next } count for it, too, as MOOS-IvP reads on"
    assert list(map(str, found.warnings)) == [
        f"m.moos:1: ProcessConfig = pA: expected }} before m.moos:4; {on}",
        f"m.moos:4: ProcessConfig = pB: expected }} before m.moos:7; {on}",
    ]


def test_a_directive_of_nsplug_in_a_file_that_it_has_not_seen_is_passed_over() -> None:
    found = mission(
        '#include "more.moos"', "ProcessConfig = pA", "{", "#define X = 1", "y = 2", "}"
    )
    assert [line.key for line in found.lines] == ["y"]
    assert [str(one) for one in found.warnings] == [
        'm.moos:1: #include "more.moos": a directive of nsplug, which has not seen this file',
        "m.moos:4: #define X = 1: a directive of nsplug, which has not seen this file",
    ]


def test_a_block_without_its_opening_brace_ends_at_the_closing_one_or_a_heading() -> None:
    found = mission("ProcessConfig = pA", "x = 1", "}", "y = 2")
    assert found.blocks == ()
    assert [line.key for line in found.lines] == ["x", "y"]
    assert [line.key for line in found.globals] == ["y"]
    found = mission("ProcessConfig = pA", "ProcessConfig = pB", "{", "x = 1", "}")
    assert [(block.name, len(block.lines)) for block in found.blocks] == [("pB", 1)]


def test_file_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    missing = tmp_path / "none.moos"
    with pytest.raises(FormatError, match=r"^\S*none\.moos: expected a mission file: No such"):
        read_mission(missing)
    (tmp_path / "binary.moos").write_bytes(b"\x7fELF\0\0")
    with pytest.raises(FormatError, match=r"^\S*binary\.moos: expected a .* this is not text$"):
        read_mission(tmp_path / "binary.moos")


def test_variables_of_a_file_come_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "a.moos").write_text("a = ${X}\n")
    assert read_mission(tmp_path / "a.moos", environment={"X": "7"}).lines[0].value == "7"
    with pytest.raises(FormatError, match=r"a\.moos:1: \$\{X\}: expected a variable"):
        read_mission(tmp_path / "a.moos")


def test_run_line_gives_process_options_and_alias() -> None:
    (run,) = (
        antler("Run = bin/pXRelay @ newconsole=TRUE, Path = bin, AntlerID=x ~ pXRelay_PEARS")
        .antler()
        .runs
    )
    assert run.process == "bin/pXRelay"
    assert run.alias == "pXRelay_PEARS"
    assert run.new_console
    assert run.path == "bin"
    assert run.extra == (("antlerid", "x"),)
    assert run.where == "m.moos:3"


def test_alias_is_the_last_part_of_the_process() -> None:
    lines = ["Run = bin/pA @ Path=SYSTEM", "Run = my.apps:Odometer", "Run = pB ~ other"]
    runs = antler(*lines).antler().runs
    assert [(run.alias, run.path) for run in runs] == [("pA", ""), ("Odometer", ""), ("other", "")]
    (script,) = antler("Run = ./iPlant.py @ NewConsole = false").antler().runs
    assert script.alias == "iPlant.py"  # only the folder goes: MOOS-IvP keeps what follows a dot


def test_launch_spacing_is_exact_and_defaults_to_a_second() -> None:
    assert antler("Run = pA").antler().ms_between_launches == 1000
    spaced = antler("msbetweenlaunches = 0.1", "MSBetweenLaunches = 7", "Run = pA")
    assert spaced.antler().ms_between_launches == Decimal("0.1")


def test_labels_that_run_lines_name_are_read_and_other_keys_are_not() -> None:
    run = "Run = pA @ ExtraProcessParams=More, XConfig=look, Win32Config=Also, AntlerID=far"
    lines = ("more = --x", "LOOK = -bg,red", "also = x", "far = 1", "GentleKil = true")
    launch = antler(run, *lines).antler()
    assert [line.key for line in launch.unread] == ["far", "GentleKil"]


def test_options_of_the_moos_ivp_launcher_are_skipped_silently() -> None:
    block = ("ExecutablePath = bin", "GentleKill = true", "EnableDistributed = false")
    run = "Run = pA @ Path = system, InhibitMOOSParams = true, AntlerID = x"
    launch = antler(*block, "KillOnDBDisconnect = true", run).antler()
    assert launch.unread == ()
    assert launch.runs[0].warnings == ()
    assert launch.runs[0].path == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Run = @ NewConsole = false", "m.moos:3: Run = @ NewConsole = false: expected a process"),
        ("Run = ~ x", "m.moos:3: Run = ~ x: expected a process"),
        ("Run = pA ~", "m.moos:3: Run = pA ~: expected a name"),
        ("Run = pA ~ a b", "m.moos:3: Run = pA ~ a b: expected a name without blanks"),
        ("MSBetweenLaunches = -1", "m.moos:3: MSBetweenLaunches = -1: expected milliseconds"),
        ("MSBetweenLaunches = 1e3", "m.moos:3: MSBetweenLaunches = 1e3: expected milliseconds"),
        ("ExecutablePath = x", "m.moos:1: ProcessConfig = ANTLER: expected a Run = line"),
    ],
)
def test_broken_launch_list_names_the_line(line: str, message: str) -> None:
    assert error_of("ProcessConfig = ANTLER", "{", line, "}").startswith(message)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("NewConsole = ture", "expected NewConsole=true or NewConsole=false"),
        ("NewConsle = true", "the nearest is newconsole"),
        ("zzz = true", "expected a key of Run in place of 'zzz'"),
    ],
)
def test_a_mistyped_option_of_a_run_line_is_skipped_and_reported(
    options: str, expected: str
) -> None:
    (run,) = antler(f"Run = pA @ {options} ~ pB").antler().runs
    assert (run.alias, run.new_console, run.extra) == ("pB", False, ())
    (warning,) = map(str, run.warnings)
    assert warning.startswith(f"m.moos:3: Run = pA @ {options} ~ pB: ")
    assert expected in warning


def test_two_processes_of_one_name_are_an_error_that_names_both_lines() -> None:
    text = error_of("ProcessConfig = ANTLER", "{", "Run = pA", "Run = pB ~ pA", "}")
    assert text.startswith("m.moos:4: Run = pA: expected a name that m.moos:3 has not taken")


def test_a_line_that_launches_a_process_again_is_skipped_and_reported() -> None:
    launch = antler(
        "MSBetweenLaunches = 10", "Run = pA @ NewConsole = true", "Run = pB", "Run = pA", "Run = pC"
    ).antler()
    starts = {run.alias: launch.start_of(run) / 1e6 for run in launch.runs}
    assert starts == {"pA": 0, "pB": 10, "pC": 30}  # every line counts
    assert launch.runs[0].new_console
    (warning,) = launch.runs[0].warnings
    assert str(warning) == "m.moos:6: Run = pA: m.moos:4 launches it already"


def test_file_without_launch_list_is_an_error() -> None:
    assert error_of("a = 1") == "m.moos: expected a block ProcessConfig = ANTLER"


def test_global_defaults_are_those_of_moos_ivp() -> None:
    empty = mission("x = 1")
    assert well_known.community(empty) == "#1"
    assert well_known.time_warp(empty) == 1.0
    assert well_known.server_host(empty) == "localhost"
    assert well_known.server_port(empty) == 9000
    assert well_known.datum(empty) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1780364319", 1780364319.0),
        ("2026-06-02T01:38:39", 1780364319.0),
        ('"2026-06-02 01:38:39"', 1780364319.0),
        ("2026-06-02T03:38:39+02:00", 1780364319.0),
        ("1970-01-02", 86400.0),
    ],
)
def test_epoch_is_seconds_or_an_iso_date_in_utc(text: str, seconds: float) -> None:
    assert well_known.epoch(mission(f"Epoch = {text}")) == seconds


@pytest.mark.parametrize(
    ("line", "reader"),
    [
        ("MOOSTimeWarp = 0", well_known.time_warp),
        ("MOOSTimeWarp = fast", well_known.time_warp),
        ("ServerPort = 90000", well_known.server_port),
        ("ServerPort = 1.5", well_known.server_port),
        ("LatOrigin = 91", well_known.datum),
        ("LongOrigin = nan", well_known.datum),
        ("Epoch = yesterday", well_known.epoch),
        ("Epoch = inf", well_known.epoch),
        ("Epoch = 1969-12-31", well_known.epoch),
        ("Geodesy = flat", well_known.geodesy),
    ],
)
def test_bad_global_names_file_and_line(line: str, reader: object) -> None:
    assert callable(reader)
    with pytest.raises(FormatError) as caught:
        reader(mission("// first", line))
    assert str(caught.value).startswith(f"m.moos:2: {line}: expected ")
    assert caught.value.key == line.split(" ")[0]


def test_datum_needs_both_halves() -> None:
    both = ("LatOrigin = 43", "LongOrigin = x")
    with pytest.raises(
        FormatError, match=r"m\.moos:2: LongOrigin = x: expected a number from -180 to 180"
    ):
        well_known.datum(mission(*both))


_WORDS = [
    "ProcessConfig = ",
    "ANTLER",
    "pA",
    "Run = ",
    "Path=x",
    "MSBetweenLaunches = 1",
    "define: ",
]
_SIGNS = [
    " = ",
    " @ ",
    " ~ ",
    "${",
    "{",
    "}",
    "[",
    ",",
    "//",
    '"',
    "A",
    "B",
    "\r",
    "\t",
    "\n",
    "\n",
]
_PIECES = st.sampled_from(_WORDS + _SIGNS)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        parse_mission(text, "f.moos", environment={"B": "b"}).antler()
        place = "f.moos"
    except FormatError as error:
        place = error.where
    assert place.partition(":")[0] == "f.moos"


def test_blocks_within_a_block_give_one_warning() -> None:
    """MOOS's CProcessConfigReader ends a block at the first line that begins with }."""
    inner = (
        "inner",
        "{",
        "x = 1",
        "deeper {",
        "y = 2",
        "}",
        "z = 3",
        "}",
        "list = {",
        "}",
        "w = 3",
    )
    after = ("Epoch = 5", "ProcessConfig = pB", "{", "b = 2", "}")
    found = mission("ProcessConfig = pA", "{", "a = 1", *inner, "}", *after)
    assert [[line.key for line in block.lines] for block in found.blocks] == [
        ["a", "x", "y"],
        ["b"],
    ]
    assert [line.key for line in found.globals] == ["Epoch"]
    (warning,) = map(str, found.warnings)
    assert warning.startswith("m.moos:5: {: expected no { within a block")
