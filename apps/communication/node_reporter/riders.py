"""Riders: variables of the bus that are additional fields of the node report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from steerageway.bus import Config, Entry, Value, parsed
from steerageway.declarations import Number, Whole, field_of
from steerageway.moos.values import fixed, pairs

RESERVED = {
    *("NAME", "X", "Y", "SPD", "HDG", "DEP", "LAT", "LON", "TYPE", "COLOR", "MODE", "ALLSTOP"),
    *("INDEX", "YAW", "TIME", "LENGTH"),
}
MAX_DECIMALS = 10


@dataclass(slots=True, eq=False)
class Rider:
    """A variable that is a field of the node report, and its policy.

    Attributes:
        variable: its name on the bus; field: its name in the report.
        every: time after which an unchanged value is reported again [s]; 0: each report; inf:
    never.
        when_updated: whether a new value is reported at once.
        decimals: of a number.
    """

    variable: str
    field: str
    every: float
    when_updated: bool
    decimals: int
    _value: str = ""
    _fresh: bool = False
    _sent: float = -inf

    def take(self, value: Value, _now: float) -> None:
        """Take a new value; a text with a comma is put in braces."""
        text = fixed(value, self.decimals) if isinstance(value, float) else str(value)
        self._value = f"{{{text}}}" if "," in text else text
        self._fresh = True

    def due(self, now: float) -> str:
        """Return the value to report now; "" for none."""
        due = (self._fresh and self.when_updated) or now - self._sent >= self.every
        self._fresh = False
        if not due or not self._value:
            return ""
        self._sent = now
        return self._value


def read_riders(config: Config, names: Sequence[str]) -> list[Rider]:
    """Parse the ``rider`` lines: ``var=X, policy=always|updated|updated+N|N, rfld=F, prec=4``.

    Args:
        names: of the parameter.
    Raises:
        ConfigError: a line is invalid.
    """
    riders: list[Rider] = []
    for entry in config.all(*names):
        rider = _read_rider(entry)
        if any(rider.variable == other.variable for other in riders):
            raise Config.error(
                entry, f"expected each variable once, {rider.variable} rides already"
            )
        riders.append(rider)
    return riders


def _read_rider(entry: Entry) -> Rider:
    given = {"var": "", "policy": "always", "rfld": "", "prec": "4"}
    for key, value in pairs(entry.value):
        if key not in given:
            raise Config.error(entry, "expected var=, policy=, rfld= or prec=")
        given[key] = value
    variable, field = given["var"], given["rfld"]
    if not variable or variable in RESERVED:
        raise Config.error(entry, "expected var= a variable that is no field of a node report")
    if not field.replace("_", "").isalnum() and field:
        raise Config.error(entry, "expected rfld= letters and digits")
    digits = parsed(entry, lambda _: field_of(given, "prec", Whole(0, MAX_DECIMALS)))
    every, when_updated = _read_policy(entry, given["policy"])
    return Rider(variable, field or variable, every, when_updated, digits)


def _read_policy(entry: Entry, policy: str) -> tuple[float, bool]:
    """Return (every, when_updated) of a policy."""
    if policy == "always":
        return 0.0, False
    if policy == "updated":
        return inf, True
    seconds = policy.removeprefix("updated+")
    try:
        return Number(low=0.0)(seconds), seconds != policy
    except ValueError as error:
        expected = f"policy = {policy}: {error}, or always, updated, updated+N"
        raise Config.error(entry, expected) from None
