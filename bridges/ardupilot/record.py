"""What a firmware has answered, as a file: a later run repeats it without the firmware.

A line ``0 2500000000 0 1500,1500,1600`` holds the case, the instant [ns], 1 if the firmware was
restarted, and the pulse widths [us] of all outputs, each time that they change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import TextIOBase
from pathlib import Path

from steerageway.bus import CannotGoOn
from steerageway.diagnostics.diagnostic import reason

Answer = tuple[tuple[int, ...], bool]
"""Pulse widths of all outputs [us], and whether the firmware was restarted."""

_LINE = re.compile(r"(\d{1,9}) (\d{1,19}) ([01]) (\d{1,5}(?:,\d{1,5})*)\n?")


class Recorder:
    """Writes answers.

    Raises:
        CannotGoOn: the file cannot be made.
    """

    def __init__(self, file: Path) -> None:
        self._path = file
        try:
            self._file: TextIOBase = file.open("w", encoding="ascii")
        except OSError as error:
            raise CannotGoOn(f"{file}: {error.strerror}") from error
        self._last: tuple[int, ...] = ()

    def write(self, case: int, instant: int, answer: Answer) -> None:
        """Note an answer."""
        pwm, restarted = answer
        if pwm != self._last or restarted:
            self._last = pwm
            try:
                self._file.write(f"{case} {instant} {int(restarted)} {','.join(map(str, pwm))}\n")
            except OSError as error:
                raise CannotGoOn(f"{self._path}: {error.strerror}") from error

    def close(self) -> None:
        """Close the file; closing again does nothing."""
        self._file.close()


class Repeater:
    """Gives the answers of an earlier run.

    Raises:
        CannotGoOn: there is no such file, or a line is wrong.
    """

    def __init__(self, file: Path) -> None:
        self._path = file
        try:
            self._lines = list(self._read(file.read_text(encoding="ascii").splitlines()))
        except (OSError, UnicodeDecodeError) as error:
            why = reason(error)
            raise CannotGoOn(
                f"{file}: {why}; expected what the firmware answered in the run that is repeated"
            ) from error
        self._place = 0
        self._pwm: tuple[int, ...] = ()

    def at(self, case: int, instant: int) -> Answer:
        """Return the answer at an instant [ns] of a case; they are asked for in order."""
        restarted = False
        while self._place < len(self._lines) and self._lines[self._place][:2] <= (case, instant):
            _, _, again, self._pwm = self._lines[self._place]
            restarted = restarted or again
            self._place += 1
        return self._pwm, restarted

    def _read(self, lines: list[str]) -> Iterator[tuple[int, int, bool, tuple[int, ...]]]:
        for number, line in enumerate(lines, 1):
            found = _LINE.fullmatch(line)
            if found is None:
                expected = "expected case, instant, 0 or 1, and pulse widths by commas"
                raise CannotGoOn(f"{self._path}:{number}: {expected}")
            case, instant, restarted, pwm = found.groups()
            widths = tuple(map(int, pwm.split(",")))
            yield int(case), int(instant), restarted == "1", widths
