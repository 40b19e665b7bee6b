"""Fixtures: a small mission (duet) of two user-defined apps, for launching."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

APPS = '''
from steerageway.bus import App, Parameter


class Walker(App):
    """Walks east while told to."""

    publishes = ("NAV_X", "NAV_Y", "ARRIVED")
    parameters = (Parameter("pace", "1", "metres a tick, above 0"),)

    def configure(self):
        self.pace = self.config.number("pace", default=1.0, above=0.0)
        self.x, self.going = 0.0, False

    def on_start(self):
        self.register("GO")

    def on_mail(self, mail):
        self.going = mail[-1].value == "true"

    def iterate(self):
        self.x += self.pace * self.going
        self.post("NAV_X", self.x)
        self.post("NAV_Y", 0)
        if self.x >= 10:
            self.post("ARRIVED", "true")


class Echo(App):
    """Repeats a position, and waits for what nobody says."""

    publishes = ("ECHO",)
    last_wins = True
    keeps_quotes = True

    def configure(self):
        self.word = self.config.text("word")

    def on_start(self):
        self.register("NAV_X", "NEVER", "DESIRED_DEPTH")

    def on_mail(self, mail):
        self.post("ECHO", mail[-1].value)


class Breaker(App):
    """Fails at its third iteration."""

    def iterate(self):
        if self.iteration == 3:
            raise RuntimeError("out of steam")
'''

MISSION = """\
Community = duet
MOOSTimeWarp = 50

ProcessConfig = ANTLER
{
  MSBetweenLaunches = 200
  Run = MOOSDB
  Run = duet:Walker @ NewConsole = false
  Run = pMarineViewer
  Run = duet:Echo ~ pEcho
}

ProcessConfig = Walker
{
  AppTick = 4
  pace = 2
}
"""


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty folder, with another for generated files; unload ``walk.py`` after."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "walk", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def duet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a mission file; the process is in an empty folder and unloads modules after."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "duet", raising=False)
    folder, here = tmp_path / "duet", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    (folder / "duet.py").write_text(APPS)
    mission = folder / "duet.moos"
    mission.write_text(MISSION)
    return mission


@pytest.fixture
def edit(duet: Path) -> Callable[[str, str], Path]:
    """Return a way to change the mission: replace a text, get the file."""

    def replace(old: str, new: str) -> Path:
        text = duet.read_text()
        assert old in text
        duet.write_text(text.replace(old, new))
        return duet

    return replace
