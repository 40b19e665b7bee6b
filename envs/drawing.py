"""Pictures of vessels at their tasks, from above: north up, drawn without a screen or a browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from steerageway.vessel.fossen.state import PSI, X_, Y_
from steerageway.vessel.tasks import Task
from steerageway.vessel.tasks_around import turned
from steerageway.world.arrays import Flags, Floats

SIZE = 480  # height and width [pixels]
DPI = 80
AROUND = 8.0  # shown on each side of what there is, in vessel lengths
TRAIL = 3000  # places kept of each vessel's track


class Picture:
    """Draws some vessels of a task, with their tracks since the begin of their episodes."""

    def __init__(self, outline: Floats, length: float) -> None:
        """Take the outline (n, 2) of the vessels in BODY; without one they are arrows.

        Args:
            outline: [m]. length: of the vessels [m].
        """
        arrow = np.array([[0.5, 0.0], [-0.5, 0.25], [-0.5, -0.25]]) * length
        self._outline = outline if len(outline) else arrow
        self._length = length
        self._trails: dict[int, list[Floats]] = {}

    def keep(self, task: Task, x: Floats, begins: Flags) -> None:
        """Keep the places of vessels in states (N, 12 + n); ``begins`` (N,): tracks begin anew."""
        for i, place in enumerate(x[:, [Y_, X_]]):
            trail = [] if begins[i] else self._trails.get(i, [])
            self._trails[i] = [*trail[-TRAIL:], place]

    def close(self) -> None:
        """Do nothing: a picture has no window."""

    def draw(self, task: Task, x: Floats, rows: Sequence[int]) -> NDArray[np.uint8]:
        """Return the picture (SIZE, SIZE, 3) of some vessels, and of their goals."""
        figure = Figure(figsize=(SIZE / DPI, SIZE / DPI), dpi=DPI)
        canvas: Any = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.1, 0.1, 0.88, 0.88))
        for i in rows:
            for line in task.marks(i):
                axes.plot(line[:, 1], line[:, 0], color="tab:green", linewidth=1.5)
            trail = np.array(self._trails[i])
            axes.plot(trail[:, 0], trail[:, 1], color="tab:blue", linewidth=1.0)
            hull = turned(self._outline, np.full(len(self._outline), x[i, PSI])) + x[i, : Y_ + 1]
            axes.fill(hull[:, 1], hull[:, 0], color="tab:red")
        axes.set_aspect("equal")
        axes.margins(0.05)
        limits = np.array([axes.get_xlim(), axes.get_ylim()])
        half = max(0.5 * float(np.ptp(limits, axis=1).max()), AROUND * self._length)
        (east, north) = limits.mean(axis=1).tolist()
        axes.set_xlim(east - half, east + half)
        axes.set_ylim(north - half, north + half)
        axes.set_xlabel("east [m]")
        axes.set_ylabel("north [m]")
        axes.grid(visible=True, linewidth=0.3)
        canvas.draw()
        return np.array(canvas.buffer_rgba())[..., :3]
