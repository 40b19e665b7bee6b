"""``Dynamics.show``: a vessel's plan, and its commands with their limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from steerageway.vessel.fossen.state import Channel, shown
from steerageway.world import pictures
from steerageway.world.arrays import Floats

INSIDE = "#dcebf0"


def drawn(name: str, outline: Floats, commands: Sequence[Channel]) -> pictures.Picture:
    """Return a picture of a vessel.

    Args:
        name: of the vessel. outline: (n, 2) plan in BODY, ahead and to starboard [m]; (0, 2):
            unknown. commands: with units and limits.

    Raises:
        MatplotlibMissing: it is not installed.
    """
    figure, ((plan, bars),) = pictures.panels(1, 2, (8.0, 3.6))
    plan.set_title(name, loc="left")
    if len(outline):
        ahead, starboard = np.vstack((outline, outline[:1])).T
        plan.fill(starboard, ahead, facecolor=INSIDE, edgecolor=pictures.BLUE)
        plan.set_aspect("equal", "datalim")
        plan.set_xlabel("starboard of CO [m]")
        plan.set_ylabel("ahead of CO [m]")
        plan.grid(visible=True, alpha=0.25)
    else:
        plan.set_axis_off()
        _write(plan, 0.5, "no outline, or no length and breadth, in geometry.yml")
    plan.plot([0.0], [0.0], "+", color=pictures.BLUE)
    bars.set_title("commands", loc="left")
    bars.set_axis_off()
    for i, one in enumerate(commands):
        factor, unit = shown(one)
        text = f"{one.name} [{unit}]: {factor * one.low:.4g} to {factor * one.high:.4g}"
        _write(bars, 1.0 - (i + 1) / (len(commands) + 1), text)
    return pictures.Picture(figure)


def _write(panel: Any, height: float, text: str) -> None:
    """Write a line at a height, a fraction of the panel's; the layout leaves it no room."""
    panel.text(0.0, height, text, transform=panel.transAxes).set_in_layout(False)
