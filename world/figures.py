"""Figures of an environment: spectra, a minute of elevation, current, wind."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.world import pictures
from steerageway.world.environment import Environment

INK, WATER, WIND, GROUND = "#1b1f24", "#1f6f8b", "#b5651d", "#8a8f98"
MINUTE = 60.0


def draw(environment: Environment, path: Path) -> None:
    """Write a figure of four panels.

    Args:
        environment: environment to draw.
        path: image file; the suffix is its format.
    """
    figure, panels = pictures.panels(2, 2, (10.0, 6.4))
    _spectra(panels[0, 0], environment)
    _elevation(panels[0, 1], environment)
    _wind(panels[1, 0], environment)
    _current(panels[1, 1], environment)
    pictures.write(figure, path)


def _spectra(panel: Any, environment: Environment) -> None:
    """Draw the spectral density of each system and its components."""
    pictures.labelled(panel, "Wave spectrum", "frequency [rad/s]", "S [m² s/rad]")
    peak = max((2.0 * pi / state.Tp for state in environment.waves), default=1.0)
    w = np.linspace(0.02, 4.0 * peak, 1200)
    total = np.zeros_like(w)
    for state in environment.waves:
        S = state.density(w, environment.depth, environment.gravity)
        total += S
        label = f"{state.spectrum}: Hs {state.Hs:.2f} m, Tp {state.Tp:.1f} s"
        panel.plot(w, S, lw=1.2, label=label)
    panel.plot(w, total, color=WATER, lw=2.0)
    rows = environment.sea().rows
    if len(rows):
        panel.plot(rows[:, 1], np.zeros(len(rows)), "|", color=INK, ms=9, label="components")
        panel.legend(frameon=False, fontsize=8)


def _elevation(panel: Any, environment: Environment) -> None:
    pictures.labelled(panel, "A minute of elevation at the datum", "time [s]", "ζ [m], up")
    t = np.linspace(environment.ramp, environment.ramp + MINUTE, 1200)
    panel.plot(t, environment.sea().elevation(0.0, 0.0, t), color=WATER, lw=1.5)


def _wind(panel: Any, environment: Environment) -> None:
    pictures.labelled(panel, "Ten minutes of wind", "time [s]", "speed [m/s]")
    if environment.wind is None:
        panel.text(0.5, 0.5, "no wind", transform=panel.transAxes, ha="center", color=GROUND)
        return
    t = np.linspace(0.0, 600.0, 1201)
    winds = [environment.wind.at(time) for time in t.tolist()]
    panel.plot(t, [wind.speed for wind in winds], color=WIND, lw=1.0)
    panel.annotate(
        f"from {environment.wind.direction:g}°", (0.02, 0.05), xycoords="axes fraction", color=WIND
    )


def _current(panel: Any, environment: Environment) -> None:
    """Draw the surface current around the datum, over the depth if there is a grid of depths."""
    pictures.labelled(panel, "Current at the start", "x, east [m]", "y, north [m]")
    grid = environment.ground
    extent = (-250.0, 250.0, -250.0, 250.0)
    if grid is not None:
        rows, columns = grid.depths.shape
        east, north = grid.west + grid.spacing * columns, grid.south + grid.spacing * rows
        extent = (grid.west, east, grid.south, north)
        shown = panel.imshow(grid.depths, origin="lower", extent=extent, cmap="Blues", alpha=0.8)
        panel.figure.colorbar(shown, ax=panel, label="depth [m]")
    x, y = np.meshgrid(np.linspace(*extent[:2], 12), np.linspace(*extent[2:], 12))
    flow = [
        environment.current_at(a, b, 0.0, 0.0)
        for a, b in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)
    ]
    u, v = np.array(flow).T
    panel.set_aspect("equal")
    if np.hypot(u, v).max() > 0:
        panel.quiver(x, y, u.reshape(x.shape), v.reshape(x.shape), color=INK, width=0.004)
        panel.annotate(
            f"at most {np.hypot(u, v).max():.2f} m/s", (0.02, 0.03), xycoords="axes fraction"
        )
    elif grid is None:
        panel.text(0.5, 0.5, "no current", transform=panel.transAxes, ha="center", color=GROUND)
