"""Reads what drift there is from a block: one line a source, and the sources add up.

drift    = type=gusts, dir=137, mag=0.5:1.5, every=60, rise=5, fall=5
drift    = type=field, file=harbour.csv
rotate   = type=gauss_markov, sigma=2, tau=20
multiply = at=60, factor=-1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random

from steerageway.bus import Config, Entry
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import bite, by_key, is_number
from steerageway.vessel.drift_sources import (
    M2,
    BuildUp,
    Constant,
    Gale,
    GaussMarkov,
    Gusts,
    Push,
    Source,
    Strength,
    Tide,
)
from steerageway.vessel.errors import InvalidValue
from steerageway.world import current_field
from steerageway.world.current_field import CurrentField

MakeRandom = Callable[[str], Random]


@dataclass(frozen=True, slots=True)
class Multiplication:
    """A factor on all drift.

    Attributes:
        start, every: of the first time, and between times [s].
        times: how often.
    """

    factor: float
    start: float
    every: float
    times: int

    def due(self, t: float) -> int:
        """Give how often it has been due by a time [s]."""
        if t < self.start:
            return 0
        return min(self.times, 1 + int(round((t - self.start) / self.every, 9)))


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything a block says of drift.

    Attributes:
        pushes: drifts that are the same everywhere.
        fields: currents that differ from place to place.
        turns: rotations [deg/s].
        multiplications: factors on the drift.
    """

    pushes: tuple[Source, ...]
    fields: tuple[CurrentField, ...]
    turns: tuple[Strength, ...]
    multiplications: tuple[Multiplication, ...]

    @property
    def drifts(self) -> bool:
        """Whether there is any drift to post."""
        return bool(self.pushes or self.fields)


def read_sources(config: Config, folder: Path, random: MakeRandom) -> Sources:
    """Read the ``drift``, ``rotate`` and ``multiply`` lines.

    Args:
        folder: of the mission; files are looked for there.
        random: gives a generator for a stream of that name.
    Raises:
        ConfigError: a line is wrong.
    """
    drifts = [_Line(entry) for entry in config.all("drift")]
    turns = [_Line(entry) for entry in config.all("rotate")]
    fields = [line for line in drifts if line.kind == "field"]
    pushes: list[Source] = []
    for stream, line in _streams("drift", drifts):
        if line.kind != "field":
            pushes += _pushes(line, stream, random)
    return Sources(
        pushes=tuple(pushes),
        fields=tuple(_field(line, folder) for line in fields),
        turns=tuple(_turn(line, random(stream)) for stream, line in _streams("rotate", turns)),
        multiplications=tuple(_multiplication(entry) for entry in config.all("multiply")),
    )


class _Line:
    """One line's fields, read one by one.

    Attributes:
        entry: the line. kind: what its ``type`` says. turns: it is about rotation, not drift.
    """

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.turns = entry.key.lower() == "rotate"
        self.fields = by_key(entry.value)
        self.kind = self.fields.pop("type", "").lower()
        self._asked: list[str] = []

    def text(self, key: str) -> str | None:
        self._asked.append(key)
        return self.fields.get(key)

    def number(
        self, key: str, default: float | None = None, *, above: float = -inf, low: float = -inf
    ) -> float:
        text = self.text(key)
        if text is None and default is not None:
            return default
        if text is None or not is_number(text) or float(text) <= above or float(text) < low:
            bound = f" above {above:g}" if above > -inf else f", {low:g} or more"
            raise self.error(f"{key}: expected a number{bound if max(above, low) > -inf else ''}")
        return float(text)

    def whole(self, key: str, default: int) -> int:
        number = self.number(key, default, low=1)
        if number != int(number):
            raise self.error(f"{key}: expected a whole number, 1 or more")
        return int(number)

    def range(self, key: str) -> tuple[float, float]:
        text = self.text(key) or ""
        low, high = bite(text, ":") if ":" in text else (text, text)
        if not (is_number(low) and is_number(high)) or float(low) > float(high):
            raise self.error(f"{key}: expected a number, or two as 0.5:1.5")
        return float(low), float(high)

    def finish(self) -> None:
        """See that nothing is left over."""
        for key in self.fields:
            if key not in self._asked:
                known = ", ".join(self._asked)
                raise self.error(f"expected {known}, not {key}{hint(key, self._asked)}")

    def error(self, expected: str) -> Exception:
        return Config.error(self.entry, expected)


