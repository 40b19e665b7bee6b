"""Summary of a suite: shares and means with confidence intervals, by scenario and in all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

from steerageway.apps.experiments.sweep.file import CONFIDENCE
from steerageway.apps.shared.encounters import KEPT
from steerageway.launcher.sweep.intervals import wilson

Result = Mapping[str, Any]
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2.0)
RULES = ("6", "8", "13", "14", "15", "16", "17")
EVENTS = ("collision", "near_miss", "domain_violation", "aground", "in_zone", "not_clear")
COSTS = ("late", "farther", "fuel", "steered")


class Interval(NamedTuple):
    """An estimate with its confidence interval, of a number of values."""

    value: float
    low: float
    high: float
    number: int


def share(hits: Iterable[bool]) -> Interval | None:
    """Return a share with Wilson's interval; None of nothing."""
    found = list(hits)
    if not found:
        return None
    count, number = sum(found), len(found)
    return Interval(count / number, *wilson(count, number), number)


def mean(values: Iterable[float]) -> Interval | None:
    """Return a mean with the interval of the normal distribution; None of nothing."""
    found = list(values)
    if not found:
        return None
    middle = fmean(found)
    half = Z * stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return Interval(middle, middle - half, middle + half, len(found))


def happened(result: Result, event: str) -> bool:
    """Whether an event of ``EVENTS`` happened in a run."""
    if event == "domain_violation":
        return bool(result["domain"] < 1.0)
    if event in ("aground", "in_zone"):
        return result[event] is not None
    if event == "not_clear":
        return not result["clear"]
    return bool(result[event])


def summarized(results: Sequence[Result]) -> dict[str, Any]:
    """Return the summary of some runs' results, as ``--json`` writes it."""

    def dumped(found: Interval | None) -> dict[str, float] | None:
        return None if found is None else {k: round(v, 5) for k, v in found._asdict().items()}

    def by_rule(pick: Callable[[float], float | bool], kind: Callable[..., Interval | None]) -> Any:
        scores = {
            rule: [pick(one["rules"][rule]) for one in results if rule in one["rules"]]
            for rule in RULES
        }
        return {rule: dumped(kind(values)) for rule, values in scores.items() if values}

    return {
        "runs": len(results),
        "events": {
            event: dumped(share(happened(one, event) for one in results)) for event in EVENTS
        },
        "cpa_lengths": {
            "least": min((one["cpa_lengths"] for one in results), default=None),
            **(dumped(mean(one["cpa_lengths"] for one in results)) or {}),
        },
        "safety": dumped(mean(one["safety"] for one in results)),
        "rules": by_rule(float, mean),
        "kept": by_rule(lambda score: score >= KEPT, share),
        "cost": {key: dumped(mean(one[key] for one in results)) for key in COSTS},
    }


def by_scenario(names: Sequence[str], results: Sequence[Result]) -> dict[str, dict[str, Any]]:
    """Return the summary of each scenario, in their order.

    Args:
        names: the scenario of each result.
    """
    found: dict[str, list[Result]] = {}
    for name, result in zip(names, results, strict=True):
        found.setdefault(name, []).append(result)
    return {name: summarized(some) for name, some in found.items()}


def badness(result: Result) -> tuple[float, float, float]:
    """Return the key by which results are sorted, the worst first."""
    grave = result["collision"] or result["aground"] is not None
    return (0.0 if grave else 1.0, result["safety"], result["worst"])


def sentence(verdict: Result) -> str:
    """Return a verdict as text."""
    kept = "kept" if verdict["kept"] else "not kept"
    return f"rule {verdict['rule']}: {verdict['score']:.2f}, {kept}: {verdict['why']}"
