"""The .alog format: bytes as MOOS-IvP writes them, and back."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.alog import (
    Banner,
    Entry,
    EntryFormat,
    banner,
    binary_place,
    binary_reference,
    data_hash,
    only_log,
    parse_entry,
    posted_value,
    read_banner,
    read_entries,
    whole_lines,
)
from steerageway.moos.errors import FormatError

# The banner and three entries of a log that MOOS-IvP wrote.
STEM = "LOG_ALPHA_2_6_2026_____01_38_39"
PEER_BANNER = f"""\
{"%" * 59}
%% LOG FILE:       ./{STEM}/{STEM}.alog
%% FILE OPENED ON  Tue Jun  2 01:38:39 2026
%% LOGSTART              1780364318.512
{"%" * 59}
"""
PEER_LINES = [
    "0.62500         NAV_X                uSimMarineV22   12.00000     \n",
    "31.52110        WPT_INDEX            pHelmIvP:120:waypt_survey 2.00000      \n",
    "31.77000        IVPHELM_STATE        pHelmIvP        DRIVE \n",
]
PEER_ENTRIES = [
    Entry(0.625, "NAV_X", 12.0, "uSimMarineV22"),
    Entry(31.5211, "WPT_INDEX", 2.0, "pHelmIvP", "120:waypt_survey"),
    Entry(31.77, "IVPHELM_STATE", "DRIVE", "pHelmIvP"),
]


@pytest.fixture
def peer_log(tmp_path: Path) -> Path:
    path = tmp_path / "recorded.alog"
    path.write_text(PEER_BANNER + "".join(PEER_LINES))
    return path


def write(form: EntryFormat, entry: Entry) -> str:
    time, name, value, source, aux, community = entry
    return form.line(name, value, time + form.start, source, aux, community)


def test_banner_is_that_of_the_reference() -> None:
    text = banner(f"./{STEM}/{STEM}.alog", 1780364319.2, 1780364318.512)
    assert text == PEER_BANNER


def test_type_marking_is_announced_before_the_last_line() -> None:
    lines = banner("x", 0.0, 0.0, marks=True).splitlines()
    assert lines[-2:] == ["%% DATATYPE MARKING ON", "%" * 59]


@pytest.mark.parametrize(("line", "entry"), list(zip(PEER_LINES, PEER_ENTRIES, strict=True)))
def test_entry_is_that_of_the_reference(line: str, entry: Entry) -> None:
    assert write(EntryFormat(0.4, aux=True), entry) == line


def test_time_counts_from_the_start_and_may_be_negative() -> None:
    assert EntryFormat(10.0).line("V", 1.0, 9.5, "s").startswith("-0.50000        V ")


def test_options_change_precision_auxiliary_marks_and_community() -> None:
    entry = Entry(0.0, "V", 2.5, "app", "remark", "shore")
    assert write(EntryFormat(0.0, precision=2), entry).split() == ["0.00000", "V", "app", "2.50"]
    form = EntryFormat(0.0, aux=True, marks=True, home="alpha")
    assert write(form, entry).split()[2:] == ["app:remark@shore", "D:2.50000"]
    assert (
        write(form, entry._replace(value="a b", community="alpha")).split(None, 3)[3] == "S:a b \n"
    )


def test_overlong_fields_are_not_cut() -> None:
    line = EntryFormat(0.0).line("V" * 30, 1.0, 0.0, "s" * 30)
    assert line == f"{'0.00000':<15} {'V' * 30} {'s' * 30} 1.00000      \n"


def test_one_message_is_one_line_whatever_it_holds() -> None:
    form = EntryFormat(0.0, aux=True)
    line = form.line("TWO WORDS", "one\ntwo\r\n%% three", 0.0, "", "re mark\n")
    assert line.split(None, 2) == [
        "0.00000",
        "TWO_WORDS",
        ":re_mark        one\\ntwo\\r\\n%% three \n",
    ]
    assert line.count("\n") == 1


@pytest.mark.parametrize(("text", "written"), [("a\nb", "a\\nb"), ("a\rb", "a\\rb"), ("a\\b",) * 2])
def test_each_line_end_within_a_text_is_written_as_two_characters(text: str, written: str) -> None:
    assert EntryFormat(0.0).line("V", text, 0.0, "app").split(None, 3)[3] == f"{written} \n"


def test_a_line_does_not_depend_on_those_before_it() -> None:
    form = EntryFormat(0.0, home="alpha")
    origins = [("app", "alpha"), ("app", "shore"), ("two", "shore"), ("two", "alpha"), ("", "")]
    for name in ("V", "V", "W"):
        for source, community in (*origins, *origins[::-1]):
            fields = {"source": source, "community": community}
            line = form.line(name, 1.0, 0.0, **fields)
            assert line == EntryFormat(0.0, home="alpha").line(name, 1.0, 0.0, **fields)
            marked = "@shore" if community == "shore" else ""
            assert line.split()[1:3] == [name, f"{source or '_'}{marked}"]
            assert line.startswith(form.head(name, 0.0, **fields))
    assert "@" not in EntryFormat(0.0).line("V", 1.0, 0.0, "app", "", "shore")
    assert form.head("V", 0.0, "app", "remark", "alpha").split()[2] == "app"


def test_source_and_auxiliary_text_do_not_leak_into_each_other() -> None:
    form = EntryFormat(0.0, aux=True)
    lines = [form.line("V", 1.0, 0.0, "app", aux) for aux in ("", "one", "two", "")]
    assert [line.split()[2] for line in lines] == ["app", "app:one", "app:two", "app"]


@pytest.mark.parametrize(("line", "entry"), list(zip(PEER_LINES, PEER_ENTRIES, strict=True)))
def test_reference_entry_is_read(line: str, entry: Entry) -> None:
    assert parse_entry(line) == entry


def test_columns_may_be_narrow_and_values_hold_blanks() -> None:
    assert parse_entry("1.5 REPORT app  two words  ") == Entry(1.5, "REPORT", "two words ", "app")
    assert parse_entry("1.5 LIMIT app\t MAX").value == "MAX"
    wide = EntryFormat(0.0).line("V", "  indented", 0.0, "app")
    assert parse_entry(wide).value == "  indented"


def test_empty_value_is_an_empty_text() -> None:
    line = EntryFormat(0.0).line("V", "", 0.0, "app")
    assert parse_entry(line).value == ""
    assert parse_entry("0.0 V app").value == ""


def test_community_is_read_with_and_without_an_auxiliary_text() -> None:
    assert parse_entry("0 V app:aux@shore 1")[3:] == ("app", "aux", "shore")
    assert parse_entry("0 V app@shore 1")[3:] == ("app", "", "shore")


def test_marks_decide_the_type() -> None:
    assert parse_entry("0 V app S:12", marks=True).value == "12"
    assert parse_entry("0 V app D:12.5   ", marks=True).value == 12.5
    assert parse_entry("0 V app S:12").value == "S:12"
    reference = binary_reference("x.blog", 3, 4)
    assert reference == "<MOOS_BINARY>File=x.blog,Offset=3,Bytes=4</MOOS_BINARY>"
    assert binary_place(reference) == ("x.blog", 3, 4)
    assert binary_place(binary_reference("../x.blog", 3, 4)) is None
    assert parse_entry(f"0 V app {reference}", marks=True).value == reference


def test_a_binary_value_is_found_in_the_file_that_holds_it(tmp_path: Path) -> None:
    log = tmp_path / "x.alog"
    (tmp_path / "x.blog").write_bytes(b"...\0\xff?!...")
    assert posted_value(log, binary_reference("x.blog", 3, 4)) == b"\0\xff?!"
    assert posted_value(log, "x.blog") == "x.blog"
    assert posted_value(log, 12.5) == 12.5
    with pytest.raises(FormatError, match=r"y\.blog.*binary values"):
        posted_value(log, binary_reference("y.blog", 3, 4))
    with pytest.raises(FormatError, match=r"x\.blog: expected 4 bytes from 7 on, as x\.alog says"):
        posted_value(log, binary_reference("x.blog", 7, 4))


@pytest.mark.parametrize("place", [(0, 10**14), (10**14, 1), (9, 1), (5, 4)])
def test_a_binary_value_beyond_its_file_is_refused_before_memory_is_taken(
    tmp_path: Path, place: tuple[int, int]
) -> None:
    (tmp_path / "x.blog").write_bytes(b"12345678")
    with pytest.raises(FormatError, match=r"x\.blog: expected \d+ bytes from \d+ on"):
        posted_value(tmp_path / "x.alog", binary_reference("x.blog", *place))


@pytest.mark.parametrize("place", [("x.blog", 10**30, 1), ("x.blog", 0, 10**30), ("x\0", 0, 1)])
def test_a_place_that_no_file_has_is_a_text(tmp_path: Path, place: tuple[str, int, int]) -> None:
    text = binary_reference(*place)
    assert posted_value(tmp_path / "x.alog", text) == text


@pytest.mark.parametrize("line", ["", "0.5", "0.5 NAV_X", "soon NAV_X app 1", "nan NAV_X app 1"])
def test_line_that_is_no_entry_is_an_error_with_its_place(line: str) -> None:
    with pytest.raises(FormatError, match=r"^a\.alog:7: .*expected a? ?time"):
        parse_entry(line, "a.alog:7")


def test_missing_mark_is_an_error() -> None:
    for value in ("12", "D:twelve", "X:1"):
        with pytest.raises(FormatError, match=r"starts with D: or S:"):
            parse_entry(f"0 V app {value}", "a.alog:7", marks=True)


def test_log_gives_its_banner_and_entries(peer_log: Path) -> None:
    assert read_banner(peer_log) == Banner(f"./{STEM}/{STEM}.alog", 1780364318.512, False)
    assert list(read_entries(peer_log)) == PEER_ENTRIES


def test_a_log_with_type_marks_is_marked_and_read_so(tmp_path: Path) -> None:
    form, path = EntryFormat(0.0, marks=True), tmp_path / "marked.alog"
    lines = (form.line("V", "1", 0.0, "app"), form.line("W", 1.0, 0.0, "app"))
    path.write_text(banner("marked.alog", 0.0, 0.0, marks=True) + "".join(lines))
    assert read_banner(path).marks
    assert [entry.value for entry in read_entries(path)] == ["1", 1.0]


def test_bytes_that_are_not_utf_8_are_read_as_their_codes(tmp_path: Path) -> None:
    path = tmp_path / "old.alog"
    path.write_bytes(b"%% LOG FILE: 5\xb0\n%% LOGSTART 5\n0 V app 30\xb0\n")
    assert read_banner(path) == Banner(r"5\xb0", 5.0)
    assert [entry.value for entry in read_entries(path)] == [r"30\xb0"]


def test_comments_and_blank_lines_are_allowed_anywhere(peer_log: Path) -> None:
    peer_log.write_text(PEER_LINES[0] + "%% LOGSTART 7\n\n" + PEER_LINES[1])
    assert read_banner(peer_log) == Banner()
    assert list(read_entries(peer_log)) == PEER_ENTRIES[:2]


def test_torn_last_line_is_not_read(peer_log: Path) -> None:
    with peer_log.open("a") as file:
        file.write("32.00000        NAV_X                uSimMarineV22   12.")
    assert list(read_entries(peer_log)) == PEER_ENTRIES


def test_compressed_log_is_read_also_when_unfinished(tmp_path: Path, peer_log: Path) -> None:
    packed = tmp_path / "recorded.alog.gz"
    packed.write_bytes(gzip.compress(peer_log.read_bytes())[:-8])
    assert list(read_entries(packed)) == PEER_ENTRIES


@pytest.mark.parametrize("name", ["none.alog", ".", "none.alog.gz"])
def test_log_that_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=rf"^{tmp_path}\S*: expected a log: (No such|Is a d)"):
        list(read_entries(tmp_path / name))


def test_an_uncompressed_file_with_a_compressed_name_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.alog.gz"
    path.write_text("".join(PEER_LINES))
    with pytest.raises(FormatError, match=r"x\.alog\.gz: expected a log: Not a gzipped file"):
        list(read_entries(path))


def test_an_error_shows_the_beginning_of_a_long_line() -> None:
    for line, marks in (
        ("x" * 99, False),
        (f"soon V app {'x' * 99}", False),
        ("0 V a " + "x" * 99, True),
    ):
        with pytest.raises(FormatError) as caught:
            parse_entry(line, "a.alog:7", marks=marks)
        assert str(caught.value).startswith(f"a.alog:7: {line[:60]}: expected ")


def test_file_that_is_no_log_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.alog"
    path.write_text("%% LOGSTART 5\nonce upon a time\n")
    with pytest.raises(FormatError, match=r"x\.alog:2: once upon a time: expected a time"):
        list(read_entries(path))
    for start in ("now", "nan", "1e999"):
        path.write_text(f"%% LOGSTART {start}\n")
        with pytest.raises(
            FormatError, match=rf"x\.alog: LOGSTART = {start}: expected UTC seconds"
        ):
            read_banner(path)


def test_starts_of_logs_at_a_warp_keep_their_difference(tmp_path: Path) -> None:
    # MOOSTime of MOOS at a warp of 10 is ten times the UTC; two communities start 3.25 s apart
    starts = []
    for start in ("17959755636.98145", "17959755640.23145"):
        path = tmp_path / "x.alog"
        path.write_text(f"%% LOGSTART           {start}\n0.5 NAV_X uSimMarine 3\n")
        starts.append(read_banner(path).start)
        assert [entry.value for entry in read_entries(path)] == [3.0]
    assert starts[1] - starts[0] == pytest.approx(3.25, abs=1e-5)
    assert all(0 <= start < 2**31 for start in starts)


def test_further_lines_of_a_summary_of_the_database_are_no_entries(tmp_path: Path) -> None:
    path = tmp_path / "x.alog"  # as pLogger of MOOS writes the value, which has line feeds
    path.write_text(
        "%% LOGSTART 5\n"
        "0.51377         DB_VARSUMMARY        MOOSDB_alpha    "
        "DB_CLIENTS           20:45:52.010         MOOSDB_alpha         0.0 Hz S  pLogger,\n"
        "DB_EVENT             20:45:52.690         MOOSDB_alpha         0.0 Hz S  connected=pA\n"
        "LOGGER_RESTART       23:59:59.000         (write pending)      0.0 Hz ?  \n"
        "DB_QOS               13:02:11.185         MOOSDB#1             0.0 Hz S  \n"
        "0.60000         NAV_X                uSimMarineV22   3.00000\n"
    )
    assert [entry.name for entry in read_entries(path)] == ["DB_VARSUMMARY", "NAV_X"]


def test_hash_is_of_the_entries_alone(peer_log: Path) -> None:
    expected = hashlib.sha256("".join(PEER_LINES).encode()).hexdigest()
    assert data_hash(whole_lines(peer_log)) == expected
    peer_log.write_text("%% another banner\n" + "".join(PEER_LINES))
    assert data_hash(whole_lines(peer_log)) == expected
    peer_log.write_text("".join(PEER_LINES[::-1]))
    assert data_hash(whole_lines(peer_log)) != expected


_WORD = st.text(st.characters(exclude_characters=":@", exclude_categories=["Z", "C"]), min_size=1)
_ONE_LINE = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))
_TIME = st.floats(-1e6, 1e6)


@pytest.mark.slow
@settings(max_examples=200)
@given(_TIME, _WORD, st.one_of(st.floats(-1e9, 1e9), _ONE_LINE), _WORD, st.just("") | _WORD)
def test_entry_comes_back(
    time: float, name: str, value: float | str, source: str, aux: str
) -> None:
    entry = Entry(time, name, value, source, aux, "shore")
    line = write(EntryFormat(0.0, aux=True, marks=True, home="alpha"), entry)
    assert line.endswith("\n")
    back = parse_entry(line, marks=True)
    assert back.time == pytest.approx(time, abs=6e-6)
    assert back.value == (value if isinstance(value, str) else pytest.approx(value, abs=6e-6))
    assert back == entry._replace(time=back.time, value=back.value)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.text(), st.booleans())
def test_any_line_is_read_or_refused(line: str, marks: bool) -> None:
    try:
        found: object = parse_entry(line, "f.alog:1", marks=marks)
    except FormatError as error:
        found = error.where
    assert found == "f.alog:1" or isinstance(found, Entry)


def test_of_many_logs_below_a_folder_four_are_named(tmp_path: Path) -> None:
    logs = [tmp_path / f"{number}.alog" for number in range(200)]
    with pytest.raises(
        FormatError, match=r"found 0\.alog, 1\.alog, 2\.alog, 3\.alog and 196 more$"
    ):
        only_log(logs, tmp_path)
