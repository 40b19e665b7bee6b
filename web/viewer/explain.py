"""Explanation of a helm's decision: what each behavior wants, and what the decision costs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from steerageway.ivp import Ipf
from steerageway.moos.values import trimmed

AS_GOOD = 0.005  # of a function's range: a loss that counts as none
_UNITS = {"course": "°", "speed": " m/s", "depth": " m"}
_TURN = 360.0


def costs(functions: Mapping[str, Ipf], decision: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return what each behavior wants and what a decision costs it, the most influential first.

    Args:
        functions: behavior -> its objective function.
        decision: variable -> value.
    Returns: of each behavior its ``name``, ``weight``, ``wants`` as text, and ``cost``: the part
        of its function's range that the decision loses; None if nothing was decided.
    """
    rows = []
    for name, one in functions.items():
        part = one.function
        table = np.asarray(part.table)
        low, high = float(table.min()), float(table.max())
        known = all(axis in decision for axis in part.domain.names)
        cost = None
        if known:
            at = tuple(part.domain[axis].nearest(decision[axis]) for axis in part.domain.names)
            cost = 0.0 if high == low else (high - float(table[at])) / (high - low)
        wants = _wants(part, table >= high - AS_GOOD * (high - low))
        rows.append(
            {"name": name, "weight": part.weight, "wants": wants, "cost": cost}
            | {"influence": part.weight * (high - low)}
        )
    return sorted(rows, key=lambda row: -row.pop("influence"))


def explained(rows: list[dict[str, Any]], decision: Mapping[str, float], halt: str = "") -> str:
    """Return the rows of ``costs`` as a sentence."""
    if halt:
        return f"The helm has halted: {halt}."
    if not rows:
        return "No behavior is active, so the helm decides nothing."
    decided = ", ".join(f"{name} {_value(name, value)}" for name, value in decision.items())
    parts = []
    for row in rows:
        wants = row["wants"] or "nothing in particular"
        alone = "alone decides: it" if len(rows) == 1 else f"(weight {trimmed(row['weight'])})"
        parts.append(f"{row['name']} {alone} wants {wants}{_gets(row['cost'])}")
    return f"{decided or 'Nothing is decided'}: {'; '.join(parts)}."


def _gets(cost: float | None) -> str:
    if cost is None:
        return ""
    return " and gets it" if cost <= AS_GOOD else f" and loses {100 * cost:.0f} % of its range"


def _wants(part: Any, best: Any) -> str:
    """Return the values at which a function is greatest; "" if all are as good."""
    texts = []
    names = part.domain.names
    for axis, name in enumerate(names):
        others = tuple(k for k in range(len(names)) if k != axis)
        good = best.any(axis=others)
        if not good.all():
            texts.append(f"{name} {_ranges(name, part.domain[name].values, good)}")
    return ", ".join(texts)


def _ranges(name: str, values: Any, good: Any) -> str:
    """Return marked values of a variable as text: "170 to 190°"; courses may pass north."""
    marked = np.flatnonzero(good)
    runs = np.split(marked, np.flatnonzero(np.diff(marked) > 1) + 1)
    ends = [(values[run[0]], values[run[-1]]) for run in runs]
    if name == "course" and len(runs) > 1 and good[0] and good[-1]:
        ends = [(ends[-1][0], ends[0][1]), *ends[1:-1]]
    texts = [
        _value(name, low) if low == high else f"{_value(name, low)} to {_value(name, high)}"
        for low, high in ends
    ]
    return " or ".join(texts[:3]) + (" or others" if len(texts) > 3 else "")


def _value(name: str, value: float) -> str:
    digits = f"{value % _TURN:03.0f}" if name == "course" else trimmed(round(float(value), 2))
    return f"{digits}{_UNITS.get(name, '')}"
