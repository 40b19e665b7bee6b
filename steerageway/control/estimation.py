"""Prediction error estimation: parameters with bounds, confidence, and tests of the residuals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares  # type: ignore[import-untyped]
from scipy.stats import chi2, norm  # type: ignore[import-untyped]

from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.world.arrays import Floats

PASSES = 3  # the noise of each output is that of the residuals of the pass before
CONFIDENCE = 0.95
REACH = float(norm.ppf(0.5 + 0.5 * CONFIDENCE))  # of its interval, in standard deviations
LAGS = 20  # of the test of whiteness
NOT_WHITE = 0.01  # probability below which residuals are taken as not white
CORRELATED = 0.95  # correlation of two estimates that are hard to tell apart
UNSEEN = 1e-6  # effect of a parameter relative to the largest, below which nothing shows it
CHANGES = 1e-3  # of an output in a part of a run, of its range in all, below which none shows
LOST = 1e6  # residual of a run that fails, in standard deviations

Outputs = Mapping[str, Floats]


@dataclass(frozen=True)
class Unknown:
    """A parameter to be estimated: first value, bounds, and whether it is only a start value.

    ``prior``: standard deviation of what is known of it beforehand; None: nothing is.
    """

    name: str
    value: float
    low: float = -np.inf
    high: float = np.inf
    unit: str = ""
    nuisance: bool = False
    prior: float | None = None


@dataclass(frozen=True)
class Estimate:
    """The result of an identification.

    Attributes:
        unknowns: the parameters, with those of the start. values: (k,). deviations: (k,) standard
            deviations; residuals that are not white count as fewer samples. correlation: (k, k).
        noise: by output, standard deviation of the residuals [its unit].
        fit: by output, 100 (1 - |e| / |y - mean|) on the part kept back [%]; train_fit: on the part
            that was used; without the outputs that do not change in it.
        white: by output, probability of residuals like these if they are white (Ljung-Box).
        remarks: collinear parameters, values at their bounds or not told from 0, residuals that are
            not white.
        predicted: by output, (n,) the whole run.
    """

    unknowns: tuple[Unknown, ...]
    values: Floats
    deviations: Floats
    correlation: Floats
    noise: dict[str, float]
    fit: dict[str, float]
    train_fit: dict[str, float]
    white: dict[str, float]
    remarks: tuple[str, ...]
    predicted: dict[str, Floats]

    def __getitem__(self, name: str) -> float:
        return float(self.values[[one.name for one in self.unknowns].index(name)])

    def interval(self, name: str, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the confidence interval of a parameter."""
        i = [one.name for one in self.unknowns].index(name)
        reach = float(norm.ppf(0.5 + 0.5 * confidence)) * float(self.deviations[i])
        return float(self.values[i]) - reach, float(self.values[i]) + reach

    def __str__(self) -> str:
        lines = []
        for one in self.unknowns:
            if not one.nuisance:
                low, high = self.interval(one.name)
                unit = f" {one.unit}" if one.unit else ""
                lines.append(
                    f"{one.name} = {self[one.name]:.5g}{unit}, 95 %: {low:.5g} to {high:.5g}"
                )
        lines += [
            f"{name}: fit {per_cent(self.train_fit.get(name))}, on the part kept back "
            f"{per_cent(self.fit.get(name))}, noise {noise:.3g}, "
            f"whiteness p = {self.white[name]:.2g}"
            for name, noise in self.noise.items()
        ]
        return "\n".join((*lines, *(f"remark: {remark}" for remark in self.remarks)))


