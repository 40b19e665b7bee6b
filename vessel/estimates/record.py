"""An estimate as a record, and the sheet of all of a vessel's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """A figure that nobody measured.

    Attributes:
        name: what it is, in words.
        value: in ``unit``.
        source: the book, report or line that it follows.
        valid: in words, what it holds for.
        inside: whether this vessel is that; None: it cannot be said.
        key: of the vessel's files that it may stand in, as ``hydrodynamics.X_u_au``; "": of none.
        written: what would stand there: added mass with the sign of its derivative.
        given: what the files say of it already; None: nothing.
    """

    name: str
    value: float
    unit: str
    source: str
    valid: str
    inside: bool | None = None
    key: str = ""
    written: float | None = None
    given: float | None = None


@dataclass
class Sheet:
    """All estimates of a vessel.

    Attributes:
        estimates: in the order they were made.
        lacking: what could not be estimated, and what it needs.
        gz: heel [deg] and righting lever [m], of a mesh.
    """

    estimates: list[Estimate] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    gz: list[tuple[float, float]] = field(default_factory=list)

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
        """Add one and give its value; one that is no number is lacking; ``sign``: as written."""
        if isfinite(value):
            self.estimates.append(
                Estimate(
                    *(name, float(value), unit, source, valid, inside, key),
                    written=sign * float(value) if key else None,
                )
            )
        else:
            self.lacking.append(f"{name}: it comes to no number for this vessel")
        return value

    def value(self, name: str) -> float | None:
        """Return the first value of a name; None: there is none."""
        return next((each.value for each in self.estimates if each.name == name), None)

    def lines(self) -> Iterator[str]:
        """Return it to be read: each with its source, and what it holds for where that matters."""
        for each in self.estimates:
            told = "" if each.given is None else f"; the files have {each.given:.4g}"
            doubt = {True: "", False: " (this vessel is not)", None: ""}[each.inside]
            yield f"{each.name}: {each.value:.4g} {each.unit}{told}"
            yield f"    {each.source}; for {each.valid}{doubt}"
        if self.gz:
            levers = ", ".join(f"{heel:.0f}° {lever:.4g}" for heel, lever in self.gz)
            yield f"GZ [m]: {levers}"
        for lacking in self.lacking:
            yield f"not estimated: {lacking}"

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "estimates": [asdict(each) for each in self.estimates],
            "lacking": list(self.lacking),
            "gz": [list(point) for point in self.gz],
        }
