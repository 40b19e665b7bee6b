"""How measured ranges get their noise, and how they are told: what the ranging sensors share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from random import Random

from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import bite, is_number, trimmed

SHORT, LONG, BOTH = "short", "long", "both"
UNIFORM, GAUSSIAN = "uniform", "gaussian"

REPORT_PARAMETERS = (
    Parameter("ground_truth", "true", "false: with noise no reports of true ranges, too"),
    Parameter("rn_algorithm", "", "noise of ranges: uniform,pct=0.1 or gaussian,sigma=2"),
    Parameter("rn_uniform_pct", "0", "greatest error as a share of the range, 0 to 1"),
    Parameter("rn_gaussian_sigma", "0", "standard deviation of errors [m], >= 0"),
)


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
        """Give what is measured [m], >= 0."""
        if self.sigma > 0:
            return max(0.0, true_range + random.gauss(0.0, self.sigma))
        return true_range * (1.0 + self.share * random.uniform(-1.0, 1.0))


def read_noise(config: Config) -> Noise:
    """Read ``rn_algorithm`` and the parameters beside it.

    Raises:
        ConfigError: a line is wrong.
    """
    share = config.number("rn_uniform_pct", default=0.0, low=0.0, high=1.0)
    sigma = config.number("rn_gaussian_sigma", default=0.0, low=0.0)
    entry = config.entry("rn_algorithm")
    if entry is None:
        if share > 0 and sigma > 0:
            both = config.entry("rn_gaussian_sigma")
            assert both is not None  # it is not 0
            raise Config.error(both, "expected no rn_uniform_pct beside it, or an rn_algorithm")
        return Noise(share, sigma, share > 0 or sigma > 0)
    word, text = bite(entry.value, ",")
    kind = GAUSSIAN if word.lower() == "gauss" else word.lower()
    if kind == UNIFORM:
        return Noise(_noise_value(entry, text, "pct", 1.0, share), 0.0, True)
    if kind == GAUSSIAN:
        return Noise(0.0, _noise_value(entry, text, "sigma", inf, sigma), True)
    raise Config.error(entry, f"expected {UNIFORM} or {GAUSSIAN}")


def _noise_value(entry: Entry, text: str, name: str, most: float, default: float) -> float:
    """Read ``pct=0.1`` or ``sigma=2``; if nothing is given, what its own parameter says."""
    if not text:
        return default
    key, value = bite(text, "=")
    if key.lower() != name or not is_number(value) or not 0 <= float(value) <= most:
        bound = " to 1" if most == 1.0 else " or more"
        raise Config.error(entry, f"expected {name}=NUMBER with a number of 0{bound}")
    return float(value)


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


def read_ranging(config: Config, prefix: str) -> Ranging:
    """Read how ranges are told.

    Args:
        prefix: of the variables.
    Raises:
        ConfigError: a line is wrong.
    """
    return Ranging(
        prefix,
        config.choice("report_vars", default=SHORT, among=(SHORT, LONG, BOTH)),
        read_noise(config),
        config.flag("ground_truth", default=True),
    )
