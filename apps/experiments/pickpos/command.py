"""Command line of ``pickpos``: ``pickpos --amt=3 --poly=0,0:50,0:50,50 --hdg=0:90 --vnames``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from steerageway.apps.experiments.pickpos.picking import Choice, Point, chosen
from steerageway.apps.experiments.pickpos.words import NAMES
from steerageway.apps.shared.terminal import say
from steerageway.declarations import (
    Interval,
    Number,
    Whole,
    all_finite,
    field_of,
    unknown,
    write_whole,
)
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import decoded, file_bytes

WRONG = 2
HERONS = "abe,ben,cal,deb,eve,fin,max,ned,oak,pal"
PAVILION = {
    "pavlab": "-30,-15:-28,-20:35,5:32,13",
    "pavdock": "-34,-19:-32,-24:32,5:29,13",
}
"""Polygons at MIT's sailing pavilion that have names."""
HELP = """\
usage: {prog} [options]

Choose start positions, headings, speeds, names and colours of vessels, a line for each, as
MOOS-IvP's pickpos does; but what is random depends on the seed alone.

  --amt=N              vessels (10)
  --poly=X,Y:X,Y:...   positions in this polygon; repeatable; --polygon is the same
  --buffer=M           least distance of positions [m] (10); less if there is no room
  --maxtries=N         attempts to find a position (1000)
  --circle=x=X,y=Y,rad=R   positions on a circle
  --posfile=FILE       positions from the lines x=X,y=Y of a file; repeatable
  --lfile=FILE         any lines of a file; repeatable
  --hdg=LOW:HIGH       headings [deg]; --hdg=X,Y,B: the point has relative bearing B
  --spd=LOW:HIGH       speeds [m/s]
  --hsnap=D, --ssnap=D   headings (1) and speeds (0.1) are multiples of this
  --vnames[=A,B,...]   names; -g1, -g2, -g3, -g4: of this set; -r: from its end; --vix=N: from N
  --colors[=A,B,...]   colours
  --grps=A,B,...[:alt]   groups, at random or in turn
  --indices            numbers, from --vix on
  --format=full|terse  with or without x=, y= and so on
  --file=FILE          write to a file; --reuse: unless it exists
  --hdrs               begin with a comment
  --seed=N             of what is random (0)
  -ml, --verbose, --debug   accepted and without effect

exit: 0 done   2 an option or a file is invalid"""


class Picked(NamedTuple):
    """The lines, and the file that they go to; None: the standard output."""

    text: str
    file: Path | None


class Seeded(NamedTuple):
    """A command line without its seed."""

    arguments: list[str]
    seed: int


def main(arguments: Sequence[str] | None = None, prog: str = "pickpos") -> int:
    """Choose, and return the exit code."""

    def act(rest: Sequence[str], rng: Random) -> None:
        found = pick(rest, Path(), rng)
        if found.file is None:
            say(found.text, end="")
        else:
            write_whole(found.file, found.text)

    return run_seeded(arguments, HELP.format(prog=prog), "pickpos", act)


