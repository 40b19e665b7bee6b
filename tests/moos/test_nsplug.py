"""Templates as ``nsplug`` expands them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steerageway.apps.experiments.nsplug.command import main
from steerageway.moos.errors import FormatError
from steerageway.moos.nsplug import DEFINED, expand

REFERENCE = Path(__file__).parent.parent / "reference"


def plug(folder: Path, text: str, *search: Path, **macros: str) -> list[str]:
    """Expand a template; give its lines."""
    (folder / "meta.moos").write_text(text)
    return expand(folder / "meta.moos", macros, search).text.splitlines()


def test_macros_are_replaced_in_capitals_and_by_default(tmp_path: Path) -> None:
    line = "a = $(NAME), $(NAME)x%(NAME), $(NONE:=7), $(NONE=x y), $(NAME:=other)"
    assert plug(tmp_path, line, NAME="abe") == ["a = abe, abexABE, 7, x y, abe"]


def test_a_line_with_an_unknown_macro_stays_whole_and_is_reported(tmp_path: Path) -> None:
    (tmp_path / "meta.moos").write_text("one\n$(KNOWN) $(UNKNOWN) %(OTHER)\n")
    expansion = expand(tmp_path / "meta.moos", {"KNOWN": "1"})
    assert expansion.text == "one\n$(KNOWN) $(UNKNOWN) %(OTHER)\n"
    (warning,) = map(str, expansion.unknown)
    assert warning.endswith("meta.moos:2: $(KNOWN) $(UNKNOWN) %(OTHER): no macro UNKNOWN, OTHER")


def test_a_macro_in_a_comment_need_not_be_known(tmp_path: Path) -> None:
    lines = "  // group = $(GROUP)\nport = $(PORT) // of $(NAME)"
    (tmp_path / "meta.moos").write_text(lines)
    expansion = expand(tmp_path / "meta.moos", {"NAME": "abe"}, ())
    assert expansion.text.splitlines() == lines.splitlines()
    (warning,) = map(str, expansion.unknown)
    assert warning.endswith("no macro PORT")


def test_names_of_macros_are_case_sensitive(tmp_path: Path) -> None:
    assert plug(tmp_path, "$(Name)", NAME="x") == ["$(Name)"]


def test_a_definition_of_a_file_counts_and_its_replacing_another_is_reported(
    tmp_path: Path,
) -> None:
    text = "#define A 1\n#define $(B) $(A)2\n#define C\n$(A) $(B) [$(C)]"
    assert plug(tmp_path, text) == ["1 12 []"]
    lines, (warning,) = expanded_lines(tmp_path, text, A="9", C=DEFINED)
    assert lines == ["1 12 []"]
    why = "replaces the value '9', which it has already; '1' counts"
    assert warning == f"meta.moos:1: #define A: {why}"
    assert expanded_lines(tmp_path, f"#ifndef A\n{text}\n#endif", A="9") == ([], [])


CASES = json.loads((REFERENCE / "nsplug" / "cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["template"].split("\n")[0] for case in CASES])
def test_templates_become_what_nsplug_makes_of_them(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("meta").write_bytes(case["template"].encode())
    assert main(["meta", "targ", *case["arguments"]]) == 0
    # nsplug adds an empty line behind each file
    assert Path("targ").read_bytes().decode() + "\n" == case["expanded"]


def test_macros_in_the_value_of_a_macro_are_expanded_at_its_use(tmp_path: Path) -> None:
    text = "#define POS x=$(X),y=$(Y)\n#define X 1\n$(POS)\n#define X $(Y)0\n$(POS)"
    assert plug(tmp_path, text, Y="2") == ["x=1,y=2", "x=20,y=2"]
    assert plug(tmp_path, "$(START)", START="$(Y),$(Y)", Y="2") == ["2,2"]
    assert plug(tmp_path, "$(NONE:=$(Y))", Y="2") == ["2"]


def test_a_macro_that_names_itself_is_left_and_reported(tmp_path: Path) -> None:
    (tmp_path / "meta.moos").write_text("#define A $(B)\n#define B b$(A)\nx = $(A)\n")
    expansion = expand(tmp_path / "meta.moos", {})
    assert expansion.text == "x = $(A)\n"
    (warning,) = map(str, expansion.unknown)
    assert "meta.moos:3: x = $(A): no macro" in warning


def test_tabs_in_a_directive_are_blanks_and_those_in_other_lines_stay(tmp_path: Path) -> None:
    (tmp_path / "tags.moos").write_text("<tag>\tuvs\nu\n<tag> other\no\n")
    text = (
        "#define\tA\tone two\n#define B \t 1  : \t2 \n"
        "#ifdef\tA\tone two\t&&\tB\nyes\t$(B)\n#endif\n"
        "#ifndef\tC\tD\nnone\n#endif\n#include\ttags.moos\t<uvs>"
    )
    assert plug(tmp_path, text) == ["yes\t1 : 2", "none", "u"]


def test_a_default_with_a_colon_replaces_an_empty_value_too(tmp_path: Path) -> None:
    line = "[$(A:=1)] [$(A=1)] [$(B:=2)] [$(B=2)]"
    assert plug(tmp_path, line, A="", B=DEFINED) == ["[1] [] [2] []"]


@pytest.mark.parametrize(
    ("directive", "holds"),
    [
        ("#ifdef A", True),
        ("#ifdef NO", False),
        ("#ifdef A one", True),
        ("#ifdef A two", False),
        ("#ifdef A   one", True),
        ("#ifdef NO one", False),
        ("#ifdef NO NEITHER", False),
        ("#ifdef A B", True),
        ("#ifdef $(A) one", False),
        ("#ifdef NO || #ifdef A one", False),
        ("#ifdef NO || A one", True),
        ("#ifdef A && NO", False),
        ("#ifdef A && B", True),
        ("#ifndef NO", True),
        ("#ifndef NO A", False),
        ("#ifndef NO NEITHER", True),
        ("#ifdef BARE", True),
        ("#ifdef EMPTY", False),
        ("#ifdef EMPTY one", True),
        ("#ifdef EMPTY && A", True),
        ("#ifdef NO one && A", True),
        ("#ifdef", False),
        ("#ifndef", False),
        ("#ifndef EMPTY", True),
        (" \t#ifdef A", True),
    ],
)
def test_a_condition_keeps_its_lines_or_those_of_else(
    directive: str, holds: bool, tmp_path: Path
) -> None:
    text = f"{directive}\nyes\n#else\nno\n#endif\nend"
    expected = ["yes" if holds else "no", "end"]
    assert plug(tmp_path, text, A="one", B="one", BARE=DEFINED, EMPTY="") == expected


@pytest.mark.parametrize(("mode", "expected"), [("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")])
def test_the_first_branch_that_holds_is_used(mode: str, expected: str, tmp_path: Path) -> None:
    text = "#ifdef M a\n1\n#elseifdef M b\n2\n#elseifdef M c\n3\n#else\n4\n#endif"
    assert plug(tmp_path, text, M=mode) == [expected]


def test_inactive_branches_define_and_include_nothing(tmp_path: Path) -> None:
    text = (
        "#ifdef NO\n#define A 1\n#include nowhere\n#ifdef X\n#else\nx\n#endif\n#endif\n$(A:=none)"
    )
    assert plug(tmp_path, text) == ["none"]


def test_files_are_included_whole_or_by_section(tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (tmp_path / "plug.moos").write_text("here $(A)\n")
    (more / "plug.moos").write_text("never found first\n")
    (more / "all.moos").write_text("<tag> uvs\nu = $(A)\n<tag> ship\ns = $(A)\n#define Z 3\n")
    text = '#include "plug.moos"\n#include all.moos <ship>\n#include $(F).moos <uvs>\n$(Z)'
    assert plug(tmp_path, text, more, A="5", F="all") == ["here 5", "s = 5", "u = 5", "3"]


@pytest.mark.parametrize("heading", ["<tag><s-1>", "<tag> <s-1>", " <tag>\ts-1 ", "<tag>s-1"])
def test_a_section_is_headed_with_or_without_chevrons(heading: str, tmp_path: Path) -> None:
    (tmp_path / "all.moos").write_text(
        f"top\n<tag><other>\nno\n{heading}\n  yes\n<tag><more>\nno\n"
    )
    assert plug(tmp_path, "#include all.moos <s-1>\nend") == ["  yes", "end"]
    assert plug(tmp_path, "#include all.moos") == ["top", "no", "  yes", "no"]


def test_an_existing_section_gives_no_warning(tmp_path: Path) -> None:
    (tmp_path / "tags.moos").write_text("<tag> one\n1\n")
    assert expanded_lines(tmp_path, "#include tags.moos <one>") == (["1"], [])


def test_a_missing_section_is_empty_and_reported(tmp_path: Path) -> None:
    (tmp_path / "tags.moos").write_text("<tag> one\n1\n")
    (tmp_path / "meta.moos").write_text("#ifdef A\n#endif\n#include tags.moos <no>\nend\n")
    expansion = expand(tmp_path / "meta.moos", {})
    assert expansion.text == "end\n"
    (warning,) = map(str, expansion.warnings)
    assert warning.endswith("/meta.moos:3: #include tags.moos <no>: no section of this tag")


def test_lines_know_where_they_stood(tmp_path: Path) -> None:
    (tmp_path / "plug.moos").write_text("inner\n")
    (tmp_path / "meta.moos").write_text("first\n#include plug.moos\nlast\n")
    lines = expand(tmp_path / "meta.moos", {}).lines
    assert [(line.text, Path(line.where).name) for line in lines] == [
        ("first", "meta.moos:1"),
        ("inner", "plug.moos:1"),
        ("last", "meta.moos:3"),
    ]


def expanded_lines(folder: Path, text: str, **macros: str) -> tuple[list[str], list[str]]:
    """Expand a template; give its lines, and the warnings without the folder."""
    (folder / "meta.moos").write_text(text)
    expansion = expand(folder / "meta.moos", macros)
    warnings = [str(warning).removeprefix(f"{folder}/") for warning in expansion.warnings]
    return expansion.text.splitlines(), warnings


@pytest.mark.parametrize("mixed", ["#ifdef A && B || C", "#ifdef A || B && C one"])
def test_a_condition_that_mixes_and_with_or_is_false_and_reported(
    mixed: str, tmp_path: Path
) -> None:
    lines, warnings = expanded_lines(
        tmp_path, f"{mixed}\nyes\n#else\nno\n#endif", A="1", B="1", C="one"
    )
    assert lines == ["no"]
    why = "|| and && together are never true; expected only || or only &&"
    assert warnings == [f"meta.moos:1: {mixed}: {why}"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("#ifdef", "expected M, or M value, joined by || or &&; an empty one is false"),
        ("#ifdef A ||", "expected M, or M value, joined by || or &&; an empty one is false"),
        ("#ifndef", "false: expected names of macros"),
        ("#ifdef A\n#else\n#else", "a second #else has no effect"),
    ],
)
def test_a_condition_that_nsplug_takes_in_spite_of_a_mistake_is_reported(
    line: str, why: str, tmp_path: Path
) -> None:
    _, (warning,) = expanded_lines(tmp_path, f"{line}\nx\n#endif")
    number = 1 + line.count("\n")
    assert warning == f"meta.moos:{number}: {line.splitlines()[-1]}: {why}"


def test_a_comment_after_a_condition_is_part_of_it_and_reported(tmp_path: Path) -> None:
    text = "#ifdef A 1 // one\nyes\n#elseifdef A 1 // B\nyes\n#else // not\nno\n#endif // A\n"
    (tmp_path / "meta.moos").write_text(text)
    expansion = expand(tmp_path / "meta.moos", {"A": "1"})
    assert expansion.text == "no\n"
    first, second = map(str, expansion.warnings)
    assert "meta.moos:1: #ifdef A 1 // one: the comment is part of the condition" in first
    assert "meta.moos:3: #elseifdef A 1 // B: the comment" in second


def test_an_unclosed_condition_extends_to_the_end_and_is_reported(tmp_path: Path) -> None:
    text = "first\n#ifdef A\nyes\n#ifndef B\nno\n"
    open_at = "meta.moos:{}: no #endif for it: it counts to the end".format
    assert expanded_lines(tmp_path, text, A="1", B="1") == (
        ["first", "yes"],
        [open_at(2), open_at(4)],
    )
    assert expanded_lines(tmp_path, text, B="1")[0] == ["first"]


def test_a_condition_left_open_by_an_included_file_continues_after_it(tmp_path: Path) -> None:
    (tmp_path / "begin.moos").write_text("#ifdef A\ninner\n")
    (tmp_path / "end.moos").write_text("#endif\n")
    around = "#include begin.moos\nouter\n{}\nlast"
    assert expanded_lines(tmp_path, around.format("#endif")) == (["last"], [])
    (lines, (warning,)) = expanded_lines(tmp_path, around.format(""), A="1")
    assert lines == ["inner", "outer", "", "last"]
    assert warning == "begin.moos:1: no #endif for it: it counts to the end"
    closed = "#ifdef A\n#include end.moos\nlast"
    assert expanded_lines(tmp_path, closed, A="1") == (["last"], [])


def test_only_the_first_word_of_a_line_can_be_a_directive(tmp_path: Path) -> None:
    text = "x #define A 1\n#defined\n// #ifdef X"
    assert plug(tmp_path, text) == text.splitlines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n#endif", "meta.moos:2: #endif: there is no #ifdef"),
        ("#else", "there is no #ifdef"),
        ("#ifndef A\n#elseifdef B\n#endif", "meta.moos:2: #elseifdef = B: there is no #ifdef"),
        ("#ifdef A\n#else\n#elseifdef B", "meta.moos:3: #elseifdef = B: there is no #ifdef"),
        ("#define", "expected NAME value"),
        ("#include nowhere.moos", "meta.moos:1: #include = nowhere.moos: expected a file in "),
        ("#include meta.moos", "includes itself"),
        ("#include", "expected a file"),
    ],
)
def test_an_invalid_directive_is_named(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as error:
        plug(tmp_path, text)
    assert expected in str(error.value)


@pytest.mark.slow
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1))
def test_a_line_without_macros_and_directives_stays_unchanged(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    assume("$(" not in line and "%(" not in line and not line.strip().startswith(("#", "<")))
    path = tmp_path_factory.mktemp("plug") / "meta.moos"
    path.write_text(f"{line}\nend\n")
    assert expand(path, {}).text == f"{line}\nend\n"
