"""Records of estimates, and the sheet of all estimates of a vessel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """An estimated quantity.

    Attributes:
        name: name of the quantity.
        value: in ``unit``.
        source: book, report or rule of the estimate.
        valid: range of validity, as text.
        inside: whether this vessel is within it; None: unknown.
        group: what it is about: hydrostatics, inertia, damping, speed or motions.
        key: key of the vessel's files for it, e.g. ``hydrodynamics.X_u_au``; "": none.
        written: value for that key: added mass with the sign of its derivative.
        given: present value of that key in the files; None: none.
    """

    name: str
    value: float
    unit: str
    source: str
    valid: str
    inside: bool | None = None
    key: str = ""
    group: str = ""
    written: float | None = None
    given: float | None = None


@dataclass
class Sheet:
    """All estimates of a vessel.

    Attributes:
        estimates: in order of computation.
        lacking: quantities without estimate, and what they need.
        group: of the estimates that are added.
        gz: heel [deg] and righting lever [m], for a mesh.
    """

    estimates: list[Estimate] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    gz: list[tuple[float, float]] = field(default_factory=list)
    group: str = ""

    def add(
        self,
        name: str,
        value: float,
        unit: str,
        source: str,
        valid: str,
        *,
        inside: bool | None = None,
        key: str = "",
        sign: float = 1.0,
    ) -> float:
        """Add an estimate and return its value; if not finite, note it as lacking."""
        if isfinite(value):
            self.estimates.append(
                Estimate(
                    *(name, float(value), unit, source, valid, inside, key, self.group),
                    written=sign * float(value) if key else None,
                )
            )
        else:
            self.lacking.append(f"{name}: it comes to no number for this vessel")
        return value

    def value(self, name: str) -> float | None:
        """Return the first value with a name; None: there is none."""
        return next((each.value for each in self.estimates if each.name == name), None)

    def lines(self) -> Iterator[str]:
        """Return the sheet as text: each estimate with its source, key, and validity by number."""
        doubts: dict[str, int] = {}
        for each in self.estimates:
            given = "" if each.given is None else f"; the files have {each.given:.4g}"
            mark = ""
            if each.inside is False:
                mark = f" [{doubts.setdefault(each.valid, len(doubts) + 1)}]"
            unit = "" if each.unit == "1" else f" {each.unit}"
            yield f"{each.name}: {each.value:.4g}{unit}{mark}"
            if each.key:
                file, _, key = each.key.partition(".")
                yield f"    {file}.yml: {key}: {each.written:.4g}{given}"
            yield f"    {each.source}" + ("" if mark else f"; for {each.valid}")
        if self.gz:
            levers = ", ".join(f"{heel:.0f}° {lever:.4g}" for heel, lever in self.gz)
            yield f"GZ [m]: {levers}"
        for lacking in self.lacking:
            yield f"not estimated: {lacking}"
        if doubts:
            yield "This vessel is outside the range for which these rules were made:"
        for valid, number in doubts.items():
            yield f"  [{number}] {valid}"

    def record(self) -> dict[str, Any]:
        """Return the sheet as plain data."""
        return {
            "estimates": [asdict(each) for each in self.estimates],
            "lacking": list(self.lacking),
            "gz": [list(point) for point in self.gz],
        }
