"""Unexpected errors in one line, with the place in the user's code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.diagnostics.error_text import error_text


def failure(file: Path, text: str) -> BaseException:
    """Return the exception of a file's ``go``, as its caller sees it."""
    names: dict[str, Callable[[], Any]] = {}
    exec(compile(text, str(file), "exec"), names)
    with pytest.raises(Exception) as found:
        names["go"]()
    return found.value.with_traceback(found.tb.tb_next)


def test_an_error_in_a_project_package_is_reported_at_the_users_line(
    tmp_path: Path,
) -> None:
    text = "from steerageway.declarations import finite\n\n\ndef go():\n    finite(None)\n"
    error = failure(tmp_path / "mine.py", text)
    assert error_text(error).endswith("(mine.py:5)")


def test_an_error_in_a_library_is_reported_at_the_users_line(tmp_path: Path) -> None:
    error = failure(tmp_path / "mine.py", "import json\n\ndef go():\n    json.loads('?')\n")
    assert error_text(error).endswith("(mine.py:4)")


def test_an_error_in_a_bundled_app_is_reported_at_its_line() -> None:
    apps = Path(__file__).parents[2] / "apps"
    error = failure(apps / "late.py", "def go():\n    [][0]\n")
    assert error_text(error) == "IndexError: list index out of range (late.py:2)"
