"""Reader of drift sources from a block: one source a line, which add up.

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

from steerageway.apps.vessels.drift_wormhole.options import DriftOptions, Line
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
    """A factor on all drift, applied once or repeatedly.

    Attributes:
        start, every: first time, and interval [s].
        times: number of times.
    """

    factor: float
    start: float
    every: float
    times: int

    def due(self, t: float) -> int:
        """Return how often it has been due by a time [s]."""
        if t < self.start:
            return 0
        return min(self.times, 1 + int(round((t - self.start) / self.every, 9)))


@dataclass(frozen=True, slots=True)
class Sources:
    """The drift sources of a block.

    Attributes:
        pushes: drifts that are uniform in space.
        fields: currents that vary in space.
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


def read_sources(options: DriftOptions, folder: Path, random: MakeRandom) -> Sources:
    """Read the ``drift``, ``rotate`` and ``multiply`` lines.

    Args:
        folder: of the mission, to which file names are relative.
        random: returns the generator of a named stream.
    Raises:
        ConfigError: a line is invalid.
    """
    fields = [line for line in options.drift if line.kind == "field"]
    pushes: list[Source] = []
    for stream, line in _streams("drift", options.drift):
        if line.kind != "field":
            pushes += _pushes(line, stream, random)
    turns = _streams("rotate", options.rotate)
    return Sources(
        pushes=tuple(pushes),
        fields=tuple(_field(line, folder) for line in fields),
        turns=tuple(_turn(line, random(stream)) for stream, line in turns),
        multiplications=tuple(_multiplication(line) for line in options.multiply),
    )


def _streams(parameter: str, lines: Iterable[Line]) -> Iterable[tuple[str, Line]]:
    """Yield each line with the name of its random stream: its kind, and its number in the kind."""
    # Named by kind and number, a line keeps its random numbers when other kinds are added.
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.kind] = counts.get(line.kind, 0) + 1
        yield f"{parameter} {line.kind} {counts[line.kind]}", line


def _pushes(line: Line, stream: str, random: MakeRandom) -> list[Source]:
    """Return a line's pushes: one, or two at right angles for Gauss-Markov without a direction."""
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


def _turn(line: Line, random: Random) -> Strength:
    strength = _strength(line, random)
    line.finish()
    return strength


def _strength(line: Line, random: Random) -> Strength:
    make = _STRENGTHS.get(line.kind)
    if make is None:
        raise line.error(
            f"expected type={', '.join(_STRENGTHS)}{'' if line.turns else ' or field'}"
        )
    return make(line, random)


def _constant(line: Line, random: Random) -> Strength:
    return Constant(line.number("mag"))


def _build_up(line: Line, random: Random) -> Strength:
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


def _gusts(line: Line, random: Random) -> Strength:
    return Gusts(
        random,
        peak=line.range("mag"),
        gap=line.number("every", above=0.0),
        rise=line.number("rise", 5.0, above=0.0),
        hold=line.number("hold", 0.0, low=0.0),
        fall=line.number("fall", 5.0, above=0.0),
        spread=0.0 if line.turns else line.number("spread", 0.0, low=0.0),
    )


def _gauss_markov(line: Line, random: Random) -> Strength:
    return GaussMarkov(random, line.number("sigma", low=0.0), line.number("tau", above=0.0))


def _tide(line: Line, random: Random) -> Strength:
    period = line.number("period", M2, above=0.0)
    return Tide(line.number("mag"), period, line.number("phase", 0.0))


_STRENGTHS: Mapping[str, Callable[[Line, Random], Strength]] = {
    "constant": _constant,
    "build_up": _build_up,
    "gusts": _gusts,
    "gauss_markov": _gauss_markov,
    "tide": _tide,
}


def _field(line: Line, folder: Path) -> CurrentField:
    name = line.text("file")
    line.finish()
    if not name:
        raise line.error("expected file=NAME of a current field")
    try:
        return current_field.read(folder / name)
    except InvalidValue as error:
        raise line.error(str(error)) from None


def _multiplication(line: Line) -> Multiplication:
    read = Multiplication(
        factor=line.number("factor"),
        start=line.number("at", low=0.0),
        every=line.number("every", 1.0, above=0.0),
        times=line.whole("times", 1),
    )
    line.finish()
    return read
