"""The parameters of ``uDriftWormhole`` apart from wormholes, and parsers of their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from steerageway.bus import Config, Entry, Options, declare, parsed
from steerageway.declarations import field_of
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import by_key

XY, VECTOR, ADD = "xy", "vector", "add"
OWN, REPORTED = "own", "reported"
T = TypeVar("T")


class Line:
    """The fields of one line.

    Attributes:
        entry: the line. kind: its ``type``. turns: whether it is a rotation instead of a drift.
    """

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.turns = entry.key.lower() == "rotate"
        self.fields = by_key(entry.value)
        self.kind = self.fields.pop("type", "").lower()
        self._known: list[str] = []

    def text(self, key: str) -> str | None:
        self._known.append(key)
        return self.fields.get(key)

    def value(self, key: str, read: Callable[[str], T], default: T | None = None) -> T:
        """Return a field, read by a reader; it is optional if there is a default."""
        if self.text(key) is None and default is not None:
            return default
        return parsed(self.entry, lambda _: field_of(self.fields, key, read))

    def finish(self) -> None:
        """Raise the error of the first unknown field."""
        for key in self.fields:
            if key not in self._known:
                known = ", ".join(self._known)
                raise self.error(f"expected {known}, not {key}{hint(key, self._known)}")

    def error(self, expected: str) -> Exception:
        return Config.error(self.entry, expected)


def read_lines(config: Config, names: Sequence[str]) -> list[Line]:
    """Parse the lines of a parameter into their fields."""
    return [Line(entry) for entry in config.all(*names)]


@dataclass(frozen=True)
class DriftOptions(Options):
    """Parameters of the configuration block, apart from wormholes."""

    drift: list[Line] = declare.custom(
        read_lines,
        "type=T,..: constant, build_up, gusts, gauss_markov, tide, field; adds up; repeatable",
    )
    rotate: list[Line] = declare.custom(
        read_lines, "type=..., as drift without dir: rotation of vessels [deg/s]; repeatable"
    )
    multiply: list[Line] = declare.custom(
        read_lines, "at=S,factor=F,every=S,times=N: factor on all drift; repeatable"
    )
    post_as: str = declare.choice(
        XY, {XY: "", VECTOR: "", ADD: "only changes"}, "form of the posted drift"
    )
    arrows: bool = declare.flag(True, "draw the drift at each vessel")
    arrow_scale: float = declare.number(20, "length of an arrow for 1 m/s", unit="m", above=0)
    vessels: str = declare.choice(
        OWN, {OWN: "", REPORTED: "every vessel of NODE_REPORT, as DRIFT_X_ABE"}
    )
    prefix: str = declare.text("NAV", "prefix of the own vessel's X, Y and DEPTH")
