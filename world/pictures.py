"""Figures by matplotlib, which is imported with the first one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steerageway.world.errors import InvalidValue, WorldError

DOTS = 110  # per inch


class MatplotlibMissing(WorldError):
    """matplotlib is not installed."""


def panels(rows: int = 1, columns: int = 1, size: tuple[float, float] = (6.4, 4.0)) -> Any:
    """Return a figure of a size [in], and its axes (rows, columns).

    Raises:
        MatplotlibMissing: it is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MatplotlibMissing(
            "a picture needs matplotlib: pip install 'steerageway[plot]'"
        ) from None
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def write(figure: Any, path: Path) -> None:
    """Write a figure; the path's suffix is the format: .png, .svg, .pdf.

    Raises:
        InvalidValue: it cannot be written there, or not in this format.
    """
    try:
        figure.savefig(path, dpi=DOTS)
    except (OSError, ValueError) as error:
        expected = f"expected a picture's file, as {path.stem}.png"
        raise InvalidValue(f"{expected}: {error}", str(path)) from error
