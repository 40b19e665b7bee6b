"""Designs of experiments: the trials of a sweep, from the factors and the design of a YAML file.

A factor is a constant value, a list of values, a column of a CSV file, or a range ``{from: A,
to: B}`` (in a grid with ``steps: N``). The design combines factors to trials; random ones are drawn
with the file's own ``seed``, so a file always gives the same trials.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from math import ceil, exp, expm1, floor, inf, log1p, log2, log10, prod
from random import Random

import yaml

from steerageway.apps.experiments.sweep.lazy import Lazy
from steerageway.declarations import Whole, finite
from steerageway.world.document import Section
from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import lines_of

DIGITS = 6  # significant digits of drawn numbers: short enough to be typed
EXACT = 17  # enough to distinguish any two numbers
DRAWN = ("random", "latin_hypercube", "sobol")
KEYS = ("design", "cases", "seed", "seeds")  # of a file, that define the trials
DESIGNS = ("grid", "listed", *DRAWN)
MANY = 8  # number of numeric values of a factor up to which each is checked
_NO_NUMBER = re.compile(r"[-+]?\.?(nan|inf|infinity)", re.IGNORECASE)
_SURPLUS = "surplus"  # key of cells beyond the columns of a head
MAX_CASES = 10_000_000  # maximum number of cases of a sweep
STEEPEST = 50.0  # limit of a tilt
Values = dict[str, str]
Point = tuple[Values, float | None]  # of a design: its values and its weight


@dataclass(frozen=True, slots=True)
class Factor:
    """A parameter that varies, or is constant.

    Attributes:
        name: of the column.
        values: its values as text; for a range, those of a grid.
        section, key: its place in the file.
        low, high: the ends of a range; equal for anything else.
        tilt: by which numbers near ``high`` are drawn more often, or if negative near ``low``.
    """

    name: str
    values: tuple[str, ...]
    section: Section
    key: str
    low: float = 0.0
    high: float = 0.0
    tilt: float = 0.0

    @property
    def is_range(self) -> bool:
        """Whether any number between two ends may be drawn."""
        return self.low != self.high

    def at(self, fraction: float) -> str:
        """Return the value at a fraction, 0 to below 1, of the range or of the list."""
        if self.is_range:
            return _in_range(self.low, self.high, fraction)
        return self.values[int(fraction * len(self.values))]


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial of a sweep.

    Attributes:
        number: its place, from 1.
        seed: of all random numbers in it.
        values: factor -> value, as text.
        weight: by which it counts in a probability; None: all trials count once.
    """

    number: int
    seed: int
    values: Mapping[str, str]
    weight: float | None = None


def check_keys(section: Section, known: Sequence[str]) -> None:
    """Reject unknown keys first, as a misspelt key makes others appear to be missing.

    Raises:
        InvalidValue: with file, line and the nearest known key.
    """
    replace(section, asked=set(known)).finish()


def read_factors(section: Section) -> list[Factor]:
    """Read every key of a section as a factor.

    Raises:
        InvalidValue: with file, line and key.
    """
    return [_read_factor(section, key) for key in section.nodes]


def read_trials(section: Section, factors: Sequence[Factor], seed: int) -> Sequence[Trial]:
    """Return the trials of a design, each of which is made when it is asked for.

    Args:
        section: the whole file, of which ``design``, ``cases``, ``seed`` and ``seeds`` are used.
        factors: the factors that vary.
        seed: the mission's. Without ``seeds`` each trial has its own, counted from this one; with
            ``seeds``, every point of the design is run with each of them.

    Raises:
        InvalidValue: with file, line and key.
    """
    design = section.choice("design", DESIGNS, "grid")
    points = _points(design, section, factors)
    seeds = _read_seeds(section, seed)
    of_each = len(seeds) or 1

    def trial(index: int) -> Trial:
        point, which = divmod(index, of_each)
        return Trial(index + 1, seeds[which] if seeds else seed + index, *points[point])

    return Lazy(len(points) * of_each, trial)


def tilted(fraction: float, tilt: float) -> tuple[float, float]:
    """Return a fraction drawn with a density that grows exponentially, and its weight.

    The weight is one over the density, so a weighted mean over such fractions is an unbiased
    estimate of that over even ones: importance sampling.

    Args:
        fraction: drawn evenly, 0 to below 1.
        tilt: logarithm of the density at 1 over that at 0.

    Source: Siegmund, "Importance sampling in the Monte Carlo study of sequential tests" (1976).
    """
    if not tilt:
        return fraction, 1.0
    drawn = log1p(fraction * expm1(tilt)) / tilt
    return drawn, expm1(tilt) / tilt * exp(-tilt * drawn)


