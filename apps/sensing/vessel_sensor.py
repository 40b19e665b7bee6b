"""What the sensors of the shore have in common: vessels report where they are, and ask.

Such a sensor runs in one community, hears every vessel's node reports, and answers its requests by
what it would have sensed from there. Between two reports a vessel is where dead reckoning has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from steerageway.apps.contacts.contact import DECAY, REPORTS, SAME_TIME, Contact, Ledger
from steerageway.apps.framework.datum import read_datum
from steerageway.bus import App, Config, Entry, Message, declare
from steerageway.moos.values import bite, by_key, is_number
from steerageway.vessel.encounter import Track

NO_LIMIT = ("nolimit", "unlimited")


@dataclass(frozen=True, slots=True)
class PerVessel:
    """A number that may be another one for some vessels.

    Attributes:
        default: for those not named.
        named: vessel in lower case -> its number.
    """

    default: float
    named: Mapping[str, float]

    def of(self, vessel: str) -> float:
        """Return the number of a vessel."""
        return self.named.get(vessel.lower(), self.default)


def read_per_vessel(
    config: Config, *keys: str, default: float, without_limit: float = inf
) -> PerVessel:
    """Read lines ``default = 100`` and ``abe = 50`` of a key and its aliases; the first counts.

    Args:
        default: when no line tells it.
        without_limit: what ``nolimit``, and anything below 0, stands for.
    Raises:
        ConfigError: a line is wrong.
    """
    named: dict[str, float] = {}
    for entry in config.all(*keys):
        vessel, value = bite(entry.value, "=")
        if not value:
            vessel, value = "default", vessel
        named.setdefault(vessel.lower(), _number(entry, value, without_limit))
    return PerVessel(named.pop("default", default), named)


def per_vessel(
    default: float,
    meaning: str,
    *,
    unit: str,
    without_limit: float = inf,
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a number that may be another one for some vessels; see ``read_per_vessel``."""
    said = f"{meaning} [{unit}]: default={unit.upper()} or V={unit.upper()}"

    def read(config: Config, names: Sequence[str]) -> PerVessel:
        return read_per_vessel(config, *names, default=default, without_limit=without_limit)

    return declare.custom(read, said, default=f"{default:g}", aliases=aliases)


def parse_reach(text: str) -> float | None:
    """Read a distance [m]; below 0 and ``nolimit`` are inf; None if it is none."""
    if text.strip().lower() in NO_LIMIT:
        return inf
    if not is_number(text):
        return None
    return float(text) if float(text) >= 0 else inf


def _number(entry: Entry, text: str, without_limit: float) -> float:
    reach = parse_reach(text)
    if reach is None:
        raise Config.error(entry, "expected NAME=number, default=number or nolimit")
    return reach if reach < inf else without_limit


def unlike_labels(lines: Sequence[tuple[Entry, str]]) -> list[str]:
    """Return the labels of lines, in their order.

    Args:
        lines: each with its label; "" for none.
    Raises:
        ConfigError: two lines have the same one.
    """
    first: dict[str, Entry] = {}
    for entry, label in lines:
        if label and label in first:
            expected = f"expected another label than {label}, which {first[label].where} has"
            raise Config.error(entry, expected)
        first[label] = entry
    return [label for _, label in lines]


class Waits:
    """How long each vessel waits between two pings.

    Args:
        wait: [s].
    """

    def __init__(self, wait: PerVessel) -> None:
        self._wait = wait
        self._last: dict[str, float] = {}

    def is_over(self, vessel: str, now: float) -> bool:
        """Whether it may ping now [s]."""
        since = now - self._last.get(vessel.lower(), -inf)
        return since >= self._wait.of(vessel) - SAME_TIME

    def begin(self, vessel: str, now: float) -> None:
        """Let it wait from now on."""
        self._last[vessel.lower()] = now


class VesselSensor(App):
    """A sensor that vessels ask: hears reports and requests, and answers in its iteration.

    A subclass says in ``answer`` what is to be done about a request.
    """

    requests: ClassVar[Sequence[str]] = ()
    """The variables that ask."""

    def configure(self) -> None:
        """Begin without any vessel."""
        self._ledger = Ledger("", inf, read_datum(self.setting.globals))
        self._asked: list[Message] = []

    def on_start(self) -> None:
        """Register."""
        self.register(*self.subscribes)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take reports, and remember requests."""
        for message in mail:
            if message.name in REPORTS:
                self._ledger.take_report(message, self.utc, self.run_warning)
            else:
                self._asked.append(message)

    def iterate(self) -> None:
        """Answer what was asked."""
        for message in self._asked:
            text = str(message.value)
            fields = by_key(text)
            name = fields.get("vname", fields.get("name", ""))
            vessel = self._ledger.get(name)
            if vessel is None:
                expected = "expected name=V of a vessel that has reported"
                self.run_warning(f"{message.name} = {text}: {expected}")
            else:
                self.answer(message, vessel, fields)
        self._asked.clear()

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Do what is asked.

        Args:
            message: the request.
            vessel: who asks.
            fields: its fields, keys in lower case.
        """
        raise NotImplementedError

    def place_of(self, vessel: Contact) -> Track:
        """Return where a vessel is by now."""
        return vessel.now(self.utc, DECAY)
