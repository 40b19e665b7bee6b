"""What Panisim's documentation states in numbers: its excerpt of an aerofoil's table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, tidy

FOIL = Path(__file__).parents[2] / "inputs" / "sookshma" / "NACA0015.csv"
EXCERPT = {
    -19.75: (-1.2970, 0.09858),
    -19.5: (-1.3072, 0.09342),
    0.0: (0.0, 0.00632),
    19.75: (1.2970, 0.09858),
}


def aerofoil() -> Finding:
    """Repeat the excerpt of NACA0015.csv."""
    with FOIL.open() as lines:
        rows = {float(row["Alpha"]): row for row in csv.DictReader(lines)}
    alphas = np.array(sorted(rows))
    columns = {name: [float(rows[a][name]) for a in alphas] for name in ("Cl", "Cd")}
    values = tuple(
        Value(f"{name} at {alpha:g}°", stated, float(np.interp(alpha, alphas, columns[name])))
        for alpha, pair in EXCERPT.items()
        for name, stated in zip(("Cl", "Cd"), pair, strict=True)
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, name in zip(COLOURS, ("Cl", "Cd"), strict=False):
            panel.plot(alphas, columns[name], color=colour, label=name)
        tidy(panel, "angle of attack [°]", "coefficient")

    return Finding(
        values,
        "The file that comes with `sookshma` ends at 19.25°, where the excerpt goes to 19.75°, "
        "and has no row at 0°, which lies between two of its rows. Beyond its ends a plate's "
        "coefficients follow.",
        draw,
    )
