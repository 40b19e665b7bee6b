"""Objects on the sea floor, hazards and others, as in the files of ``uFldHazardSensor``.

    hazard = x=-151,y=-217.3,label=01,type=hazard
    hazard = x=171.9,y=-253.7,label=11,type=benign,hr=0.4

``hr`` is the resemblance of a benign object to a hazard, 0 to 1.
Source: MOOS-IvP's XYHazard.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, field_of
from steerageway.moos.lines import cut_comment, split_line
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, trimmed

HAZARD, BENIGN = "hazard", "benign"
_SHARE = Number(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Hazard:
    """An object.

    Attributes:
        place: (x, y) [m].
        label: its unique name.
        is_hazard: whether its type is hazard.
        resemblance: of a benign object to a hazard, 0 to 1; None if not given.
        color, shape, width: of its marker; "" and None if not given [m].
    """

    place: Point
    label: str
    is_hazard: bool
    resemblance: float | None = None
    color: str = ""
    shape: str = ""
    width: float | None = None

    @property
    def spec(self) -> str:
        """Its place and label, as a sensor reports them."""
        x, y = self.place
        return f"x={trimmed(x, 3)},y={trimmed(y, 3)},label={self.label}"

    @property
    def classified(self) -> str:
        """The same with its type."""
        return f"{self.spec},type={HAZARD if self.is_hazard else BENIGN}"


def parse_hazard(text: str, *, typed: bool = True) -> Hazard:
    """Parse an object.

    Args:
        typed: whether its type must be given.
    Raises:
        ValueError: a field is missing or invalid.
    """
    fields = by_key(text)
    if not fields.get("label") or (typed and not fields.get("type")):
        raise ValueError("expected x=1,y=2,label=NAME,type=hazard or type=benign")
    number = Number()
    place = field_of(fields, "x", number), field_of(fields, "y", number)
    return Hazard(
        place,
        fields["label"],
        fields.get("type", HAZARD).lower() == HAZARD,
        field_of(fields, "hr", _SHARE) if "hr" in fields else None,
        fields.get("color", ""),
        fields.get("shape", ""),
        field_of(fields, "width", Number(low=0.0)) if "width" in fields else None,
    )


def hazard_lines(text: str) -> list[tuple[int, str]]:
    """Return the values of the lines ``hazard = ...`` of a file, each with its number."""
    lines = ((n, split_line(cut_comment(one), "")) for n, one in enumerate(text.split("\n"), 1))
    return [(number, line.value) for number, line in lines if line.key.lower() == "hazard"]
