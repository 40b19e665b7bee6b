"""Warnings about misspelt values at launch."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steerageway.diagnostics.slips import is_slip, meant_by
from steerageway.launcher import Mission
from steerageway.launcher.mission_names import SHIPPED, shipped_names


@pytest.mark.parametrize(
    ("value", "others", "expected"),
    [
        ("ture", (), "true"),
        ("flase", (), "false"),
        ("treu", (), "true"),
        ("TRU", (), "true"),
        ("true", (), ""),
        ("False", (), ""),
        ("SURVYE", ("SURVEY", "RETURN"), "SURVEY"),
        ("SURVEYY", ("SURVEY",), "SURVEY"),
        ("SURVEY", ("RETURN",), ""),
        ("mode_a", ("mode_b",), ""),
        ("leg1", ("leg",), ""),
        ("east", ("west", "eats"), ""),
        ("complete", (), ""),
    ],
)
def test_a_value_is_reported_as_misspelt_only_if_nearly_another(
    value: str, others: tuple[str, ...], expected: str
) -> None:
    assert meant_by(value, others) == expected


def test_an_additional_digit_is_not_reported_as_misspelt() -> None:
    assert not is_slip("leg1", "leg")
    assert is_slip("surve", "survey")


def test_a_misspelt_value_of_the_command_line_is_reported() -> None:
    with Mission("alpha", set={"DEPLOY": "ture"}) as alpha:
        assert "--set DEPLOY=ture: value ture of DEPLOY; the nearest is true" in alpha.warnings
    with Mission("alpha", until=["MISSION = compelte"]) as alpha:
        (warning,) = [text for text in alpha.warnings if "nearest is complete" in text]
        assert warning.startswith("--until MISSION = compelte")


def test_a_misspelt_value_of_a_script_is_reported_once() -> None:
    with Mission("alpha") as alpha:
        ture = "^post RETURN=ture: value ture of RETURN; the nearest is true$"
        with pytest.warns(UserWarning, match=ture) as found:
            alpha.post("RETURN", "ture")
        alpha.post("RETURN", "ture")
        assert [one.filename for one in found] == [__file__]
        with pytest.warns(UserWarning, match="value compleet of MISSION; the nearest is complete"):
            alpha.run_until("MISSION = compleet", limit=0.1)


@pytest.mark.slow
def test_a_misspelt_value_of_a_behavior_file_is_reported_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "alpha"
    shutil.copytree(SHIPPED / "alpha", folder)
    text = (folder / "alpha.bhv").read_text()
    line = "condition = RETURN = false"
    assert line in text
    (folder / "alpha.bhv").write_text(text.replace(line, "condition = RETURN = flase"))
    number = text[: text.index(line)].count("\n") + 1
    with Mission(folder) as alpha:
        assert list(alpha.warnings) == [
            f"{folder}/alpha.bhv:{number}: RETURN = flase: the nearest is false"
        ]


@pytest.mark.slow
def test_a_misspelt_value_of_every_condition_is_reported_at_each(tmp_path: Path) -> None:
    folder = tmp_path / "alpha"
    shutil.copytree(SHIPPED / "alpha", folder)
    path = folder / "alpha.bhv"
    text = path.read_text()
    assert "initialize DEPLOY = true" in text
    path.write_text(text.replace("condition = DEPLOY = true", "condition = DEPLOY = ture"))
    lines = [n for n, line in enumerate(path.read_text().splitlines(), 1) if "= ture" in line]
    assert len(lines) > 1
    with Mission(folder) as alpha:
        assert list(alpha.warnings) == [
            f"{path}:{line}: DEPLOY = ture: the nearest is true" for line in lines
        ]


SLOW = {"condition = SLOW = true": "condition = SLOW = yes"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "warnings"),
    [
        (SLOW, ["SLOW = yes: nobody posts this value; posted are true, false"]),
        (SLOW | {"endflag   = SLOW = false": "endflag   = SLOW = $[OWNSHIP]"}, []),
        ({"speed  = 3  ": "speed  = 9  "}, ["speed = 9: speed 9 is above the domain's 4, which"]),
    ],
)
def test_a_check_reports_what_is_awaited_in_vain_and_speeds_beyond_the_domain(
    changes: dict[str, str], warnings: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "alpha"
    shutil.copytree(SHIPPED / "alpha", folder)
    text = (folder / "alpha.bhv").read_text()
    for line, changed in changes.items():
        assert line in text
        text = text.replace(line, changed)
    (folder / "alpha.bhv").write_text(text)
    with Mission(folder) as alpha:
        found = list(alpha.warnings)
    assert len(found) == len(warnings)
    assert all(wanted in one for wanted, one in zip(warnings, found, strict=True))


def shipped_missions() -> Iterator[Any]:
    """Return the missions of one community; those that load a compiled vessel are slow."""
    for name in shipped_names():
        file = SHIPPED / name / f"{name}.moos"
        if file.exists():
            compiled = re.search(r"model *= *fossen", file.read_text())
            yield pytest.param(name, marks=pytest.mark.slow if compiled else ())


@pytest.mark.parametrize("name", list(shipped_missions()))
def test_no_shipped_mission_has_a_value_that_looks_misspelt(name: str) -> None:
    with Mission(name) as mission:
        doubts = ("the nearest is", "nobody posts", "above the domain", "not used")
        assert [text for text in mission.warnings if any(one in text for one in doubts)] == []