def extremes(values: Collection[str]) -> list[str]:
    """Return the values to check: all, but of many numbers only the least and the greatest."""
    numbers = {text: value for text in values if (value := finite(text)) is not None}
    if len(numbers) <= MANY:
        return list(values)
    ends = (min(numbers, key=numbers.__getitem__), max(numbers, key=numbers.__getitem__))
    return [value for value in values if value in ends or value not in numbers]


def number_text(value: float, width: float = inf) -> str:
    """Return a number as text without an exponent, as MOOS-IvP reads it.

    Args:
        value: the number.
        width: of the range it is from. There are six significant digits, and more if the range is
            so
            narrow that six would not resolve it as well as a wide one.
    """
    digits = DIGITS
    if value and width < abs(value):
        digits = min(EXACT, DIGITS + floor(log10(abs(value))) - floor(log10(width)))
    text = f"{Decimal(f'{value:.{digits}g}'):f}"
    return "0" if text == "-0" else text


def _in_range(low: float, high: float, fraction: float) -> str:
    """Return the number at a fraction, 0 to 1, of a range; rounding does not leave the range."""
    shown = number_text(low + fraction * (high - low), high - low)
    if fraction == 0.0 or float(shown) <= low:
        return _exactly(low)
    if fraction == 1.0 or float(shown) >= high:
        return _exactly(high)
    return shown


def _exactly(value: float) -> str:
    return f"{Decimal(repr(value + 0.0)).normalize():f}"  # without the sign of -0


def _read_factor(section: Section, key: str) -> Factor:
    node = section.nodes[key]
    if isinstance(node, yaml.MappingNode):
        inside = section.section(key)
        return (_read_column if "file" in inside else _read_range)(section, key, inside)
    found = node.value if isinstance(node, yaml.SequenceNode) else [node]
    values = tuple(str(one.value) for one in found if isinstance(one, yaml.ScalarNode))
    if not values or len(values) != len(found):
        section.fail(
            key,
            "a list",
            "a value, a list of values, {from: A, to: B}, or {file: F.csv, column: C}",
        )
    _check_finite(section, key, values)
    return Factor(key, values, section, key)


def _check_finite(section: Section, key: str, values: Sequence[str]) -> None:
    for value in values:
        if _NO_NUMBER.fullmatch(value.strip()):
            section.fail(key, value, "finite numbers, or texts")


def _read_column(section: Section, key: str, inside: Section) -> Factor:
    """Read the values in a column of a CSV file, whose path is relative to the file's folder."""
    check_keys(inside, ("file", "column"))
    name, column = inside.text("file"), inside.text("column")
    try:
        lines = lines_of(section.path.parent / name)
        separator = max(",;\t", key=lines[0].count)
        reader = csv.DictReader(lines, restkey=_SURPLUS, delimiter=separator, strict=True)
        names = reader.fieldnames = [one.strip() for one in reader.fieldnames or ()]
        rows = [(row.get(column), _SURPLUS in row) for row in islice(reader, MAX_CASES + 1)]
    except (InvalidValue, csv.Error) as error:
        inside.fail("file", name, f"a CSV file: {error}")
    if column not in names:
        inside.fail("column", column, f"a column of {name}: {', '.join(names)}")
    if not rows or len(rows) > MAX_CASES:
        inside.fail("file", f"{len(rows)} rows", f"1 to {MAX_CASES}")
    values = tuple((value or "").strip() for value, _ in rows)
    for line, (value, (_, longer)) in enumerate(zip(values, rows, strict=True), 1):
        if not value:
            inside.fail("column", f"no value in row {line} of {name}", "a value in every row")
        if longer:
            cells = f"as many cells as its head has, {len(names)}"
            inside.fail("file", f"more in row {line} of {name}", cells)
    _check_finite(section, key, values)
    return Factor(key, values, section, key)


def _read_range(section: Section, key: str, ends: Section) -> Factor:
    check_keys(ends, ("from", "to", "steps", "tilt"))
    low = ends.number("from")
    high = ends.number("to", above=low)
    values: tuple[str, ...] = ()
    if "steps" in ends:
        steps = ends.whole("steps", low=2, high=MAX_CASES)
        values = tuple(_in_range(low, high, step / (steps - 1)) for step in range(steps))
    tilt = ends.number("tilt", 0.0, low=-STEEPEST, high=STEEPEST)
    return Factor(key, values, section, key, low, high, tilt)