def run_seeded(
    arguments: Sequence[str] | None,
    usage: str,
    name: str,
    act: Callable[[Sequence[str], Random], None],
) -> int:
    """Run a command whose chance comes from ``--seed`` and its name; return the exit code.

    Args:
        arguments: of the command; None: of this process.
        usage: printed on request, and without arguments.
        name: of the command.
        act: does its work with the other arguments, and what decides what is random.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if not arguments or {"-h", "--help"} & set(arguments):
        say(usage)
        return 0 if arguments else WRONG
    try:
        rest, seed = without_seed(arguments)
        act(rest, Random(f"{name}, seed {seed}"))
    except (FormatError, OSError) as error:
        say(str(error), to=sys.stderr)
        return WRONG
    return 0


def pick(arguments: Sequence[str], folder: Path, rng: Random) -> Picked:
    """Choose by the options of a command line.

    Args:
        arguments: the options. folder: of relative paths. rng: decides what is random.

    Raises:
        FormatError: an option is not valid, or a file has too few lines.
    """
    reading = _Reading(folder)
    for argument in arguments:
        reading.read(argument)
    heading = ""
    if "--hdrs" in arguments:
        heading = f"# Values chosen by the pickpos utility\n# pickpos {' '.join(arguments)}\n"
    file = None if reading.file is None else folder / reading.file
    if file is not None and "--reuse" in arguments and file.is_file():
        return Picked(file.read_text(), file)
    lines = chosen(reading.choice, rng)
    return Picked(heading + "".join(f"{line}\n" for line in lines), file)


class _Reading:
    """Reads options into a choice.

    Attributes:
        choice: what was read. file: of the result.
    """

    def __init__(self, folder: Path) -> None:
        self.choice = Choice()
        self.file: str | None = None
        self._folder = folder

    def read(self, argument: str) -> None:
        """Read one option.

        Raises:
            FormatError: it is unknown, or its value is not valid.
        """
        key, mark, value = argument.partition("=")
        if argument in _FLAGS:
            _FLAGS[argument](self.choice)
            return
        if not mark or key not in _KEYS:
            known = [*_KEYS, *_FLAGS]
            raise FormatError("pickpos", argument, "", str(unknown(key, known)))
        try:
            _KEYS[key](self, value)
        except ValueError as error:
            raise FormatError("pickpos", key, value, str(error)) from error
        except OSError as error:
            raise FormatError("pickpos", key, value, f"cannot be read: {error.strerror}") from error

    def _lines(self, name: str) -> list[str]:
        lines = map(str.strip, decoded(file_bytes(self._folder / name)).split("\n"))
        return [line for line in lines if line and not line.startswith("//")]

    def _posfile(self, name: str) -> None:
        keyed = (line.replace(" ", "") for line in self._lines(name))
        self.choice.positions += [one for one in keyed if one.startswith("x=") and ",y=" in one]

    def _lfile(self, name: str) -> None:
        self.choice.lines += self._lines(name)

    def _polygon(self, text: str) -> None:
        self.choice.polygons.append(polygon_of(PAVILION.get(text, text)))

    def _circle(self, text: str) -> None:
        values = dict(part.strip().partition("=")[::2] for part in text.strip('"').split(","))
        if set(values) != {"x", "y", "rad"}:
            raise ValueError("expected x=X,y=Y,rad=R")
        x, y, radius = (field_of(values, key, Number()) for key in ("x", "y", "rad"))
        self.choice.circle = (x, y, radius)

    def _heading(self, text: str) -> None:
        if text == "none":
            self.choice.heading = self.choice.bearing = None
        elif "," in text:
            x, y, relative = _split(text, 3)
            self.choice.bearing = (x, y, relative)
        else:
            self.choice.heading = Interval(Number(low=-180.0, high=360.0))(text)

    def _names(self, text: str) -> None:
        given = [name.strip() for name in (HERONS if text == "herons" else text).split(",")]
        if any(set(name) & set(' \t*"()$') for name in given):
            raise ValueError('expected names without blanks, *, ", $ and parentheses')
        names = self.choice.names
        names[: len(given)] = given[: len(names)]
        self.choice.with_names = True

    def _colors(self, text: str) -> None:
        given = [color.strip() for color in text.split(",")]
        colors = self.choice.colors
        colors[: len(given)] = given[: len(colors)]
        self.choice.with_colors = True

    def _groups(self, text: str) -> None:
        self.choice.in_turn = text.endswith(":alt")
        self.choice.groups += text.removesuffix(":alt").split(",")

    def _format(self, text: str) -> None:
        if text not in ("full", "terse"):
            raise ValueError("expected full or terse")
        self.choice.terse = text == "terse"

    def _to_file(self, text: str) -> None:
        self.file = text


def _setter(name: str, reader: Callable[[str], object]) -> Callable[[_Reading, str], None]:
    """Return what reads a value of an option into a field of the choice."""
    return lambda reading, text: setattr(reading.choice, name, reader(text))


def _flag(name: str, value: object = True) -> Callable[[Choice], None]:
    """Return what an option without a value does: it sets a field of the choice."""
    return lambda choice: setattr(choice, name, value)


def _ignored(choice: Choice) -> None:
    """Do nothing, for an option that changes no choice."""


def _name_set(number: int) -> Callable[[Choice], None]:
    return lambda choice: setattr(choice, "names", list(NAMES[number]))


def _split(text: str, count: int) -> list[float]:
    found = all_finite(text.split(","))
    if found is None or len(found) != count:
        raise ValueError(f"expected {count} numbers with , between them")
    return found


def polygon_of(text: str) -> list[Point]:
    """Read ``X,Y:X,Y:X,Y``, or the same as ``pts={...}``.

    Raises:
        ValueError: it is not one.
    """
    parts = text.removeprefix("pts={").removesuffix("}").split(":")
    if len(parts) < 3:
        raise ValueError("expected at least three points X,Y:X,Y:X,Y")
    return [_point(part) for part in parts]


def _point(text: str) -> Point:
    x, y = _split(text, 2)
    return x, y


def without_seed(arguments: Sequence[str]) -> Seeded:
    """Return a command line without ``--seed=N``, and N.

    Raises:
        FormatError: it is not a whole number.
    """
    rest = [one for one in arguments if not one.startswith("--seed=")]
    seeds = [one.partition("=")[2] for one in arguments if one.startswith("--seed=")]
    try:
        return Seeded(rest, Whole()(seeds[-1]) if seeds else 0)
    except ValueError as error:
        raise FormatError("pickpos", "--seed", seeds[-1], str(error)) from error


_number = Number()
_KEYS: dict[str, Callable[[_Reading, str], None]] = {
    "--amt": _setter("amount", Whole(low=1, high=1000)),
    "--vix": _setter("first", Whole(low=0)),
    "--buffer": _setter("buffer", Number(low=0.0)),
    "--maxtries": _setter("tries", Whole(low=1)),
    "--hsnap": _setter("heading_step", Number(low=0.0)),
    "--ssnap": _setter("speed_step", Number(low=0.0)),
    "--spd": _setter("speed", Interval(Number(low=0.0))),
    "--poly": _Reading._polygon,
    "--polygon": _Reading._polygon,
    "--circle": _Reading._circle,
    "--posfile": _Reading._posfile,
    "--lfile": _Reading._lfile,
    "--hdg": _Reading._heading,
    "--vnames": _Reading._names,
    "--colors": _Reading._colors,
    "--grps": _Reading._groups,
    "--format": _Reading._format,
    "--file": _Reading._to_file,
}
_FLAGS: dict[str, Callable[[Choice], None]] = {
    "--vnames": _flag("with_names"),
    "--colors": _flag("with_colors"),
    "--indices": _flag("with_numbers"),
    "--reverse_names": _flag("reverse"),
    "-r": _flag("reverse"),
    **{
        option: _name_set(number)
        for number, word in enumerate(("one", "two", "three", "four"))
        for option in (f"-g{number + 1}", f"--group_names_{word}")
    },
    **dict.fromkeys(("--hdrs", "--reuse"), _ignored),  # of the output: see ``pick``
    **dict.fromkeys(("-ml", "--ml", "--multiline", "--verbose", "--debug"), _ignored),
}
