"""Base of the ranging sensors: waiting times of pings, noise and reports of measured ranges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, ClassVar

from steerageway.apps.sensing.vessel_sensor import PerVessel, VesselSensor, Waits
from steerageway.bus import Config, Entry, Message, Options, declare, parsed
from steerageway.declarations import Number, field_of
from steerageway.helm.contact import Contact
from steerageway.moos.values import by_key, split_first, trimmed

SHORT, LONG, BOTH = "short", "long", "both"
UNIFORM, GAUSSIAN = "uniform", "gaussian"


@dataclass(frozen=True, slots=True)
class Noise:
    """Errors of measured ranges.

    Attributes:
        share: maximum of a uniform error, as a fraction of the range; 0 for none.
        sigma: standard deviation of Gaussian errors [m]; 0 for none.
        configured: whether noise is configured, even if it is 0.
    """

    share: float
    sigma: float
    configured: bool

    def on(self, true_range: float, random: Random) -> float:
        """Return the measured range [m], >= 0."""
        if self.sigma > 0:
            return max(0.0, true_range + random.gauss(0.0, self.sigma))
        return true_range * (1.0 + self.share * random.uniform(-1.0, 1.0))


@dataclass(frozen=True)
class NoiseOptions(Options):
    """Parameters of the range noise, and of reports without it."""

    ground_truth: bool = declare.flag(True, "false: no reports of true ranges beside noisy ones")
    rn_algorithm: Entry | None = declare.line("range noise: uniform,pct=0.1 or gaussian,sigma=2")
    rn_uniform_pct: float = declare.number(
        0, "maximum of a uniform error, as a fraction of the range", low=0, high=1
    )
    rn_gaussian_sigma: float = declare.number(
        0, "standard deviation of Gaussian errors", unit="m", low=0
    )


def report_vars(variable: str) -> Any:
    """Declare the parameter that selects one variable for all ranges or one per vessel."""
    return declare.choice(SHORT, {SHORT: variable, LONG: "one for each vessel", BOTH: ""})


def read_noise(config: Config, options: NoiseOptions) -> Noise:
    """Return the noise of ``rn_algorithm``, ``rn_uniform_pct`` and ``rn_gaussian_sigma``.

    Raises:
        ConfigError: a line is wrong.
    """
    share, sigma = options.rn_uniform_pct, options.rn_gaussian_sigma
    entry = options.rn_algorithm
    if entry is None:
        if share > 0 and sigma > 0:
            both = config.entry("rn_gaussian_sigma")
            assert both is not None  # it is not 0
            raise Config.error(both, "expected no rn_uniform_pct with it, or an rn_algorithm")
        return Noise(share, sigma, share > 0 or sigma > 0)
    word, text = split_first(entry.value, ",")
    kind = GAUSSIAN if word.lower() == "gauss" else word.lower()
    if kind == UNIFORM:
        return Noise(_noise_value(entry, text, "pct", 1.0, share), 0.0, True)
    if kind == GAUSSIAN:
        return Noise(0.0, _noise_value(entry, text, "sigma", inf, sigma), True)
    raise Config.error(entry, f"expected {UNIFORM} or {GAUSSIAN}")


def _noise_value(entry: Entry, text: str, name: str, maximum: float, default: float) -> float:
    """Read ``pct=0.1`` or ``sigma=2``; ``default`` if the text is empty."""
    if not text:
        return default
    return parsed(entry, lambda _: field_of(by_key(text), name, Number(low=0.0, high=maximum)))


class RangingSensor(VesselSensor):
    """A sensor of vessels that ping, which reports noisy ranges, and true ones beside them.

    Attributes:
        prefix: of its reports' variables.
    """

    prefix: ClassVar[str]

    def configure_ranging(self, style: str, noise: NoiseOptions, wait: PerVessel) -> None:
        """Begin without vessels, pings and reports.

        Args:
            style: of reports: short (one variable), long (one for each vessel) or both.
            noise: of the measured ranges.
            wait: minimum time between pings of a vessel.
        Raises:
            ConfigError: a line about the noise is wrong.
        """
        super().configure()
        self._style, self._noise = style, read_noise(self.config, noise)
        self._reports_truth = noise.ground_truth
        self._errors = self.random("noise")
        self._waits = Waits(wait)
        self._reported: Counter[str] = Counter()

    def refuse_ping(self, message: Message, vessel: Contact) -> None:
        """Count and warn of a ping within the vessel's waiting time."""
        self._reported["pings too soon"] += 1
        self.run_warning(f"{message.name}: {vessel.name} asks again within ping_wait")

    def report_range(self, vessel: Contact, true_range: float, other: str) -> None:
        """Post one measurement.

        Args:
            vessel: which measures; other: the target, as ``id=01``.
            true_range: [m].
        """
        noise = self._noise
        measured = noise.on(true_range, self._errors) if noise.configured else true_range
        self._post_range(self.prefix, vessel.name, measured, other)
        if noise.configured and self._reports_truth:
            self._post_range(f"{self.prefix}_GT", vessel.name, true_range, other)

    def _post_range(self, variable: str, vessel: str, distance: float, other: str) -> None:
        text = f"range={trimmed(distance, 4)},{other},time={trimmed(self.utc, 3)}"
        if self._style in (SHORT, BOTH):
            self.post(variable, f"vname={vessel},{text}")
        if self._style in (LONG, BOTH):
            self.post(f"{variable}_{vessel.upper()}", text)
