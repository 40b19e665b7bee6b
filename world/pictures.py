"""Figures by matplotlib, which is imported with the first one."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.declarations import write_whole
from steerageway.diagnostics.diagnostic import reason
from steerageway.world.errors import InvalidValue, WorldError

DOTS = 110  # per inch
BLUE = "#1f6f8b"  # of a line


class MatplotlibMissing(WorldError):
    """matplotlib is not installed."""


class Picture(NamedTuple):
    """A figure of matplotlib, which a notebook draws below its cell."""

    figure: Any

    def save(self, path: str | Path) -> None:
        """Write it, see ``write``."""
        write(self.figure, Path(path))

    def _repr_png_(self) -> bytes:
        """Return it as PNG, for a notebook."""
        buffer = BytesIO()
        self.figure.savefig(buffer, dpi=DOTS, format="png")
        return buffer.getvalue()


def panels(
    rows: int = 1,
    columns: int = 1,
    size: tuple[float, float] = (6.4, 4.0),
    *,
    sharex: bool = False,
) -> Any:
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
    return figure, figure.subplots(rows, columns, squeeze=False, sharex=sharex)


def labelled(panel: Any, title: str, x: str, y: str) -> None:
    """Write a panel's title and the names of its axes, and lay a grid under it."""
    panel.set_title(title, loc="left")
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.grid(visible=True, alpha=0.25)
    panel.spines[["top", "right"]].set_visible(False)


def write(figure: Any, path: Path, dots: int = DOTS) -> None:
    """Write a figure; the path's suffix is the format: .png, .svg, .pdf. ``dots``: per inch.

    Raises:
        InvalidValue: it cannot be written there, or not in this format.
    """
    try:
        drawn = BytesIO()
        figure.savefig(drawn, dpi=dots, format=path.suffix[1:] or "png")
        write_whole(path, drawn.getvalue())
    except (OSError, ValueError) as error:
        expected = f"expected a picture's file, as {path.stem}.png"
        raise InvalidValue(f"{expected}: {reason(error)}", str(path)) from error
