"""``steerageway world``: prints and plots environment files, generates and draws scenes.

steerageway world show environment.yml
steerageway world show environment.yml --output sea.png --seed 3
steerageway world scene harbour --seed 3
steerageway world scene my_harbour.yml --picture from_above.png
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import inf, pi
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.declarations import write_whole
from steerageway.declarations.arguments import Parser
from steerageway.diagnostics.diagnostic import harmless
from steerageway.world import pictures
from steerageway.world.environment import Environment, lines_of
from steerageway.world.errors import InvalidValue, WorldError
from steerageway.world.reading import load
from steerageway.world.scene.synthetic import KINDS, scene_text
from steerageway.world.spectra import moments

PROGRAM = "python -m world"
COMPONENT_BYTES = 8 * 8
INK, WATER, WIND, GROUND = "#1b1f24", "#1f6f8b", "#b5651d", "#8a8f98"
MINUTE = 60.0


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run the command line; return the exit code: 0, or 2 if the file is invalid."""
    about = "Print and plot environment files, generate and draw scenes."
    parser = Parser(prog=prog, description=about)
    verbs = parser.add_subparsers(dest="verb", required=True)
    show = verbs.add_parser("show", help="print and plot an environment")
    show.add_argument("file", type=Path, help="as environment.yml")
    show.add_argument("--seed", type=int, default=0, help="seed of the mission (0)")
    show.add_argument("--output", type=Path, help="image file to write, e.g. sea.png")
    scene = verbs.add_parser("scene", help="generate a scene, or draw one from above")
    scene.add_argument(
        "what", help=f"{', '.join(KINDS)}: kind of scene to generate; or a scene file to draw"
    )
    scene.add_argument("--seed", type=int, default=0, help="seed of the generated scene (0)")
    scene.add_argument("--output", type=Path, help="scene file to write (WHAT.yml)")
    scene.add_argument("--picture", type=Path, help="image file to write (the scene's name, .png)")
    asked = parser.parse_args(arguments)
    try:
        return _show(asked) if asked.verb == "show" else _scene(asked)
    except WorldError as error:
        print(error, file=sys.stderr)
        return 2


def _show(asked: argparse.Namespace) -> int:
    environment = load(asked.file, asked.seed)
    for line in (*lines_of(environment), *periods(environment)):
        print(harmless(line))
    if asked.output is not None:
        draw(environment, asked.output)
    return 0


def _scene(asked: argparse.Namespace) -> int:
    """Write a scene if it is to be made, and draw it."""
    from steerageway.world.scene import document, picture

    path = Path(asked.what)
    if asked.what in KINDS:
        path = asked.output or Path(f"{asked.what}.yml")
        try:
            write_whole(path, scene_text(asked.what, asked.seed))
        except OSError as error:
            raise InvalidValue(f"cannot be written: {error.strerror}", str(path)) from error
    elif not path.is_file():
        expected = (
            f"no such file; expected a scene file, e.g. harbour.yml, or one of {', '.join(KINDS)}"
        )
        raise InvalidValue(expected, str(path))
    scene = document.load(path)
    drawn = asked.picture or path.with_suffix(".png")
    picture.draw(scene, drawn)
    afloat = sum(bool(item.obstacle) for item in scene.items)
    print(f"{path}: {len(scene.items)} items, {afloat} of them obstacles, in {drawn}")
    return 0


def periods(environment: Environment) -> Iterator[str]:
    """Return the spectral periods of each wave system, and the number of components."""
    for state in environment.waves:
        if state.spectrum == "regular" or state.Hs == 0.0:
            continue
        w = np.linspace(*state.limits, 20_000)
        found = moments(w, state.density(w, environment.depth, environment.gravity))
        length = 2.0 * pi * state.Hs / state.steepness(environment.depth) / (2.0 * pi)
        yield (
            f"{state.spectrum}: Hm0 {found.Hm0:.4g} m, T1 {found.T1:.4g} s, Tz {found.Tz:.4g} s, "
            f"Te {found.Te:.4g} s within {w[0]:.3g} to {w[-1]:.3g} rad/s; length at the peak "
            f"{length:.4g} m"
        )
        if state.repeats_after() < inf:
            yield f"{state.spectrum}: repeats after {state.repeats_after():.0f} s"
    rows = environment.sea().rows
    if len(rows):
        drift = environment.sea().stokes_drift(0.0, 1e6)
        yield f"Stokes drift at the surface: {np.hypot(*drift):.3g} m/s"
        yield f"components: {len(rows)}, {len(rows) * COMPONENT_BYTES} bytes"


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


if __name__ == "__main__":
    sys.exit(main())
