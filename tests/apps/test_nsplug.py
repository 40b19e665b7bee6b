"""The command ``nsplug``: expansion of templates, compatible with MOOS-IvP's program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.apps.experiments.nsplug.command import main


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("meta.moos").write_text("Community = $(VNAME)\nspeed = $(SPD)\n#include more.txt\n")
    Path("parts").mkdir()
    Path("parts/more.txt").write_text("%(VNAME)\n")
    return "meta.moos"


def test_a_template_becomes_a_file(template: str) -> None:
    assert main([template, "targ.moos", "-f", "VNAME=abe", "SPD=2", "--path=parts"]) == 0
    assert Path("targ.moos").read_text() == "Community = abe\nspeed = 2\nABE\n"


def test_macros_of_files_count_after_those_of_the_command_line(template: str) -> None:
    Path("all.txt").write_text("VNAME=all  // remark\n#define SPD 1\n\n")
    Path("fast.txt").write_text('SPD = "4"\n')
    call = [template, "targ.moos", "VNAME=abe", "--path=parts", "--macros=all.txt:fast.txt"]
    assert main(call) == 0
    assert Path("targ.moos").read_text() == "Community = abe\nspeed = 4\nABE\n"


def test_an_existing_file_is_replaced_only_if_requested(
    template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("targ.moos").write_text("mine\n")
    call = [template, "targ.moos", "VNAME=abe", "SPD=2", "--path=parts"]
    assert main(call) == 2
    assert Path("targ.moos").read_text() == "mine\n"
    assert "-f replaces it" in capsys.readouterr().err
    assert main([*call, "--force"]) == 0


def test_an_unknown_macro_is_a_warning_or_strictly_an_error(
    template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [template, "targ.moos", "VNAME=abe", "--path=parts"]
    assert main([*call, "--strict"]) == 1
    assert not Path("targ.moos").exists()
    assert main(call) == 0
    assert "no macro SPD" in capsys.readouterr().err
    assert "speed = $(SPD)\n" in Path("targ.moos").read_text()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (["meta.moos"], "expected a template and a file to make"),
        (["none.moos", "targ.moos"], "none.moos: cannot be read"),
        (["meta.moos", "targ.moos", "--macros=none.txt"], "none.txt: cannot be read"),
        (["meta.moos", "targ.moos", "--macros=bad.txt"], "bad.txt:1"),
        (["meta.moos", "none/targ.moos", "--path=parts"], "cannot be written"),
    ],
)
def test_errors_are_reported(
    call: list[str], expected: str, template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.txt").write_text("= 3\n")
    assert main(call) == 2
    assert expected in capsys.readouterr().err


def test_the_options_of_nsplug_are_known(
    template: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A word that is none of them is a macro, as in MOOS-IvP's program."""
    Path("meta.moosx").write_text("$(ONE) $(--two) $(three)\n")
    call = ["meta.moos", "targ.moos", "-p", "parts", "-x", "-t", "-l", "ONE=1", "--two"]
    assert main(call) == 0
    assert capsysbinary.readouterr().out == b"1  $(three)\n"
    assert not Path("targ.moos").exists()
    assert main([*call, "-s"]) == 1


@pytest.mark.process
def test_it_runs_standalone_and_writes_to_a_pipe(template: str) -> None:
    command = [sys.executable, "-m", "steerageway.apps.nsplug", template, "-", "VNAME=a", "SPD=1"]
    ended = subprocess.run([*command, "--path=parts"], capture_output=True, text=True, check=True)
    assert ended.stdout == "Community = a\nspeed = 1\nA\n"
