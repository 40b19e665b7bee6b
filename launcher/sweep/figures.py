"""Plots of a sweep's outcomes over the varied values: a PNG for each outcome, by Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from re import sub

from steerageway.declarations import write_whole
from steerageway.launcher.sweep.report import outcomes, unrolled_column
from steerageway.launcher.sweep.table import Table

MOST_DOTS = 5000  # limit of cases in a plot, about: of more, every so-manyth is drawn
_WIDTH, _HEIGHT, _DOTS = 3.2, 3.0, 110


def draw(table: Table, varied: Sequence[str], folder: Path) -> bool:
    """Plot every outcome to ``outcome_<name>.png``; return False if Matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    every = max(1, len(table) // MOST_DOTS)
    factors = {name: table.column(name) for name in varied if len(set(table.column(name))) > 1}
    if not factors:
        factors = {"case": table.column("case")}
    for name, values in outcomes(table, varied).items():
        figure = Figure((_WIDTH * len(factors) + 0.6, _HEIGHT), layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(1, len(factors), sharey=True, squeeze=False)[0]
        drawn = unrolled_column(name, values)
        for panel, (factor, column) in zip(panels, factors.items(), strict=True):
            panel.plot(*_points(column[::every], drawn[::every]), "o", markersize=3, alpha=0.6)
            panel.set_xlabel(factor)
            panel.grid(alpha=0.3)
        panels[0].set_ylabel(name)
        picture = BytesIO()
        figure.savefig(picture, dpi=_DOTS, metadata={"Software": None})
        write_whole(folder / file_name(name), picture.getvalue())
    return True


def file_name(outcome: str) -> str:
    """Return the file name of an outcome's plot."""
    return f"outcome_{sub(r'[^A-Za-z0-9.]+', '_', outcome)}.png"


def _points(
    column: Sequence[object], values: Sequence[float | None]
) -> tuple[list[object], list[float]]:
    """Return the points of a panel, without missing values."""
    pairs = [(a, b) for a, b in zip(column, values, strict=True) if b is not None]
    return [a for a, _ in pairs], [b for _, b in pairs]
