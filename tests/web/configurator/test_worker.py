"""Diagnostics of a vessel's files are split by file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.web.configurator.worker import located
from steerageway.world.document import read
from steerageway.world.errors import InvalidValue

TEXT = "hull:\n  length: long\n  breadth: 1\nmas: 3\n"


def test_errors_of_a_file_are_shown_at_their_fields(tmp_path: Path) -> None:
    path = tmp_path / "hull.yml"
    path.write_text(TEXT)
    mistakes: list[InvalidValue] = []
    section = read(path)
    section = type(section)(path, section.line, section.nodes, mistakes=mistakes)
    section.section("hull").number("length")
    section.number("mass")
    section.finish()
    found = [one for mistake in mistakes for one in mistake.diagnostics]
    assert located(tmp_path, found) == [
        {"file": "hull.yml", "line": 2, "key": "hull.length", "text": "long: expected a number"},
        {"file": "hull.yml", "line": 0, "key": "mass",
         "text": f"missing: expected a number; the nearest that is there is {path.name}:4: mas"},
        {"file": "hull.yml", "line": 4, "key": "mas", "text": "unknown key; did you mean mass?"},
    ]  # fmt: skip
    assert str(mistakes[0]) == f"{path}:2: hull.length = long: expected a number"
    assert str(mistakes[1]).startswith(f"{path}: mass is missing: expected a number")


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Diagnostic(expected="no such folder"), "no such folder"),
        (Diagnostic("/v/hull.stl", expected="no mesh"), "hull.stl: no mesh"),
    ],
)
def test_an_error_without_a_field_is_reported_in_full(one: Diagnostic, text: str) -> None:
    assert located(Path("/v"), [one]) == [{"file": "", "line": 0, "key": "", "text": text}]
