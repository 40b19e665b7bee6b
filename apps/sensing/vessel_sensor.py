"""Base of shoreside sensors (``uFld...``), which serve the requests of reporting vessels.

Such a sensor runs in one community, receives every vessel's node reports, and answers requests with
simulated readings from the vessel's position, dead-reckoned between reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from steerageway.apps.shared.block_readers import parse_reach
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Config, Entry, Message, declare
from steerageway.geometry.encounter import Track
from steerageway.helm.contact import DECAY, REPORTS, TIME_TOLERANCE, Contact, ContactList
from steerageway.moos.values import by_key, split_first


@dataclass(frozen=True, slots=True)
class PerVessel:
    """A number with exceptions for some vessels.

    Attributes:
        default: for vessels that are not named.
        named: vessel's name in lower case -> its number.
    """

    default: float
    named: Mapping[str, float]

    def of(self, vessel: str) -> float:
        """Return the number of a vessel."""
        return self.named.get(vessel.lower(), self.default)


def read_per_vessel(
    config: Config, *keys: str, default: float, without_limit: float = inf
) -> PerVessel:
    """Read lines ``default = 100`` and ``abe = 50`` of a key and its aliases; the first one wins.

    Args:
        default: used if no line sets it.
        without_limit: value of ``nolimit`` and of negative numbers.
    Raises:
        ConfigError: a line is wrong.
    """
    named: dict[str, float] = {}
    for entry in config.all(*keys):
        vessel, value = split_first(entry.value, "=")
        if not value:
            vessel, value = "default", vessel
        try:
            reach = parse_reach(value)
        except ValueError as error:
            raise Config.error(entry, f"{error}; for one vessel: NAME=number") from None
        named.setdefault(vessel.lower(), reach if reach < inf else without_limit)
    return PerVessel(named.pop("default", default), named)


def per_vessel(
    default: float,
    meaning: str,
    *,
    unit: str,
    without_limit: float = inf,
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a number with exceptions for some vessels; see ``read_per_vessel``."""
    text = f"{meaning} [{unit}]: default={unit.upper()} or V={unit.upper()}"

    def read(config: Config, names: Sequence[str]) -> PerVessel:
        return read_per_vessel(config, *names, default=default, without_limit=without_limit)

    return declare.custom(read, text, default=f"{default:g}", aliases=aliases)


def distinct_labels(lines: Sequence[tuple[Entry, str]]) -> list[str]:
    """Return the labels of lines, in their order, after a check for duplicates.

    Args:
        lines: each with its label; "" for none.
    Raises:
        ConfigError: two lines have the same label.
    """
    first: dict[str, Entry] = {}
    for entry, label in lines:
        if label and label in first:
            expected = f"expected another label than {label}, which {first[label].where} has"
            raise Config.error(entry, expected)
        first[label] = entry
    return [label for _, label in lines]


class Waits:
    """Minimum waiting times of vessels between requests.

    Args:
        wait: [s].
    """

    def __init__(self, wait: PerVessel) -> None:
        self._wait = wait
        self._last: dict[str, float] = {}

    def is_over(self, vessel: str, now: float) -> bool:
        """Return whether the vessel's waiting time is over at ``now`` [s]."""
        since = now - self._last.get(vessel.lower(), -inf)
        return since >= self._wait.of(vessel) - TIME_TOLERANCE

    def begin(self, vessel: str, now: float) -> None:
        """Start the vessel's waiting time at ``now`` [s]."""
        self._last[vessel.lower()] = now


class VesselSensor(App):
    """A sensor that serves vessels: collects reports and requests, answers in ``iterate``.

    A subclass implements ``answer``.
    """

    requests: ClassVar[Sequence[str]] = ()
    """The variables that carry requests."""

    def configure(self) -> None:
        """Start with an empty contact list."""
        self._contacts = ContactList("", inf, read_datum(self.setting.globals))
        self._requests: list[Message] = []

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Store reports, and queue requests."""
        for message in mail:
            if message.name in REPORTS:
                self._contacts.take_report(message.name, message.value, self.utc, self.run_warning)
            else:
                self._requests.append(message)

    def iterate(self) -> None:
        """Answer the queued requests."""
        for message in self._requests:
            text = str(message.value)
            fields = by_key(text)
            name = fields.get("vname", fields.get("name", ""))
            vessel = self._contacts.get(name)
            if vessel is None:
                expected = "expected name=V of a vessel that has reported"
                self.run_warning(f"{message.name} = {text}: {expected}")
            else:
                self.answer(message, vessel, fields)
        self._requests.clear()

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Serve a request.

        Args:
            message: the request.
            vessel: the requesting vessel.
            fields: of the request, keys in lower case.
        """
        raise NotImplementedError

    def place_of(self, vessel: Contact) -> Track:
        """Return a vessel's position now, by dead reckoning."""
        return vessel.now(self.utc, DECAY)
