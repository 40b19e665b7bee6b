"""Text form of piecewise functions (``BHV_IPF``): writing, reading, packets.

    H,7,12:loit,2,96,1,100,D,course;0;359;360:speed;0;4;41,G,359,40,F,0,29,0,9,0.25,-1.5,80,...

is a header (length and text of a context, variables, pieces, degree, weight), the domain, the size
of a search grid's cells (here one cell), and for each piece the first and last index in each
variable, its slopes and its base, to four digits. It is sent in packets: ``P,loit^12,3,1,H,7,...``.

Source: the IvP build toolbox (FunctionEncoder).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

import numpy as np

from steerageway.declarations import Number, Whole, read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.ivp.domain import Domain, DomainError, parse_variable
from steerageway.ivp.piecewise import Piecewise

PACKET = 2000  # characters; as helms cut them
_DIGITS = 4
_MOST = 10**8  # the greatest whole number: more is not plausible
_ANY = Number()


class IpfError(ValueError):
    """A text is no piecewise function; the message says where and what was expected."""


class Ipf(NamedTuple):
    """A piecewise function and its context, by convention ``iteration:behavior``."""

    function: Piecewise
    context: str


def write_ipf(function: Piecewise, context: str = "") -> str:
    """Return a function as text; slopes and bases are rounded to four digits.

    Raises:
        ValueError: the context contains a comma.
    """
    if "," in context:
        raise ValueError(f"expected a context without commas, found {context!r}")
    domain = str(function.domain).replace(",", ";")
    cells = [str(variable.points - 1) for variable in function.domain]
    head = f"H,{len(context)},{context},{len(cells)},{function.size},1,{_decimal(function.weight)}"
    ends = np.stack([function.low, function.high], axis=2).reshape(function.size, -1)
    pieces = []
    for corner, slopes, base in zip(ends, function.slopes, function.bases, strict=True):
        pieces += [str(index) for index in corner]
        pieces += [_decimal(value) for value in (*slopes, base)]
    return ",".join([head, "D", domain, "G", *cells, "F", *pieces])


def read_ipf(text: str) -> Ipf:
    """Parse a function.

    Raises:
        IpfError: it is none, or its pieces overlap or leave out a grid point.
    """
    fields = _Fields(text)
    fields.expect("H")
    length = fields.whole("the length of the context")
    context = fields.next("the context")
    if len(context) != length:
        fields.refuse(f"a context of {length} characters", context)
    dimensions = fields.whole("the number of variables", least=1)
    count = fields.whole("the number of pieces", least=1)
    degree = fields.whole("the degree")
    if degree > 1:
        fields.refuse("degree 0 or 1: pieces that are linear", str(degree))
    weight = fields.value("the weight")
    fields.expect("D")
    domain = _domain(fields, dimensions)
    fields.expect("G")
    for _ in range(dimensions):
        fields.whole("the size of a cell", least=1)
    fields.expect("F")
    width = 3 * dimensions + 1 if degree else 2 * dimensions + 1
    rows = [_piece(fields, dimensions, width, number + 1) for number in range(count)]
    fields.end()
    table = np.array(rows)
    corners = table[:, : 2 * dimensions].astype(np.intp)
    slopes = table[:, 2 * dimensions : -1] if degree else np.zeros((count, dimensions))
    try:
        low, high = corners[:, ::2], corners[:, 1::2]
        function = Piecewise(domain, low, high, slopes, table[:, -1], weight)
    except ValueError as error:
        raise IpfError(str(error)) from error
    return Ipf(function, context)


def packets(text: str, name: str, size: int = PACKET) -> list[str]:
    """Split a function's text into packets.

    Args:
        text: of the function.
        name: identifies its packets, by convention behavior^iteration.
        size: most characters in each.
    Raises:
        ValueError: the name contains a comma, or leaves no room in a packet.
    """
    room = size - len(name) - 50  # for P, the name, and two numbers
    if "," in name or room < 1:
        raise ValueError(f"expected a name without commas, much shorter than {size}: {name!r}")
    bodies = [text[start : start + room] for start in range(0, len(text), room)]
    total = len(bodies)
    return [f"P,{name},{total},{number},{body}" for number, body in enumerate(bodies, start=1)]


def joined(parts: Iterable[str]) -> str:
    """Join the packets of one function, in whatever order they came.

    Raises:
        IpfError: one is no packet, is missing, came twice, or is of another function.
    """
    bodies: dict[int, str] = {}
    expected: tuple[str, int] | None = None
    for part in parts:
        fields = _Fields(part)
        fields.expect("P")
        name = fields.next("the name of the function")
        total = fields.whole("the number of packets", least=1)
        number = fields.whole("the number of this packet", least=1)
        expected = expected or (name, total)
        if expected != (name, total) or number > total or number in bodies:
            raise IpfError(f"expected another packet of {expected[0]}, 1 to {expected[1]}: {part}")
        bodies[number] = fields.rest()
    if expected is None or len(bodies) != expected[1]:
        raise IpfError(
            f"expected {expected[1] if expected else 'some'} packets, {len(bodies)} came"
        )
    return "".join(bodies[number] for number in sorted(bodies))


class _Fields:
    """Reads the fields of a text one by one."""

    def __init__(self, text: str) -> None:
        self._fields: Iterator[str] = iter(text.split(","))
        self._at = 0

    def next(self, what: str) -> str:
        """Return the next field."""
        self._at += 1
        field = next(self._fields, None)
        if field is None:
            raise IpfError(f"expected {what} in field {self._at}, the string ends")
        return field

    def expect(self, letter: str) -> None:
        """Read a field that must be a certain letter."""
        if (found := self.next(letter)) != letter:
            self.refuse(letter, found)

    def whole(self, what: str, least: int = 0) -> int:
        """Read a whole number that is not too small."""
        return int(self.value(what, Whole(least, _MOST)))

    def value(self, what: str, reader: Number = _ANY) -> float:
        """Read a number."""
        field = self.next(what)
        found = read(reader, field)
        if isinstance(found, Diagnostic):
            self.refuse(f"{what}, {reader.phrase}", field)
        return found

    def rest(self) -> str:
        """Return all remaining fields."""
        return ",".join(self._fields)

    def end(self) -> None:
        """Refuse remaining fields."""
        if rest := self.rest():
            self._at += 1
            self.refuse("the end", rest[:20])

    def refuse(self, expected: str, found: str) -> NoReturn:
        """Raise an error about the last field."""
        raise IpfError(f"expected {expected} in field {self._at}, found {found!r}")


def _domain(fields: _Fields, dimensions: int) -> Domain:
    text = fields.next("the domain")
    try:
        domain = Domain(tuple(parse_variable(line.replace(";", ",")) for line in text.split(":")))
    except DomainError as error:
        raise IpfError(f"the domain {text}: {error}") from error
    if len(domain.variables) != dimensions:
        fields.refuse(f"a domain of {dimensions} variables", text)
    return domain


def _piece(fields: _Fields, dimensions: int, width: int, number: int) -> list[float]:
    """Read a piece: first and last index in each variable, then its weights."""
    ends = [float(fields.whole(f"an index of piece {number}")) for _ in range(2 * dimensions)]
    weights = range(width - 2 * dimensions)
    return ends + [fields.value(f"a weight of piece {number}") for _ in weights]


def _decimal(value: float) -> str:
    """Return a number with at most four decimals, without trailing zeros."""
    text = f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
