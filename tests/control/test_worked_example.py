"""The page's way from a boat's sheet and a recorded run to a mission works as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.launcher.verbs import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "control.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.process
def test_a_boat_sails_its_mission_with_what_its_run_has_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "vessel", "skiff"]) == 0
    for name, text in re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        Path(name).write_text(text)
    programs = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    trims, loop, *_, example = programs
    Path("all.py").write_text("\n".join((trims, loop, example)))
    ended = subprocess.run(
        [sys.executable, "all.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert all(Path(name).is_file() for name in ("otter.mat", "bode.png", "nyquist.png"))
    for name, truth in (("X_u_au", -9.0), ("N_r", -2.2)):
        (found,) = re.findall(rf"^{name} = .*95 %: (\S+) to (\S+)$", ended.stdout, re.MULTILINE)
        assert float(found[0]) <= truth <= float(found[1])
    reached, time = ended.stdout.splitlines()[-1].split()
    assert reached == "True"
    assert float(time) < 600.0