def _read_seeds(section: Section, seed: int) -> list[int]:
    if "seeds" not in section:
        return []
    if isinstance(section.nodes["seeds"], yaml.ScalarNode):
        return [seed + k for k in range(section.whole("seeds", low=1, high=MAX_CASES))]
    words = section.words("seeds")
    try:
        return [Whole()(word) for word in words or [""]]
    except ValueError:
        section.fail("seeds", ", ".join(words), "how many, or a list of whole numbers")


def _points(design: str, section: Section, factors: Sequence[Factor]) -> Sequence[Point]:
    if design in DRAWN:
        return _drawn_points(design, section, factors)
    if "cases" in section:
        section.fail("cases", section.text("cases"), f"a design that is drawn, not {design}")
    for factor in factors:
        if factor.tilt:
            factor.section.fail(factor.key, "a tilt", "none, or a design that is drawn")
        if factor.is_range and not factor.values:
            factor.section.fail(factor.key, "a range", "steps: N in it, or a design that is drawn")
    names = [factor.name for factor in factors]
    if design == "listed":
        listed = _equal_lengths(factors)
        length = len(listed[0]) if listed else 0
        return Lazy(
            length, lambda k: (dict(zip(names, (one[k] for one in listed), strict=True)), None)
        )
    columns = [factor.values for factor in factors]
    count = prod(map(len, columns))
    if count > MAX_CASES:
        section.fail("design", f"a grid of {count}", f"at most {MAX_CASES} cases")
    return Lazy(count, lambda k: (dict(zip(names, _combination(columns, k), strict=True)), None))


def _combination(columns: Sequence[Sequence[str]], index: int) -> list[str]:
    """Return a row of the product of some columns, of which the last changes the fastest."""
    row = []
    for column in reversed(columns):
        index, place = divmod(index, len(column))
        row.append(column[place])
    return row[::-1]


def _equal_lengths(factors: Sequence[Factor]) -> list[tuple[str, ...]]:
    """Return the lists of all factors with equal lengths: single values are repeated."""
    length = max((len(factor.values) for factor in factors), default=0)
    for factor in factors:
        if len(factor.values) not in (1, length):
            expected = f"one, or {length} as the longest list has"
            factor.section.fail(factor.key, f"{len(factor.values)} values", expected)
    return [f.values * (length if len(f.values) == 1 else 1) for f in factors]


def _drawn_points(design: str, section: Section, factors: Sequence[Factor]) -> Sequence[Point]:
    count = section.whole("cases", low=1, high=MAX_CASES)
    seed = section.whole("seed", 0, low=0)
    varying = [factor for factor in factors if factor.is_range or len(factor.values) > 1]
    if not varying:
        section.fail("design", design, "a range or a list, or another design: nothing varies")
    same = {factor.name: factor.values[0] for factor in factors if factor not in varying}
    size = len(varying)
    if design == "random":
        rng = Random(seed)
        fractions = array("d", (rng.random() for _ in range(count * size)))
    else:
        fractions = _even_fractions(design, section, count, size, seed)

    is_weighted = any(factor.tilt for factor in varying)

    def point(index: int) -> Point:
        row = fractions[index * size : (index + 1) * size]
        drawn = [tilted(fraction, f.tilt) for f, fraction in zip(varying, row, strict=True)]
        values = {f.name: f.at(fraction) for f, (fraction, _) in zip(varying, drawn, strict=True)}
        weight = prod(weight for _, weight in drawn) if is_weighted else None
        return same | values, weight

    return Lazy(count, point)


def _even_fractions(
    design: str, section: Section, count: int, size: int, seed: int
) -> array[float]:
    """Draw by SciPy's quasi-Monte Carlo engines, row by row."""
    try:
        from scipy.stats import qmc  # type: ignore[import-untyped]
    except ImportError:
        section.fail("design", design, 'SciPy for it: pip install "steerageway[sweep]"')
    if design == "sobol":
        # Sobol points are balanced only in powers of 2: take the first of the next larger set.
        rows = qmc.Sobol(size, scramble=True, rng=seed).random_base2(ceil(log2(count)))[:count]
    else:
        rows = qmc.LatinHypercube(size, rng=seed).random(count)
    return array("d", rows.tobytes())
