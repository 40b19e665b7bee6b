"""What the sensors of the shore have in common: vessels report where they are, and ask.

Such a sensor runs in one community, hears every vessel's node reports, and answers her requests by
what she would have sensed from there. Between two reports a vessel is where dead reckoning has her.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import ClassVar

from apps.contacts import DECAY, Contact, Ledger
from apps.datum import read_datum
from bus.app import App
from bus.config import Config, Entry, Parameter
from bus.message import Message
from moos.node_report import NodeReportError
from moos.values import bite, is_number, pairs, trimmed
from vessel.encounter import Track

REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
SAME_TIME = 1e-6  # two times that differ by less are one [s]
NO_LIMIT = ("nolimit", "unlimited")
SHORT, LONG, BOTH = "short", "long", "both"
UNIFORM, GAUSSIAN = "uniform", "gaussian"

REPORT_PARAMETERS = (
    Parameter("ground_truth", "true", "false: with noise no reports of true ranges, too"),
    Parameter("rn_algorithm", "", "noise of ranges: uniform,pct=0.1 or gaussian,sigma=2"),
    Parameter("rn_uniform_pct", "0", "greatest error as a share of the range, 0 to 1"),
)


@dataclass(frozen=True, slots=True)
class PerVessel:
    """A number that may be another one for some vessels.

    Attributes:
        default: for those not named.
        named: vessel in lower case -> hers.
    """

    default: float
    named: Mapping[str, float]

    def of(self, vessel: str) -> float:
        """Give a vessel's."""
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


class Waits:
    """How long each vessel waits between two pings.

    Args:
        wait: [s].
    """

    def __init__(self, wait: PerVessel) -> None:
        self._wait = wait
        self._last: dict[str, float] = {}

    def is_over(self, vessel: str, now: float) -> bool:
        """Whether she may ping now [s]."""
        since = now - self._last.get(vessel.lower(), -inf)
        return since >= self._wait.of(vessel) - SAME_TIME

    def begin(self, vessel: str, now: float) -> None:
        """Let her wait from now on."""
        self._last[vessel.lower()] = now


@dataclass(frozen=True, slots=True)
class Noise:
    """Errors of measured ranges.

    Attributes:
        share: greatest error as a share of the range, evenly spread; 0 for none.
        sigma: standard deviation of errors that do not depend on it [m]; 0 for none.
        wanted: whether a sort of noise was chosen, be it 0.
    """

    share: float
    sigma: float
    wanted: bool

    def on(self, true_range: float, random: Random) -> float:
        """Give what is measured [m]."""
        if self.sigma > 0:
            return true_range + random.gauss(0.0, self.sigma)
        return true_range * (1.0 + self.share * random.uniform(-1.0, 1.0))


def read_noise(config: Config, *, gaussian: bool) -> Noise:
    """Read ``rn_algorithm`` and the parameters beside it.

    Args:
        gaussian: whether a sensor has errors of that kind.
    Raises:
        ConfigError: a line is wrong.
    """
    share = config.number("rn_uniform_pct", default=0.0, low=0.0, high=1.0)
    sigma = config.number("rn_gaussian_sigma", default=0.0, low=0.0) if gaussian else 0.0
    entry = config.entry("rn_algorithm")
    if entry is None:
        return Noise(share, sigma, share > 0 or sigma > 0)
    kind, told = bite(entry.value, ",")
    key, said = bite(told, "=")
    sorts = {UNIFORM: ("pct", 1.0, share)} | ({GAUSSIAN: ("sigma", inf, sigma)} if gaussian else {})
    kind = GAUSSIAN if kind.lower() == "gauss" else kind.lower()
    if kind not in sorts:
        raise Config.error(entry, f"expected {' or '.join(sorts)}")
    name, most, value = sorts[kind]
    if told and (key.lower() != name or not is_number(said) or not 0 <= float(said) <= most):
        bound = " to 1" if most == 1.0 else " or more"
        raise Config.error(entry, f"expected {kind},{name}=NUMBER with a number of 0{bound}")
    value = float(said) if told else value
    return Noise(value, 0.0, True) if kind == UNIFORM else Noise(0.0, value, True)


@dataclass(frozen=True, slots=True)
class Ranging:
    """How ranges are told.

    Attributes:
        prefix: of the variables.
        style: short (one variable), long (one for each vessel) or both.
        noise: of what is measured; truth: whether true ranges are told beside it.
    """

    prefix: str
    style: str
    noise: Noise
    truth: bool

    def posts(
        self, vessel: str, true_range: float, other: str, utc: float, random: Random
    ) -> Iterable[tuple[str, str]]:
        """Give variables and texts of one measurement.

        Args:
            vessel: who measures; other: what, as ``id=01``.
            true_range: [m].
        """
        measured = self.noise.on(true_range, random) if self.noise.wanted else true_range
        yield from self._posts(self.prefix, vessel, measured, other, utc)
        if self.noise.wanted and self.truth:
            yield from self._posts(f"{self.prefix}_GT", vessel, true_range, other, utc)

    def _posts(
        self, variable: str, vessel: str, away: float, other: str, utc: float
    ) -> Iterable[tuple[str, str]]:
        text = f"range={trimmed(away, 4)},{other},time={trimmed(utc, 3)}"
        if self.style in (SHORT, BOTH):
            yield variable, f"vname={vessel},{text}"
        if self.style in (LONG, BOTH):
            yield f"{variable}_{vessel.upper()}", text


def read_ranging(config: Config, prefix: str, *, style: str, gaussian: bool) -> Ranging:
    """Read how ranges are told.

    Args:
        prefix: of the variables.
        style: if the block does not tell it.
        gaussian: see ``read_noise``.
    Raises:
        ConfigError: a line is wrong.
    """
    return Ranging(
        prefix,
        config.choice("report_vars", default=style, among=(SHORT, LONG, BOTH)),
        read_noise(config, gaussian=gaussian),
        config.flag("ground_truth", default=True),
    )


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
        self.register(*REPORTS, *self.requests)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take reports, and remember requests."""
        for message in mail:
            if message.name in REPORTS:
                self._take_report(message)
            else:
                self._asked.append(message)

    def _take_report(self, message: Message) -> None:
        try:
            self._ledger.take(str(message.value), self.utc)
        except NodeReportError as error:
            self.run_warning(f"{message.name}: {error}")

    def iterate(self) -> None:
        """Answer what was asked."""
        for message in self._asked:
            text = str(message.value)
            said = {key.lower(): value for key, value in pairs(text)}
            name = said.get("vname", said.get("name", ""))
            vessel = self._ledger.get(name)
            if vessel is None:
                expected = "expected name=V of a vessel that has reported"
                self.run_warning(f"{message.name} = {text}: {expected}")
            else:
                self.answer(message, vessel, said)
        self._asked.clear()

    def answer(self, message: Message, vessel: Contact, said: Mapping[str, str]) -> None:
        """Do what is asked.

        Args:
            message: the request.
            vessel: who asks.
            said: its fields, keys in lower case.
        """
        raise NotImplementedError

    def place_of(self, vessel: Contact) -> Track:
        """Give where a vessel is by now."""
        return vessel.now(self.utc, DECAY)