def estimate(
    simulate: Callable[[Floats], Outputs],
    unknowns: Sequence[Unknown],
    measured: Outputs,
    *,
    held_back: float = 0.25,
) -> Estimate:
    """Return the parameters for which a simulated run is closest to the measured one.

    Args:
        simulate: outputs by name (n,) for parameters (k,).
        unknowns: the parameters. measured: (n,) by name.
        held_back: last part of the run, which is not used but judged.

    Raises:
        InvalidValue: a parameter has no effect on what was measured, or the effects of some
            cancel: the run does not determine them.
    """
    if not 0.0 <= held_back < 1.0:
        raise InvalidValue(f"held_back = {held_back:g}: expected 0 or more, below 1")
    used = round((1.0 - held_back) * len(next(iter(measured.values()))))
    values, J, residuals, noise = _fitted(simulate, unknowns, measured, used)
    _refuse_unseen(J, unknowns)
    covariance = np.linalg.inv(J.T @ J)
    deviations = np.sqrt(np.diag(covariance))
    return _judged(
        tuple(unknowns),
        values,
        covariance / np.outer(deviations, deviations),
        deviations,
        dict(zip(measured, noise.tolist(), strict=True)),
        {name: _whiteness(row) for name, row in zip(measured, residuals, strict=True)},
        measured,
        simulate(values),
        used,
    )


