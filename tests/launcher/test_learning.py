"""Examples of docs/python.md run as printed, with the printed output."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
pytestmark = pytest.mark.slow


def program(word: str) -> str:
    """Return the program of the page in which a word stands."""
    (found,) = [text for text in PROGRAMS if word in text]
    return str(found)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("word", ["run_until(60.0)", "for heading in"])
def test_the_programs_of_the_page_run(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(program(word), {})
    numbers = [float(text) for text in capsys.readouterr().out.split()]
    assert all(number == number for number in numbers)
    assert len(numbers) in (3, 6)


def test_under_twenty_lines_make_a_mission_an_environment() -> None:
    text = program("gym.Env")
    body = text[text.index("class Helm") :]
    assert "Nineteen lines" in PAGE
    assert len([line for line in body.splitlines() if line.strip()]) == 19
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    names: dict[str, Any] = {}
    exec(text, names)
    environment = names["Helm"]()
    check_env(environment, skip_render_check=True)
    assert isinstance(environment, gymnasium.Env)
    rewards = []
    for _ in range(2):
        environment.reset(seed=5)
        rewards.append([environment.step([0.3])[1] for _ in range(20)])
    assert rewards[0] == rewards[1]
    assert len(set(rewards[0])) > 10
