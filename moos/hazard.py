"""Objects on the sea floor, hazards and others, as in the files of ``uFldHazardSensor``.

    hazard = x=-151,y=-217.3,label=01,type=hazard
    hazard = x=171.9,y=-253.7,label=11,type=benign,hr=0.4

``hr`` is the resemblance of a benign object to a hazard, 0 to 1.
Source: MOOS-IvP's XYHazard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from steerageway.declarations import Number, field_of
from steerageway.geometry.geodesy import check_local
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, split_first, trimmed

HAZARD, BENIGN = "hazard", "benign"
_HEAD = ("source", "name", "xpath", "ypath", "transit_path_width", "search_region")
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
        ValueError: a field is missing or invalid, or the place is far from the datum.
    """
    fields = by_key(text)
    if not fields.get("label") or (typed and not fields.get("type")):
        raise ValueError("expected x=1,y=2,label=NAME,type=hazard or type=benign")
    number = Number()
    place = field_of(fields, "x", number), field_of(fields, "y", number)
    check_local(*place)
    return Hazard(
        place,
        fields["label"],
        fields.get("type", HAZARD).lower() == HAZARD,
        field_of(fields, "hr", _SHARE) if "hr" in fields else None,
        fields.get("color", ""),
        fields.get("shape", ""),
        field_of(fields, "width", Number(low=0.0)) if "width" in fields else None,
    )


class HazardReport(NamedTuple):
    """The objects that a vessel reports as hazards.

    Attributes:
        source: who reports; name: of the report, "" for none.
        labels: of the objects.
        doubts: what of the text is not read, and why.
    """

    source: str
    name: str
    labels: frozenset[str]
    doubts: tuple[str, ...]


def parse_report(text: str) -> HazardReport:
    """Parse ``source=abe#name=first#x=51,y=11.3,label=12#...``.

    Raises:
        ValueError: it has no source, or the ground truth's.
    """
    head: dict[str, str] = {}
    labels, doubts = set(), []
    for part in text.split("#"):
        key, value = split_first(part, "=")
        if key in _HEAD:
            head[key] = value
        elif part.strip():
            try:
                labels.add(parse_hazard(part, typed=False).label)
            except ValueError as error:
                doubts.append(f"{part}: {error}")
    if head.get("source", "") in ("", "actual"):
        raise ValueError("expected source=NAME of a vessel")
    return HazardReport(head["source"], head.get("name", ""), frozenset(labels), tuple(doubts))
