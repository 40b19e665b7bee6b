"""The library's pages show its real output, and the tests they name exist."""

import contextlib
import io
import re
import shlex
import textwrap
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.__main__ import main

ROOT = Path(__file__).parents[2]
BLOCK = r"```{}\n(.*?)^```$"


def blocks(page, language):
    return re.findall(BLOCK.format(language), page, re.MULTILINE | re.DOTALL)


def block(page, language):
    (found,) = blocks(page, language)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("example", [0, 1])
def test_the_librarys_examples_print_the_output_on_the_page(example, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/vessel_library.md").read_text()
    code, output = (blocks(page, language) for language in ("python", "text"))
    assert len(code) == len(output) == 2
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code[example], {})
    assert printed.getvalue() == output[example]


def test_every_error_of_the_documents_has_a_test():
    page = (ROOT / "docs/physics_errors.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| ") and "| test |" not in row]
    tests = "\n".join(
        path.read_text()
        for folder in ("geometry", "vessel", "world")
        for path in (ROOT / "tests" / folder).rglob("test_*.py")
    )
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


def cybership(nu, tau):
    """Return nu_dot (3,) of CyberShip II, by Skjetne, Smogeli and Fossen (2004)."""
    u, v, r = nu
    M = np.array([[25.8, 0, 0], [0, 33.8, 1.0948], [0, 1.0948, 2.76]])
    c13, c23 = -33.8 * v - 1.0948 * r, 25.8 * u
    C = np.array([[0, 0, c13], [0, 0, c23], [-c13, -c23, 0]])
    d22 = 0.88965 + 36.47287 * abs(v) + 0.805 * abs(r)
    d23 = 7.25 + 0.845 * abs(v) + 3.45 * abs(r)
    d32 = -0.0313 - 3.95645 * abs(v) - 0.13 * abs(r)
    d33 = 1.9 - 0.08 * abs(v) + 0.75 * abs(r)
    d11 = 0.72253 + 1.32742 * abs(u) + 5.86643 * u * u
    D = np.array([[d11, 0, 0], [0, d22, d23], [0, d32, d33]])
    return np.linalg.solve(M, tau - C @ nu - D @ nu)


@pytest.mark.slow
def test_the_vessel_from_a_paper_moves_by_the_papers_equations(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/vessel_files.md").read_text()
    files = re.findall(r"`cybership/(\w+\.yml)`.*?```yaml\n(.*?)^```$", page, re.M | re.S)
    assert len(files) == 5
    (tmp_path / "cybership").mkdir()
    for name, text in files:
        (tmp_path / "cybership" / name).write_text(text)
    assert main(["check", "cybership"]) == 0
    _, output = capsys.readouterr().out.splitlines()
    assert "motions in sway, yaw: Y_r, N_v" in output
    code = page.rpartition("equations:\n\n")[2]
    names = {}
    exec(textwrap.dedent(code), names)
    nu, tau, h = np.zeros(3), np.array([1.8, 0.1, 0.08 * 0.2 + 0.5 * 0.1]), 0.05
    for _ in range(1200):
        k1 = cybership(nu, tau)
        k2 = cybership(nu + h / 2 * k1, tau)
        k3 = cybership(nu + h / 2 * k2, tau)
        k4 = cybership(nu + h * k3, tau)
        nu = nu + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert [names[axis][-1] for axis in "uvr"] == pytest.approx(nu, rel=1e-9)


@pytest.mark.slow
def test_the_commands_of_the_librarys_page_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # they draw pictures
    for command in block((ROOT / "docs/vessel_library.md").read_text(), "sh").splitlines():
        program, package, *arguments = shlex.split(command)
        assert (program, package) == ("steerageway", "vessel")
        assert main(arguments) == 0
