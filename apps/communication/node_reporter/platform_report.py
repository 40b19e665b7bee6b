"""The platform report: changed variables of the bus in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from steerageway.bus import Config, Entry, Value, parsed
from steerageway.declarations import Number, field_of
from steerageway.moos.values import fixed, pairs, trimmed


@dataclass(slots=True, eq=False)
class PlatformInput:
    """One variable of the platform report.

    Attributes:
        variable: its name on the bus; alias: its name in the report.
        gap: minimum time between two reports of it [s].
    """

    variable: str
    alias: str
    gap: float
    _value: str = ""
    _changed: bool = False
    _sent: float = -inf

    def take(self, value: Value, _now: float) -> None:
        """Take a new value."""
        self._value = trimmed(value, 8) if isinstance(value, float) else str(value)
        self._changed = True

    def due(self, now: float) -> str | None:
        """Return ``alias=value`` if the variable is due."""
        if not self._changed or now - self._sent <= self.gap:
            return None
        self._changed, self._sent = False, now
        return f"{self.alias}={self._value}"


class PlatformReport:
    """The platform report of a vessel."""

    def __init__(self, platform: str, inputs: list[PlatformInput]) -> None:
        self._platform = platform
        self.inputs = inputs

    def text(self, now: float, utc: float) -> str:
        """Return the report of the variables that changed; "" without any."""
        due = [text for item in self.inputs if (text := item.due(now)) is not None]
        if not due:
            return ""
        return ",".join([f"platform={self._platform}", f"utc_time={fixed(utc)}", *due])


def read_platform_inputs(config: Config, names: Sequence[str]) -> list[PlatformInput]:
    """Parse the ``plat_report_input`` lines: ``VARIABLE, gap=1, alias=NAME``.

    Args:
        names: of the parameter.
    Raises:
        ConfigError: a line is invalid.
    """
    inputs: list[PlatformInput] = []
    for entry in config.all(*names):
        item = _read_input(entry)
        if any(item.variable == other.variable for other in inputs):
            raise Config.error(entry, f"expected each variable once, {item.variable} came before")
        inputs.append(item)
    return inputs


def _read_input(entry: Entry) -> PlatformInput:
    variable, fields = "", dict[str, str]()
    for key, value in pairs(entry.value):
        if key.lower() in ("gap", "alias"):
            fields[key.lower()] = value
        elif not value:
            variable = key
        else:
            raise Config.error(entry, "expected VARIABLE, gap=SECONDS, alias=NAME")
    alias = fields.get("alias") or variable
    if not variable or any(char.isspace() for char in variable + alias):
        raise Config.error(entry, "expected one variable, and names without blanks")
    gap = parsed(entry, lambda _: field_of(fields, "gap", Number(low=0.0), "0"))
    return PlatformInput(variable, alias, gap)
