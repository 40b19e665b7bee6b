"""Bjerke and Haukeland's figures 16, 27, 28: a LiDAR's scan, and the cost of sensors and hulls."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import best
from benchmarks.sources.asv_cameras import camera, sensed
from benchmarks.sources.finding import COLOURS, Finding, Value, by_formula, style_panel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.vessel.perception.lidar import beams, spread
from steerageway.world.rays.caster import Body, Caster, Hits, Shape, Standing
from steerageway.world.rays.forms import UPRIGHT, Solid
from steerageway.world.scene.shaping import hull
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

INPUTS = Path(__file__).parents[2] / "inputs"
FAR = 100.0  # [m]
CHANNELS = 16
COUNTS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
STEP, RATE = 0.02, 10.0  # [s] of a vessel, and scans a second
REPEATS = 5
COLUMNS = 1000  # of the LiDAR of figure 28
SMALL = "width=160, height=120, horizontal_fov=75"  # its cameras


def basin() -> tuple[Caster, list[Body]]:
    """Return a basin with walls, piles and buoys, and two boats."""
    walls = [(40.0, 0.0, 0.0), (-40.0, 0.0, 0.0), (0.0, 40.0, 1.0), (0.0, -40.0, 1.0)]
    things = []
    for i, (north, east, across) in enumerate(walls):
        size = (80.0, 1.0) if across else (1.0, 80.0)
        form = Solid.box(size[0], size[1], 8.0)
        things.append(Standing(i, form, np.array([north, east, -2.0])))
    for i in range(12):
        angle = 2.0 * np.pi * i / 12.0
        place = np.array([20.0 * np.cos(angle), 20.0 * np.sin(angle), -1.0])
        things.append(Standing(10 + i, Solid.cylinder(0.4, 4.0), place))
    shape = Shape(hull(6.0, 2.0, 0.5, 1.0))
    boats = [
        Body(30 + i, shape, np.array([north, 6.0, 0.0]), UPRIGHT)
        for i, north in enumerate((12.0, -9.0))
    ]
    return Caster(things), boats


def scan(caster: Caster, boats: list[Body], columns: int) -> Hits:
    """Cast a LiDAR's rays in columns around it."""
    directions = beams(spread(360.0, columns), spread(30.0, CHANNELS)).reshape(-1, 3)
    return caster.cast(np.array([[0.0, 0.0, -1.5]]), directions, 0.3, FAR, boats)


def cloud() -> Finding:
    """Reproduce figure 16."""
    caster, boats = basin()
    hits = scan(caster, boats, 1000)
    met = np.isfinite(hits.ranges)
    points = hits.ranges[met, None] * hits.directions[met]
    inside = np.abs(points[:, :2]).max()
    values = (
        Value("beams", None, len(met), digits=6),
        Value("of them that meet something", None, 100.0 * met.mean(), "%", 3),
        by_formula("inner face of the walls, 40 m less half a metre", 39.5, float(inside), "m", 6),
    )

    def draw(figure: Any) -> None:
        panel = figure.add_subplot(projection="3d")
        colours = -points[:, 2]
        panel.scatter(points[:, 1], points[:, 0], -points[:, 2], s=0.5, c=colours, cmap="viridis")
        panel.set_box_aspect((1, 1, 0.25))
        panel.view_init(45, -60)

    why = (
        "A basin with walls, twelve piles and two boats; the document shows a picture without a "
        "number. Rays that meet triangles need the extra `rays`; see [scenes](scenes.md)."
    )
    return Finding(values, why, draw, (6.0, 4.0))


def lidar_time() -> Finding:
    """Reproduce figure 27."""
    caster, boats = basin()
    counts = np.array([n // CHANNELS * CHANNELS for n in COUNTS])
    columns = (counts // CHANNELS).tolist()
    times = np.array([1e3 * best(partial(scan, caster, boats, n), REPEATS) for n in columns])
    slope = float(np.polyfit(np.log(counts[2:]), np.log(times[2:]), 1)[0])
    values = (
        Value("power of the number of beams", 1.0, slope, "", 3),
        *(Value(f"{n} beams", None, float(t), "ms", 3) for n, t in zip(counts, times, strict=True)),
        Value("beams a second", None, float(counts[-1] / times[-1] / 1e3), "million", 3),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot(counts, times, "o-", color=COLOURS[0])
        style_panel(panel, "beams", "time of a scan [ms]", legend=False)

    why = (
        "Linear in the number of beams, as in the document, and a little steeper "
        "where rays no longer fit into the caches; it states no times. One core, no graphics card; "
        "sixteen "
        "solids and two boats of triangles."
    )
    return Finding(values, why, draw)


def cost_of_features() -> Finding:
    """Reproduce figure 28: hulls, then cameras, then LiDARs are added one by one."""
    sea = Sea.of([SeaState("jonswap", 0.3, 4.0, components=20, direction=30.0)], 1)
    vessel = in_sea(load(INPUTS / "wamv"), sea)
    command, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    steps = round(1.0 / STEP)
    step = best(lambda: vessel.step(vessel.initial, command, around, STEP, steps), REPEATS)
    device = camera("outputs=rgb:depth", SMALL)
    picture = RATE * best(lambda: sensed(device), REPEATS)
    caster, boats = basin()
    turn = RATE * best(lambda: scan(caster, boats, COLUMNS), REPEATS)
    rows = [("empty", 0.0)]
    rows += [(f"{n} hull{'s' * (n > 1)}", n * step) for n in (1, 2, 3)]
    rows += [(f"+ {n} camera{'s' * (n > 1)}", 3 * step + n * picture) for n in (1, 2)]
    rows += [(f"+ {n} LiDAR{'s' * (n > 1)}", 3 * step + 2 * picture + n * turn) for n in (1, 2)]
    values = (
        Value("a WAM-V in waves, a second of it", None, 1e3 * step, "ms", 3),
        Value("a camera of 160 x 120, a second of it", None, 1e3 * picture, "ms", 3),
        Value(f"a LiDAR of {CHANNELS * COLUMNS} beams, a second of it", None, 1e3 * turn, "ms", 3),
        Value("three hulls: times real time", None, 1.0 / rows[3][1], "", 3),
        Value("with two cameras and two LiDARs", None, 1.0 / rows[-1][1], "", 3),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        names, shares = zip(*rows, strict=True)
        panel.bar(names, [1e3 * share for share in shares], color=COLOURS[0])
        style_panel(panel, "", "wall time of a simulated second [ms]", legend=False)

    why = (
        "The document shows frames a second falling as boats, cameras and LiDARs are added in a "
        "game engine; here nothing is drawn during a mission, so the wall time of a simulated "
        "second increases. Hulls float by their mesh in 20 components at 50 steps per second; "
        "cameras, colour and depth of a harbour with waves, and LiDARs measure ten times a second. "
        "Costs are measured separately and added: one core, and rays instead of a graphics card."
    )
    return Finding(values, why, draw, (8.0, 3.6))