def _fitted(
    simulate: Callable[[Floats], Outputs],
    unknowns: Sequence[Unknown],
    measured: Outputs,
    used: int,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the parameters of least squares over the first ``used`` samples.

    Residuals that are not white count as fewer samples, or their number would outweigh what was
    known before, and make the intervals narrow.

    Returns: values (k,); Jacobian (n, k) of residuals and of what was known before, in standard
        deviations; residuals (outputs, used); noise (outputs,).
    """
    names = list(measured)
    y = np.array([measured[name][:used] for name in names])
    noise = weight = np.maximum(y.std(axis=1), 1e-9)
    centre = values = np.array([one.value for one in unknowns])
    prior = np.array([np.inf if one.prior is None else one.prior for one in unknowns])
    bounds = tuple(np.array([getattr(one, end) for one in unknowns]) for end in ("low", "high"))

    def errors(theta: Floats) -> Floats:
        """Return the residuals in standard deviations, and those of what was known before."""
        try:
            made = simulate(theta)
        except VesselError:
            return np.full(y.size + theta.size, LOST)
        e = np.array([made[name][:used] for name in names]) - y
        scaled = np.append((e / weight[:, np.newaxis]).ravel(), (theta - centre) / prior)
        bounded: Floats = np.nan_to_num(np.clip(scaled, -LOST, LOST), nan=LOST)
        return bounded

    for _ in range(PASSES):
        found = least_squares(errors, values, bounds=bounds, x_scale="jac", xtol=1e-10)
        values = found.x
        residuals = found.fun[: y.size].reshape(y.shape) * weight[:, np.newaxis]
        noise = np.maximum(np.sqrt((residuals**2).mean(axis=1)), 1e-12)
        before, weight = weight, noise * np.sqrt([_samples_as_one(row) for row in residuals])
    # the scale of the last pass's Jacobian is that of the weights before it
    scale = np.append(np.repeat(weight / before, used), np.ones(values.size))
    return values, found.jac / scale[:, np.newaxis], residuals, noise


def _judged(
    unknowns: tuple[Unknown, ...],
    values: Floats,
    correlation: Floats,
    deviations: Floats,
    noise: dict[str, float],
    white: dict[str, float],
    measured: Outputs,
    made: Outputs,
    used: int,
) -> Estimate:
    """Return the estimate with its fits and remarks; without a part kept back, of all."""
    kept = slice(used if used < len(next(iter(measured.values()))) else 0, None)
    return Estimate(
        unknowns,
        values,
        deviations,
        correlation,
        noise,
        _fits(measured, made, kept),
        _fits(measured, made, slice(used)),
        white,
        tuple(_remarks(unknowns, values, deviations, correlation, white)),
        {name: np.asarray(made[name]) for name in measured},
    )


def _fits(measured: Outputs, made: Outputs, part: slice) -> dict[str, float]:
    """Return the fit of each output that changes in a part of a run [%]."""
    found = {}
    for name, y in measured.items():
        there = y[part]
        if float(np.ptp(there)) > CHANGES * float(np.ptp(y)):
            apart, around = there - made[name][part], there - there.mean()
            found[name] = 100.0 * float(1.0 - np.linalg.norm(apart) / np.linalg.norm(around))
    return found


def per_cent(fit: float | None) -> str:
    """Return a fit as text; None: of an output that does not change."""
    return "none (nothing changes there)" if fit is None else f"{fit:.1f} %"


def _samples_as_one(residuals: Floats) -> float:
    """Return how many samples count as one independent one; 1 of white residuals.

    It is 1 + 2 sum rho_k; the sum ends before the first pair of neighbours that is negative.

    Source: Geyer (1992), Practical Markov Chain Monte Carlo, the initial positive sequence.
    """
    if _whiteness(residuals) >= NOT_WHITE:
        return 1.0
    n, e = len(residuals), residuals - residuals.mean()
    spectrum = np.fft.rfft(e, 2 * n)
    rho = np.fft.irfft(abs(spectrum) ** 2)[: n - n % 2] / max(float(e @ e), 1e-300)
    pairs = rho.reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0.0)
    return max(1.0, 2.0 * float(pairs[: ends[0] if ends.size else None].sum()) - 1.0)


def _whiteness(residuals: Floats) -> float:
    """Return the probability of the Ljung-Box statistic. Source: Ljung and Box (1978)."""
    n, e = len(residuals), residuals - residuals.mean()
    lags = min(LAGS, n // 4)
    power = max(float(e @ e), 1e-300)
    rho = np.array([float(e[k:] @ e[:-k]) / power for k in range(1, lags + 1)])
    statistic = n * (n + 2) * float((rho**2 / (n - np.arange(1, lags + 1))).sum())
    return float(chi2.sf(statistic, lags))


def _refuse_unseen(J: Floats, unknowns: Sequence[Unknown]) -> None:
    sizes = np.linalg.norm(J, axis=0) * np.array([max(abs(one.value), 1e-3) for one in unknowns])
    for one, size in zip(unknowns, sizes.tolist(), strict=True):
        if size <= UNSEEN * float(sizes.max()):
            raise InvalidValue(
                f"{one.name}: not observable: it changes nothing that was measured in this run"
            )
    unit = J / np.linalg.norm(J, axis=0)
    _, singular, rows = np.linalg.svd(unit, full_matrices=False)
    if singular[-1] < UNSEEN * singular[0]:
        part = sorted(zip(abs(rows[-1]), unknowns, strict=True), key=lambda pair: -pair[0])
        names = ", ".join(one.name for size, one in part if size > 0.1)
        raise InvalidValue(
            f"{names}: not observable apart: changes of these cancel in this run; expected fewer "
            "free parameters, or a run with other manoeuvres"
        )


def _remarks(
    unknowns: Sequence[Unknown],
    values: Floats,
    deviations: Floats,
    correlation: Floats,
    white: Mapping[str, float],
) -> list[str]:
    names = [one.name for one in unknowns]
    found = [
        f"{names[i]} and {names[j]} are collinear (correlation {correlation[i, j]:.3f}): the run "
        "hardly tells them apart"
        for i in range(len(names))
        for j in range(i)
        if abs(correlation[i, j]) > CORRELATED
        and not (unknowns[i].nuisance or unknowns[j].nuisance)
    ]
    found += [
        f"{one.name} is at its bound"
        for one, value in zip(unknowns, values.tolist(), strict=True)
        if min(value - one.low, one.high - value) <= 1e-6 * max(abs(value), abs(one.value))
    ]
    found += [
        f"{one.name} may be 0 as well: the run hardly shows it"
        for one, value, deviation in zip(unknowns, values, deviations, strict=True)
        if not one.nuisance and abs(value) < REACH * deviation
    ]
    found += [
        f"the residuals of {name} are not white (p = {p:.2g}): the model lacks something; they "
        "count as fewer samples"
        for name, p in white.items()
        if p < NOT_WHITE
    ]
    return found
