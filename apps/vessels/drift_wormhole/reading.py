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
from steerageway.declarations import Interval, Number, Whole
from steerageway.vessel.drift_sources import (
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
from steerageway.world.tide import M2

ANY, ABOVE_0, AT_LEAST_0 = Number(), Number(above=0.0), Number(low=0.0)

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
    direction = line.value("dir", ANY)
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
    return Constant(line.value("mag", ANY))


def _build_up(line: Line, random: Random) -> Strength:
    steps, every = line.value("steps", Whole(low=1), 5), line.value("every", ABOVE_0, 1.0)
    hold = line.value("hold", AT_LEAST_0, 0.0)
    least = (2 * steps - 1) * every + hold
    return BuildUp(
        value=line.value("mag", ANY),
        start=line.value("at", ANY, 0.0),
        steps=steps,
        every=every,
        hold=hold,
        repeat=line.value("repeat", Number(above=least), inf),
    )


def _gusts(line: Line, random: Random) -> Strength:
    return Gusts(
        random,
        peak=line.value("mag", Interval(ANY)),
        gap=line.value("every", ABOVE_0),
        rise=line.value("rise", ABOVE_0, 5.0),
        hold=line.value("hold", AT_LEAST_0, 0.0),
        fall=line.value("fall", ABOVE_0, 5.0),
        spread=0.0 if line.turns else line.value("spread", AT_LEAST_0, 0.0),
    )


def _gauss_markov(line: Line, random: Random) -> Strength:
    return GaussMarkov(random, line.value("sigma", AT_LEAST_0), line.value("tau", ABOVE_0))


def _tide(line: Line, random: Random) -> Strength:
    period = line.value("period", ABOVE_0, M2)
    return Tide(line.value("mag", ANY), period, line.value("phase", ANY, 0.0))


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
        factor=line.value("factor", ANY),
        start=line.value("at", AT_LEAST_0),
        every=line.value("every", ABOVE_0, 1.0),
        times=line.value("times", Whole(low=1), 1),
    )
    line.finish()
    return read