def _streams(parameter: str, lines: Iterable[_Line]) -> Iterable[tuple[str, _Line]]:
    """Name the random stream of each line: the n-th of its kind."""
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.kind] = counts.get(line.kind, 0) + 1
        yield f"{parameter} {line.kind} {counts[line.kind]}", line


def _pushes(line: _Line, stream: str, random: MakeRandom) -> list[Source]:
    """Give a line's pushes: one; or two at right angles for chance without a direction."""
    if line.kind == "gauss_markov" and line.text("dir") is None:
        east, north = (_strength(line, random(f"{stream} {axis}")) for axis in ("east", "north"))
        line.finish()
        return [Push(90.0, east), Push(0.0, north)]
    strength = _strength(line, random(stream))
    direction = line.number("dir")
    line.finish()
    if isinstance(strength, Gusts):
        return [Gale(direction, strength)]
    return [Push(direction, strength)]


def _turn(line: _Line, random: Random) -> Strength:
    strength = _strength(line, random)
    line.finish()
    return strength


def _strength(line: _Line, random: Random) -> Strength:
    make = _STRENGTHS.get(line.kind)
    if make is None:
        raise line.error(
            f"expected type={', '.join(_STRENGTHS)}{'' if line.turns else ' or field'}"
        )
    return make(line, random)


def _constant(line: _Line, random: Random) -> Strength:
    return Constant(line.number("mag"))


def _build_up(line: _Line, random: Random) -> Strength:
    steps, every = line.whole("steps", 5), line.number("every", 1.0, above=0.0)
    hold = line.number("hold", 0.0, low=0.0)
    least = (2 * steps - 1) * every + hold
    return BuildUp(
        value=line.number("mag"),
        start=line.number("at", 0.0),
        steps=steps,
        every=every,
        hold=hold,
        repeat=line.number("repeat", inf, above=least),
    )


def _gusts(line: _Line, random: Random) -> Strength:
    return Gusts(
        random,
        peak=line.range("mag"),
        gap=line.number("every", above=0.0),
        rise=line.number("rise", 5.0, above=0.0),
        hold=line.number("hold", 0.0, low=0.0),
        fall=line.number("fall", 5.0, above=0.0),
        spread=0.0 if line.turns else line.number("spread", 0.0, low=0.0),
    )


def _gauss_markov(line: _Line, random: Random) -> Strength:
    return GaussMarkov(random, line.number("sigma", low=0.0), line.number("tau", above=0.0))


def _tide(line: _Line, random: Random) -> Strength:
    period = line.number("period", M2, above=0.0)
    return Tide(line.number("mag"), period, line.number("phase", 0.0))


_STRENGTHS: Mapping[str, Callable[[_Line, Random], Strength]] = {
    "constant": _constant,
    "build_up": _build_up,
    "gusts": _gusts,
    "gauss_markov": _gauss_markov,
    "tide": _tide,
}


def _field(line: _Line, folder: Path) -> CurrentField:
    name = line.text("file")
    line.finish()
    if not name:
        raise line.error("expected file=NAME of a current field")
    try:
        return current_field.read(folder / name)
    except InvalidValue as error:
        raise line.error(str(error)) from None


def _multiplication(entry: Entry) -> Multiplication:
    line = _Line(entry)
    read = Multiplication(
        factor=line.number("factor"),
        start=line.number("at", low=0.0),
        every=line.number("every", 1.0, above=0.0),
        times=line.whole("times", 1),
    )
    line.finish()
    return read
