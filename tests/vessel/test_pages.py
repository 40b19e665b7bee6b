"""What the library's pages show is what it does, and the tests they name exist."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from vessel.__main__ import main

ROOT = Path(__file__).parents[2]
BLOCK = r"```{}\n(.*?)^```$"


def block(page, language):
    (found,) = re.findall(BLOCK.format(language), page, re.MULTILINE | re.DOTALL)
    return found


def test_the_librarys_example_prints_what_the_page_says():
    page = (ROOT / "docs/vessel_library.md").read_text()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block(page, "python"), {})
    assert printed.getvalue() == block(page, "text")


def test_every_error_of_the_documents_has_a_test():
    page = (ROOT / "docs/physics_errors.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| ") and "| test |" not in row]
    tests = "\n".join(path.read_text() for path in (ROOT / "tests/vessel").rglob("test_*.py"))
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named, row
        assert [name for name in named if f"def {name}(" not in tests] == []


@pytest.mark.slow
def test_the_commands_of_the_librarys_page_work():
    for command in block((ROOT / "docs/vessel_library.md").read_text(), "sh").splitlines():
        python, _, package, *arguments = shlex.split(command)
        assert (python, package) == ("python", "vessel")
        assert main(arguments) == 0
