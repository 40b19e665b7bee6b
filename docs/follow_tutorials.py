"""Runs the tutorials' commands, compares their output, and writes their pictures.

Use: ``python docs/follow_tutorials.py``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = {"steerageway": ["-m", "steerageway"], "python": []}
PAUSE = 900  # wall seconds


class NotSo(Exception):
    """What a page says is not so."""


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._said = ""
        self.done = 0

    def follow(self, page: str) -> None:
        """Do it all."""
        steps = {
            "sh": self._type,
            "fails": lambda text: self._type(text, 2),
            "text": self._compare,
            "diff": self._edit,
            "python": self._write,
        }
        for kind, text in BLOCK.findall(page):
            steps[kind](text)
            self.done += 1

    def _type(self, text: str, code: int = 0) -> None:
        self._said = ""
        for line in text.splitlines():
            program, *arguments = shlex.split(line)
            if program == "steerageway" and arguments[0] == "run":
                arguments += ["--port", "auto"]
            ended = subprocess.run(
                [sys.executable, *PROGRAMS[program], *arguments],
                cwd=self._folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                timeout=PAUSE,
                check=False,
            )
            if ended.returncode != code:
                raise NotSo(f"{line}\n{ended.stdout}\n{ended.stderr}")
            self._said += ended.stdout + ended.stderr

    def _compare(self, text: str) -> None:
        missing = [line for line in text.splitlines() if line not in self._said]
        if missing:
            raise NotSo(f"{missing} in\n{self._said}")

    def _edit(self, text: str) -> None:
        heading, *lines = text.splitlines()
        file = self._folder / heading.removeprefix("--- ")
        before = "".join(f"{line[1:]}\n" for line in lines if line.startswith("-"))
        after = "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))
        content = file.read_text()
        if content.count(before) != 1:
            raise NotSo(f"{file.name}:\n{before}")
        file.write_text(content.replace(before, after))

    def _write(self, text: str) -> None:
        name, _, program = text.partition("\n")
        (self._folder / name.removeprefix("# ")).write_text(program)


def main() -> None:
    """Follow each page in a folder of its own."""
    for page in sorted(TUTORIALS.glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            Reader(Path(folder)).follow(page.read_text())
            for picture in Path(folder).glob("*.png"):
                shutil.copy(picture, TUTORIALS)


if __name__ == "__main__":
    main()
