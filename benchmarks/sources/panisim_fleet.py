"""Panisim's several agents with collision avoidance, promised by its documentation."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import combinations
from math import cos, dist, pi, sin
from pathlib import Path
from typing import Any

from benchmarks.sources.finding import COLOURS, Finding, Value, style_panel
from benchmarks.sources.wormholes import track_of

ROOT = Path(__file__).parents[2]
COUNT, RADIUS, LASTS = 3, 30.0, 70  # agents, their ring [m], [s]
WORLD = """sim_time: {lasts}
time_step: 0.1
gps_datum: [59.9, 10.7, 0]
world_size: [Inf, Inf, Inf]
collision_avoidance: {avoids}
agents:
"""
AGENT = "  - {{name: otter, U: 1.0, initial_conditions: start_{k}.yml, guidance: way_{k}.yml}}\n"
Tracks = list[list[tuple[float, float]]]


def sailed(*, avoids: bool) -> Tracks:
    """Return the tracks of agents that all head for the centre of their ring."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = WORLD.format(lasts=LASTS, avoids=str(avoids).lower())
        for k in range(COUNT):
            angle = 2.0 * pi * k / COUNT
            north, east = RADIUS * cos(angle), RADIUS * sin(angle)
            (folder / f"start_{k}.yml").write_text(
                f"start_location: [{north}, {east}, 0]\n"
                f"start_orientation: [0, 0, {(angle + pi) % (2.0 * pi)}]\n"
                "start_velocity: [1.0, 0, 0, 0, 0, 0]\n"
            )
            (folder / f"way_{k}.yml").write_text(f"waypoints: [[{-north}, {-east}, 0]]\n")
            text += AGENT.format(k=k)
        (folder / "simulation_input.yml").write_text(text)
        command = [sys.executable, str(ROOT / "launch.py"), "simulation_input.yml"]
        command += ["--warp", "max", "--placement", "one", "--log", "logs"]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
        return [track_of(log) for log in sorted(folder.glob("logs/otter_*/**/*.alog"))]


def closest(tracks: Tracks) -> float:
    """Return the minimum distance of any two of them [m]; all post at the same instants."""
    pairs = combinations(tracks, 2)
    return min(dist(a, b) for one, two in pairs for a, b in zip(one, two, strict=False))


def agents() -> Finding:
    """Let three agents of one main file meet, with ``collision_avoidance`` and without."""
    runs = {"with collision_avoidance": sailed(avoids=True), "without": sailed(avoids=False)}
    values = tuple(
        Value(f"closest, {name}", None, closest(run), "m", 3) for name, run in runs.items()
    )

    def draw(figure: Any) -> None:
        for panel, (name, tracks) in zip(figure.subplots(1, 2), runs.items(), strict=True):
            for colour, track in zip(COLOURS, tracks, strict=False):
                panel.plot(*zip(*track, strict=True), color=colour)
                panel.plot(*track[0], "o", color=colour)
            panel.set_aspect("equal")
            panel.set_title(name, fontsize=9)
            style_panel(panel, "east [m]", "north [m]", legend=False)

    why = (
        "The document announces swarms and collision avoidance without showing them. Three Otters "
        "head for one point; the required minimum distance is two lengths, 4 m. See "
        "[several vessels](panisim.md#several-vessels)."
    )
    return Finding(values, why, draw, (8.0, 4.0))
