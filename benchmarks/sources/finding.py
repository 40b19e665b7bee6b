"""What repeating a figure or table gives: values beside the document's, a picture, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#b8860b", "#444b54")


@dataclass(frozen=True)
class Value:
    """A value here, beside the document's.

    Attributes:
        what: it is.
        stated: in the document; None: it states none, or only shows it.
        here: what comes out.
        unit: of both.
        digits: significant ones to print.
    """

    what: str
    stated: float | None
    here: float
    unit: str = ""
    digits: int = 4

    @property
    def off(self) -> float | None:
        """Give the difference from what is stated."""
        return None if self.stated is None else self.here - self.stated


@dataclass(frozen=True)
class Finding:
    """What repeating a figure or table gives.

    Attributes:
        values: see there.
        why: what is to be seen, and the reason where it differs.
        draw: fills a matplotlib figure; None: there is nothing to draw.
        size: of the picture [in].
    """

    values: tuple[Value, ...]
    why: str
    draw: Callable[[Any], None] | None = None
    size: tuple[float, float] = (6.4, 3.6)


def tidy(panel: Any, x: str, y: str, *, legend: bool = True) -> None:
    """Give a panel its labels and the look of the other pictures."""
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.grid(visible=True, alpha=0.25)
    panel.spines[["top", "right"]].set_visible(False)
    if legend:
        panel.legend(frameon=False, fontsize=8)
