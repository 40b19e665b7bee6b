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


def blocks(page, language):
    return re.findall(BLOCK.format(language), page, re.MULTILINE | re.DOTALL)


def block(page, language):
    (found,) = blocks(page, language)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("example", [0, 1])
def test_the_librarys_examples_print_what_the_page_says(example, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/vessel_library.md").read_text()
    code, told = (blocks(page, language) for language in ("python", "text"))
    assert len(code) == len(told) == 2
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code[example], {})
    assert printed.getvalue() == told[example]


def test_every_error_of_the_documents_has_a_test():
    page = (ROOT / "docs/physics_errors.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| ") and "| test |" not in row]
    tests = "\n".join(path.read_text() for path in (ROOT / "tests/vessel").rglob("test_*.py"))
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named, row
        assert [name for name in named if f"def {name}(" not in tests] == []


@pytest.mark.slow
def test_the_vessel_from_a_drawing_is_whole_and_can_be_steered(tmp_path, capsys):
    page = (ROOT / "docs/vessel_files.md").read_text()
    files = dict(re.findall(r"`boat/(\w+\.yml)`:\n\n```yaml\n(.*?)^```$", page, re.M | re.S))
    assert sorted(files) == ["geometry.yml", "inertia.yml", "thrusters.yml"]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    exec(block(page, "python"), {})
    (tmp_path / "hydrodynamics.yml").write_text(capsys.readouterr().out)
    assert main(["check", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1  # no doubts
    assert main(["tune", str(tmp_path), "--thrust", "30"]) == 0
    assert "yaw_pid_kp" in capsys.readouterr().out


@pytest.mark.slow
def test_the_commands_of_the_librarys_page_work():
    for command in block((ROOT / "docs/vessel_library.md").read_text(), "sh").splitlines():
        python, _, package, *arguments = shlex.split(command)
        assert (python, package) == ("python", "vessel")
        assert main(arguments) == 0
