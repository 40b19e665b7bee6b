"""Panisim's documentation: its excerpt of an aerofoil's table, and its complete vessel."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import tempfile
from math import dist, radians
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, style_panel
from benchmarks.sources.wormholes import track_of
from steerageway.vessel.fossen import actuation, layout
from steerageway.vessel.fossen.folder import load
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled

ROOT = Path(__file__).parents[2]
COMPLETE = ROOT / "tests" / "reference" / "panisim" / "complete"
SQUARE = ((0.0, 50.0), (50.0, 50.0), (50.0, 0.0), (0.0, 0.0))  # its waypoints: east, north [m]
ANSWERS = (  # corrections of its files: file, as listed, as intended
    ("hydrodynamics", "dim_flag: false", "dim_flag: true"),
    ("control_surfaces", "[0, 0, 1.57]", "[-1.5708, 0, 0]"),
    ("control_surfaces", "[2.4, 0.0, 0.0]", "[-2.4, 0.0, 0.0]"),
)
FOIL = ROOT / "inputs" / "mavymini"
EXCERPT = {
    -19.75: (-1.2970, 0.09858),
    -19.5: (-1.3072, 0.09342),
    0.0: (0.0, 0.00632),
    19.75: (1.2970, 0.09858),
}


@compiled
def section_at(E: Any, tables: Floats, alpha: float) -> tuple[float, float]:
    """Return CL and CD of a vessel's foil at an angle of attack [rad]."""
    found: tuple[float, float] = actuation.section(E, tables, alpha)
    return found


def aerofoil() -> Finding:
    """Reproduce the excerpt of NACA0015.csv."""
    with (FOIL / "NACA0015.csv").open() as lines:
        rows = {float(row["Alpha"]): row for row in csv.DictReader(lines)}
    alphas = np.array(sorted(rows))
    columns = {name: [float(rows[a][name]) for a in alphas] for name in ("Cl", "Cd")}
    parameters = load(FOIL).parameters
    of_rudder = next(one for one in parameters.effectors if one["kind"] == layout.FOIL)
    values = tuple(
        Value(f"{name} at {alpha:g}°", stated, here)
        for alpha, pair in EXCERPT.items()
        for name, stated, here in zip(
            ("Cl", "Cd"),
            pair,
            section_at(of_rudder, parameters.tables.ravel(), radians(alpha)),
            strict=True,
        )
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, name in zip(COLOURS, ("Cl", "Cd"), strict=False):
            panel.plot(alphas, columns[name], color=colour, label=name)
        style_panel(panel, "angle of attack [°]", "coefficient")

    return Finding(
        values,
        "The coefficients of a foil of `mavymini`. Its file, the bundled one, ends at 19.25°, "
        "while the excerpt extends to 19.75°, and has no row at 0°, which is between two of its "
        "rows. Beyond the end a foil becomes a flat plate within 10°, with sin 2α and 2 sin² α.",
        draw,
    )


def complete_vessel() -> Finding:
    """Launch the complete vessel as listed, then with its three warnings resolved."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "complete"
        shutil.copytree(COMPLETE, folder)
        doubts = _launched(folder, "--for", "5", "--no-log")
        for file, old, new in ANSWERS:
            path = folder / "inputs" / "example_vessel" / f"{file}.yml"
            path.write_text(path.read_text().replace(old, new))
        _launched(folder, "--until", "MISSION = complete", "--for", "200", "--log", "logs")
        (log,) = folder.rglob("*.alog")
        track = track_of(log)
    values = (
        Value("warnings as it stands", None, len(doubts)),
        *(
            Value(f"from ({north:g}, {east:g}), at least", None,
                  min(dist(place, (east, north)) for place in track), "m", 2)
            for east, north in SQUARE
        ),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot(*zip(*track, strict=True), color=COLOURS[0], label="track")
        panel.plot(*zip((0.0, 0.0), *SQUARE, strict=True), "o--", color=COLOURS[1], lw=0.8,
                   label="waypoints")  # fmt: skip
        panel.set_aspect("equal")
        style_panel(panel, "east [m]", "north [m]")

    listed = "\n".join(f"- {doubt}" for doubt in doubts)
    why = (
        "Nine files, copied as listed. They launch unchanged, with these "
        f"warnings, and without a helm:\n\n{listed}\n\nWith `dim_flag: true` and the rudder "
        "turned upright and moved astern, as the third to fifth suggest, it follows its square; "
        "a waypoint is reached within 3 m."
    )
    return Finding(values, why, draw, (5.0, 4.6))


def _launched(folder: Path, *words: str) -> list[str]:
    """Run the main file in a folder; return its warnings, in Markdown."""
    command = [sys.executable, str(ROOT / "launch.py"), "simulation_input.yml", *words]
    command += ["--warp", "max", "--placement", "one"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    told = [line for line in ended.stderr.splitlines() if line.startswith("warning: ")]
    return [f"`{line.removeprefix('warning: ').replace(f'{ROOT}/', '')}`" for line in told]
