"""Behavior files: statements, blocks, comments, continued lines, and errors that name the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.diagnostics.source_map import Origin
from steerageway.moos.bhv import Initial, parse_behaviors, read_behaviors
from steerageway.moos.errors import FormatError, FormatErrors


def parameters(text: str) -> list[tuple[str, str, str]]:
    (block,) = parse_behaviors(text, "a.bhv").behaviors
    return [tuple(line) for line in block.lines]


def test_block_keeps_its_lines_and_their_places() -> None:
    text = "\n// first\n\tBehavior = BHV_Waypoint\n{\n  name = survey // inline\n\n pwt=100\n}\n"
    (block,) = parse_behaviors(text, "a.bhv").behaviors
    assert (block.kind, block.where) == ("BHV_Waypoint", "a.bhv:3")
    assert [tuple(line) for line in block.lines] == [
        ("name", "survey", "a.bhv:5"),
        ("pwt", "100", "a.bhv:7"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Behavior = BHV_X\n{\nname = a\npwt = 1\n}",
        "behavior=BHV_X {\nname = a\npwt = 1\n}",
        "BEHAVIOR = BHV_X { name = a\n pwt = 1 }",
        "Behavior = BHV_X\n{ name = a\npwt = 1 }",
        "Behavior = BHV_X\n{\n  # a remark\nname = a\npwt \\\n  = 1\n}",
    ],
)
def test_braces_and_lines_may_be_laid_out_freely(text: str) -> None:
    assert [line[:2] for line in parameters(text)] == [("name", "a"), ("pwt", "1")]


def test_braces_of_a_value_do_not_close_the_block() -> None:
    text = "Behavior = BHV_X\n{\n points = pts={0,0:1,1}\n polygon = pts={2,2} }"
    assert [line[:2] for line in parameters(text)] == [
        ("points", "pts={0,0:1,1}"),
        ("polygon", "pts={2,2}"),
    ]


def test_continued_line_has_the_number_of_its_first_line() -> None:
    text = "Behavior = BHV_X\n{\n points = 0,0: \\\n  1,1: \\\n 2,2\n name = a\n}"
    assert parameters(text) == [
        ("points", "0,0: 1,1: 2,2", "a.bhv:3"),
        ("name", "a", "a.bhv:6"),
    ]


def test_initial_values_are_typed_and_may_share_a_line() -> None:
    text = 'initialize A = 3, B = "3", C=hello there, D = "x, y"\nINITIALIZE_ E = false'
    assert parse_behaviors(text, "a.bhv").initial == (
        Initial("A", 3.0, False, "a.bhv:1"),
        Initial("B", "3", False, "a.bhv:1"),
        Initial("C", "hello there", False, "a.bhv:1"),
        Initial("D", "x, y", False, "a.bhv:1"),
        Initial("E", "false", True, "a.bhv:2"),
    )


def test_mode_declaration_keeps_conditions_and_both_values() -> None:
    text = "set MODE = ACTIVE\n{\n DEPLOY = true\n NAV_DEPTH < 4\n} INACTIVE\n"
    first, second = parse_behaviors(text + "set MODE = B { MODE = ACTIVE }", "a.bhv").modes
    assert (first.variable, first.value, first.otherwise) == ("MODE", "ACTIVE", "INACTIVE")
    assert [c.text for c in first.conditions] == ["DEPLOY = true", "NAV_DEPTH < 4"]
    assert (second.value, second.otherwise, second.parent) == ("B", "", "ACTIVE")


def test_mode_declaration_may_be_on_one_line() -> None:
    (rule,) = parse_behaviors("set MODE = ON { GO = true } OFF", "a.bhv").modes
    assert (rule.value, rule.otherwise, rule.conditions[0].text) == ("ON", "OFF", "GO = true")


def test_files_add_up_in_order() -> None:
    one = parse_behaviors("initialize A = 1\nBehavior = BHV_X { name = a }", "a.bhv")
    two = parse_behaviors("initialize B = 2\nBehavior = BHV_Y { name = b }", "b.bhv")
    both = one + two
    assert [i.name for i in both.initial] == ["A", "B"]
    assert [b.kind for b in both.behaviors] == ["BHV_X", "BHV_Y"]


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("initialise A = 1", "a.bhv:1", "initialise A = 1: expected initialize VAR"),
        ("\nfoo", "a.bhv:2", "expected initialize VAR"),
        ("initialize A", "a.bhv:1", "expected VAR = value"),
        ("initialize A B = 1", "a.bhv:1", "initialize = A B = 1: expected VAR = value"),
        ("initialize = 1", "a.bhv:1", "expected VAR = value"),
        ("initialize A = 1, = 2", "a.bhv:1", "expected VAR = value"),
        ("Behavior =\n{\n}", "a.bhv:1", "Behavior: expected a type"),
        ("{\nname = a", "a.bhv:1", "a.bhv:1: {: expected } before the end of the file"),
        ("Behavior = BHV_X", "a.bhv:1", "Behavior = BHV_X: expected { before the end"),
        ("Behavior = BHV_X\nname = a", "a.bhv:1", "expected { on the next line, found 'name = a'"),
        ("Behavior = BHV_X\n{\nname = a", "a.bhv:1", "expected } before the end"),
        ("Behavior = BHV_X\n{\nBehavior = BHV_Y\n{\n}", "a.bhv:1", "expected } before a.bhv:3"),
        ("Behavior = BHV_X\n{\ninitialize A = 1", "a.bhv:1", "expected } before a.bhv:3"),
        ("Behavior = BHV_X\n{\nset MODE = A\n{", "a.bhv:1", "expected } before a.bhv:3"),
        ("Behavior = BHV_X {\n} extra", "a.bhv:1", "found 'extra'"),
        ("Behavior = BHV_X\n{\nname\n}", "a.bhv:3", "expected parameter = value in BHV_X"),
        ("Behavior = BHV_X\n{\n= a\n}", "a.bhv:3", "expected parameter = value in BHV_X"),
        ("Behavior = BHV_X\n{\nname =\n}", "a.bhv:3", "expected parameter = value in BHV_X"),
        ("set MODE = A\n{\nDEPLOY == true\n}", "a.bhv:3", "column 8"),
        ("set MODE = A\n{\nDEPLOY\n}", "a.bhv:3", "column 7"),
        ("set MODE = A B\n{\n}", "a.bhv:1", "set MODE = A B: expected one word"),
        ("set MODE =\n{\n}", "a.bhv:1", "set MODE: expected one word"),
        ("initialize A \\\n\\", "a.bhv:1", "expected VAR = value"),
    ],
)
def test_error_names_the_place_and_the_expected_form(text: str, where: str, expected: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse_behaviors(text, "a.bhv")
    assert raised.value.where == where
    assert expected in str(raised.value)


def test_every_invalid_line_is_reported() -> None:
    text = "initialise A = 1\ninitialize B\nBehavior = BHV_X\n{\nname\npwt =\n}\nset M = A { X }"
    with pytest.raises(FormatErrors) as raised:
        parse_behaviors(text, "a.bhv")
    places = [error.where for error in raised.value.errors]
    assert places == ["a.bhv:1", "a.bhv:2", "a.bhv:5", "a.bhv:6", "a.bhv:8"]
    assert str(raised.value).count("\n") == 4


def test_lines_after_a_misspelt_heading_are_not_reported_too() -> None:
    text = "Behaviour = BHV_X\n{\nname = a\n}\ninitialize B\nfoo"
    with pytest.raises(FormatErrors) as raised:
        parse_behaviors(text, "a.bhv")
    assert [error.where for error in raised.value.errors] == ["a.bhv:1", "a.bhv:5", "a.bhv:6"]


@pytest.mark.parametrize("opening", ["{\n", "{ ", "\n\n{\nname = c\n"])
def test_a_block_whose_heading_is_a_comment_is_left_out_and_reported(opening: str) -> None:
    text = f"//Behavior = BHV_X\n{opening}pts = {{1,2:3,4}}\n}}\nBehavior = BHV_Y\n{{\nname = b\n}}"
    file = parse_behaviors(text, "a.bhv")
    assert [behavior.kind for behavior in file.behaviors] == ["BHV_Y"]
    (warning,) = map(str, (file + parse_behaviors("", "b.bhv")).warnings)
    assert warning.startswith("a.bhv:")
    assert "without a heading" in warning


def test_missing_brace_is_the_last_thing_that_is_reported() -> None:
    text = "initialize A\nBehavior = BHV_X\nname = a\n}\ninitialize B"
    with pytest.raises(FormatErrors) as raised:
        parse_behaviors(text, "a.bhv")
    assert [error.where for error in raised.value.errors] == ["a.bhv:1", "a.bhv:2"]


@pytest.mark.slow
def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"^gone\.bhv: expected a behavior file: No such file"):
        read_behaviors(tmp_path / "gone.bhv", Origin("gone.bhv"))


def test_the_nearest_neighbour_of_a_missing_file_is_named(tmp_path: Path) -> None:
    for name in ("alpha.bhv", "beta.bhv", "alfa.moos"):
        (tmp_path / name).touch()
    with pytest.raises(FormatError, match=r"^alfa\.bhv: .*; the nearest is alpha\.bhv$"):
        read_behaviors(tmp_path / "alfa.bhv", Origin("alfa.bhv"))
    with pytest.raises(FormatError, match=r"^x: .*directory$"):
        read_behaviors(tmp_path / "none" / "alfa.bhv", Origin("x"))


def test_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.bhv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match=r"^b\.bhv: expected a behavior file, this is not text$"):
        read_behaviors(tmp_path / "b.bhv", Origin("b.bhv"))


def test_an_old_file_is_read_as_latin_1(tmp_path: Path) -> None:
    (tmp_path / "b.bhv").write_bytes(b"// turns at 30\xb0\ninitialize PLACE = Gr\xf6nland\n")
    (initial,) = read_behaviors(tmp_path / "b.bhv", Origin("b.bhv")).initial
    assert initial.value == "Grönland"


def test_file_is_read_with_its_name_as_the_user_gave_it(tmp_path: Path) -> None:
    (tmp_path / "b.bhv").write_text("initialize A = 1\r\n")
    assert read_behaviors(tmp_path / "b.bhv", Origin("x/b.bhv")).initial[0].where == "x/b.bhv:1"


def test_macro_in_a_modes_condition_gives_a_warning() -> None:
    file = parse_behaviors("set MODE = GO {\n TAGGED_$[CONTACT] = true\n} STAY", "a.bhv")
    expected = "a.bhv:2: TAGGED_$[CONTACT] = true: a mode has no macros: it never holds"
    assert [str(one) for one in file.warnings] == [expected]
