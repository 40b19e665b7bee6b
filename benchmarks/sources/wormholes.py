"""Figures 6 and 7 of uSimMarineV22's manual: a lane with traffic, with and without wormholes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.sources.finding import COLOURS, Finding, Value, style_panel
from steerageway.moos.alog import read_entries

ROOT = Path(__file__).parents[2]
MISSION = ROOT / "missions" / "wormhole_lane"
LASTS, VESSELS = 300, 4
LEAP = 50.0  # [m] minimum distance of two posts that is a passage


class Sailed(NamedTuple):
    """Results of a run: tracks and number of passages of each vessel."""

    tracks: dict[str, list[tuple[float, float]]]
    passages: dict[str, int]


@cache
def sailed(*, wormholes: bool) -> Sailed:
    """Run the mission, with or without its wormholes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "lane"
        shutil.copytree(MISSION, copy)
        command = [sys.executable, str(ROOT / "launch.py"), str(copy), "--vessels", str(VESSELS)]
        command += [] if wormholes else ["--define", "WORMHOLES=no"]
        command += ["--warp", "max", "--placement", "one", "--for", str(LASTS), "--log", "logs"]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
        logs = {log.stem.split("_")[1]: log for log in sorted(Path(folder).rglob("*.alog"))}
        del logs["SHORESIDE"]
        return Sailed(
            {name: track_of(log) for name, log in logs.items()},
            {name: _passages(log) for name, log in logs.items()},
        )


def track_of(log: Path) -> list[tuple[float, float]]:
    """Return a vessel's positions, east and north [m], from its log."""
    here, found = {"NAV_X": 0.0, "NAV_Y": 0.0}, []
    for entry in read_entries(log):
        if entry.name in here:
            here[entry.name] = float(entry.value)
            if entry.name == "NAV_Y":
                found.append((here["NAV_X"], here["NAV_Y"]))
    return found[1:]


def _passages(log: Path) -> int:
    return sum(entry.name == "WORMHOLE_PASSAGE" for entry in read_entries(log))


def _drawn(run: Sailed) -> Any:
    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, (name, track) in zip(COLOURS, run.tracks.items(), strict=False):
            xs, ys = [], []
            for (x0, y0), (x, y) in pairwise(track):
                jump = abs(x - x0) + abs(y - y0) > LEAP
                xs += [x0, float("nan")] if jump else [x0]
                ys += [y0, float("nan")] if jump else [y0]
            panel.plot(xs, ys, color=colour, lw=1.2, label=name)
        panel.set_aspect("equal")
        panel.set_xlim(-450, 450)
        panel.set_ylim(-260, 420)
        style_panel(panel, "east [m]", "north [m]")

    return draw


def without() -> Finding:
    """Reproduce figure 6."""
    run = sailed(wormholes=False)
    values = (Value("passages", None, sum(run.passages.values())),)
    why = (
        f"A demonstration: `missions/wormhole_lane` with `WORMHOLES=no`, {LASTS} s. As in the "
        "figure, ownship turns back at the ends of its lane and the others at the ends of theirs, "
        "so it meets them on its way back, too. The figure has no numbers."
    )
    return Finding(values, why, _drawn(run), (6.4, 5.0))


def with_them() -> Finding:
    """Reproduce figure 7."""
    run = sailed(wormholes=True)
    values = (
        Value(f"passages of {VESSELS} vessels in {LASTS} s", None, sum(run.passages.values())),
    )
    why = (
        "The same with wormholes: all continue in their direction repeatedly; "
        "the loop is a vessel that keeps clear. Both "
        "directions and new names, which the manual lists as not yet available, are "
        "supported: see "
        "[drift and wormholes](drift_and_wormholes.md)."
    )
    return Finding(values, why, _drawn(run), (6.4, 5.0))
