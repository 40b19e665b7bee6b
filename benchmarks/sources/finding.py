"""Result of reproducing a figure or table: values with those stated, a picture, remarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#b8860b", "#444b54")


@dataclass(frozen=True)
class Value:
    """A value, compared with the document's.

    Attributes:
        what: its label.
        stated: the document's value; None: not stated, or only drawn.
        here: the value computed here.
        unit: of both.
        digits: number of significant digits to print.
        computed: the document does not print it: it follows from its formula.
    """

    what: str
    stated: float | None
    here: float
    unit: str = ""
    digits: int = 4
    computed: bool = False

    @property
    def off(self) -> float | None:
        """Return the difference from the stated value."""
        return None if self.stated is None else self.here - self.stated


def by_formula(what: str, stated: float, here: float, unit: str = "", digits: int = 4) -> Value:
    """Return a value that follows from a formula of the document, which does not print it."""
    return Value(what, stated, here, unit, digits, computed=True)


@dataclass(frozen=True)
class Finding:
    """The result of reproducing a figure or table.

    Attributes:
        values: see there.
        why: description, and reasons of differences.
        draw: draws into a matplotlib figure; None: nothing to draw.
        size: of the picture [in].
    """

    values: tuple[Value, ...]
    why: str
    draw: Callable[[Any], None] | None = None
    size: tuple[float, float] = (6.4, 3.6)


def style_panel(panel: Any, x: str, y: str, *, legend: bool = True) -> None:
    """Set the labels and style of a panel."""
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.grid(visible=True, alpha=0.25)
    panel.spines[["top", "right"]].set_visible(False)
    if legend:
        panel.legend(frameon=False, fontsize=8)
