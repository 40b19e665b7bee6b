"""Reads the reference tables on waves and meshes."""

from __future__ import annotations

import csv
import json
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.sea import Sea
from steerageway.world.sea_state import wave_number

WAVES = Path(__file__).parents[1] / "reference" / "waves"
MESH = Path(__file__).parents[1] / "reference" / "mesh"


def rows(path: Path) -> list[dict[str, Any]]:
    """Return a table's rows; numbers are floats."""
    with path.open() as file:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def data(path: Path) -> Any:
    """Return a JSON file's contents."""
    return json.loads(path.read_text())


def sea_of(components: Any, depth: float | None, rho: float = 1025.0, g: float = 9.81) -> Sea:
    """Return a sea of components (a, w, beta, eps)."""
    h = depth or inf
    found = []
    for a, w, beta, eps in components:
        k = wave_number(w, h, g)
        found.append([a, w, k, k * np.cos(beta), k * np.sin(beta), eps, -inf, inf])
    return Sea(np.array(found), np.array([h, g, rho, 0.0]))


def columns(table: list[dict[str, Any]], *names: str) -> Floats:
    """Return columns of a table (n, len(names))."""
    return np.array([[row[name] for name in names] for row in table])
