"""Bjerke and Haukeland's figures 33 to 35 and 37 to 39: mapping and navigation in a maze.

All are of one passage of ``missions/harbour_plan``, with a larger map and a camera.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, style_panel
from steerageway.launcher import Mission
from steerageway.vessel.perception.measurement import Measurement, unpack
from steerageway.vessel.perception.occupancy import UNKNOWN
from steerageway.world.arrays import Floats
from steerageway.world.rays.caster import Caster
from steerageway.world.scene.document import load

ROOT = Path(__file__).parents[2]
MISSION = ROOT / "missions" / "harbour_plan"
EDITS = (
    ("size  = 160", "size  = 300\n  view_cell = 4"),
    (
        "sensor = sensor_type=LiDAR",
        "sensor = sensor_type=Camera, sensor_name=BOW, outputs=coloured, width=120, height=80, "
        "horizontal_fov=90, publish_rate=0.5, sensor_location=0.5:0:-1.2, sees_water=false\n"
        "  sensor = sensor_type=LiDAR",
    ),
)
REACHED = "PLAN_STATE = reached"
NAMES = ("OCCUPANCY_MAP", "PATH_PLAN", "COLOURED_BOW", "NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")
HALFWAY = 80.0  # [s] at which the map of figure 33 is shown
DEPTH = 1.2  # height of the LiDAR, at which surfaces are looked for [m]
OCCUPIED = 65  # [%]


class Sailed(NamedTuple):
    """What a passage posted: variable -> times and values, and its duration [s]."""

    posts: dict[str, list[tuple[float, Any]]]
    seconds: float

    def last(self, name: str, until: float) -> Any:
        """Return the last value of a variable up to a time [s]."""
        return [value for time, value in self.posts[name] if time <= until][-1]

    def track(self, name: str) -> Floats:
        """Return times and values (n, 2) of a number."""
        return np.array(self.posts[name])


@cache
def sailed() -> Sailed:
    """Return the passage."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "mission"
        shutil.copytree(MISSION, place)
        file = place / "harbour_plan.moos"
        text = file.read_text("utf-8")
        for old, new in EDITS:
            text = text.replace(old, new, 1)
        file.write_text(text, "utf-8")
        posts: dict[str, list[tuple[float, Any]]] = {name: [] for name in NAMES}
        with Mission(place) as mission:
            mission.register(*NAMES)
            mission.run_until(REACHED, limit=400.0)
            for message in mission.fetch():
                posts[message.name].append((message.time, message.value))
            return Sailed(posts, mission.time)


@cache
def caster() -> Caster:
    """Return the scene's caster."""
    return Caster(load(MISSION / "harbour_plan.yml").standing())


def extent(found: Measurement) -> tuple[float, float, float, float]:
    """Return west, east, south, north of a map [m]."""
    assert found.cell is not None
    south, west = found.pose[:2]
    rows, columns = found.data.shape
    return west, west + columns * found.cell, south, south + rows * found.cell


def show(panel: Any, found: Measurement) -> None:
    """Draw a map as the document does: black walls, white water, grey where nothing was seen."""
    shades = np.where(found.data == UNKNOWN, 50, found.data)
    panel.imshow(shades, "gray_r", origin="lower", extent=extent(found), vmin=0, vmax=100)
    panel.set_xlim(-52, 52)
    panel.set_ylim(-35, 235)
    style_panel(panel, "east [m]", "north [m]", legend=False)


def solid(places: Floats) -> Any:
    """Return whether something higher than the LiDAR stands at places (n, 2)."""
    above = np.column_stack((places, np.full(len(places), -40.0)))
    ways = np.tile([0.0, 0.0, 1.0], (len(places), 1))
    return caster().cast(above, ways, 0.0, 100.0).ranges < 40.0 - DEPTH


def from_surface(places: Floats) -> Floats:
    """Return the distance (n,) from the nearest of the surfaces around, in 16 bearings [m]."""
    nearest = np.full(len(places), 5.0)
    eyes = np.column_stack((places, np.full(len(places), -DEPTH)))
    for angle in np.arange(16) * np.pi / 8.0:
        way = np.tile([np.cos(angle), np.sin(angle), 0.0], (len(places), 1))
        ranges = caster().cast(eyes, way, 0.0, 5.0).ranges
        nearest = np.minimum(nearest, np.nan_to_num(ranges, nan=5.0))
    return nearest


def centres(found: Measurement, chosen: Any) -> Floats:
    """Return the centres (n, 2) of chosen cells: north, east [m]."""
    assert found.cell is not None
    places: Floats = (np.argwhere(chosen) + 0.5) * found.cell + np.array(found.pose[:2])
    return places


def draw_track(panel: Any, until: float) -> None:
    """Draw the track up to a time [s]."""
    x, y = (sailed().track(name) for name in ("NAV_X", "NAV_Y"))
    panel.plot(x[x[:, 0] < until, 1], y[y[:, 0] < until, 1], color=COLOURS[0])


def half_map() -> Finding:
    """Reproduce figure 33."""
    run = sailed()
    found = unpack(run.last("OCCUPANCY_MAP", HALFWAY))
    seen = found.data != UNKNOWN
    values = (
        Value("time", None, found.time, "s"),
        Value("cells that were seen", None, int(seen.sum()), digits=6),
        Value("occupied cells", None, int(((found.data >= OCCUPIED) & seen).sum()), digits=6),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        show(panel, found)
        draw_track(panel, HALFWAY)

    why = (
        "`pOccupancyMap`, from the LiDAR of an Otter in a maze of walls; the line is its track. "
        "The document's is by `slam_toolbox`, which also estimates the pose; here it is true. "
        "See [planning](planning.md)."
    )
    return Finding(values, why, draw, (3.2, 5.6))


def whole_map() -> Finding:
    """Reproduce figure 34."""
    run = sailed()
    found = unpack(run.last("OCCUPANCY_MAP", run.seconds))
    seen = found.data != UNKNOWN
    occupied = centres(found, (found.data >= OCCUPIED) & seen)
    free = centres(found, found.data <= 100 - OCCUPIED)
    outside = ~solid(occupied)
    assert found.cell is not None
    good = (from_surface(occupied[outside]) <= 1.5 * found.cell).mean()
    values = (
        Value("occupied cells at a surface of the scene", None,
              100.0 * (1.0 - outside.mean() * (1.0 - good)), "%"),
        Value("free cells where something stands", None, 100.0 * solid(free).mean(), "%", 2),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        show(left, found)
        grid = np.argwhere(np.ones((540, 208))) * 0.5 + (-35.0, -52.0)
        stands = solid(grid + 0.25).reshape(540, 208)
        right.imshow(stands, "gray_r", origin="lower", extent=(-52, 52, -35, 235))
        style_panel(right, "east [m]", "", legend=False)

    why = (
        "Left the map, right what stands in the scene, by rays from above. The document compares "
        "by eye. A vessel that went out of sight has left its last place in the map."
    )
    return Finding(values, why, draw, (6.0, 5.6))


def coloured_cloud() -> Finding:
    """Reproduce figure 35."""
    run = sailed()
    clouds = [unpack(value) for _, value in run.posts["COLOURED_BOW"]]
    places = np.concatenate([cloud.placed() for cloud in clouds])
    colours = np.concatenate([cloud.data[:, 3:6] for cloud in clouds]) / 255.0
    found = unpack(run.last("OCCUPANCY_MAP", run.seconds))
    # The camera against the LiDAR: what stands at the LiDAR's height is in its map, too.
    near = np.abs(places[:, 2] + DEPTH) < 0.6
    i, j = np.floor((places[near, :2] - found.pose[:2]) / found.cell).astype(int).T
    inside = (np.minimum(i, j) > 0) & (np.maximum(i, j) < len(found.data) - 1)
    i, j = i[inside], j[inside]
    around = [found.data[i + a, j + b] for a in (-1, 0, 1) for b in (-1, 0, 1)]
    mapped = np.max([np.where(one == UNKNOWN, 0, one) for one in around], axis=0) >= OCCUPIED
    values = (
        Value("images", None, len(clouds)),
        Value("points", None, len(places), digits=6),
        Value("of those at the LiDAR's height, beside an occupied cell", None,
              100.0 * mapped.mean(), "%"),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        panel = figure.add_subplot(projection="3d")
        some = np.flatnonzero((places[:, 2] < -0.2) & (np.abs(places[:, 1]) < 60.0))[::7]
        north, east, down = places[some].T
        panel.scatter(east, north, -down, c=colours[some], s=0.3)
        panel.set_box_aspect((104, 260, 40))
        panel.view_init(35, -60)
        panel.set_xlabel("east [m]")
        panel.set_ylabel("north [m]")

    why = (
        "The coloured clouds of a camera (`outputs=coloured`) at their true poses; only traffic "
        "and what the LiDAR passed over are not in its map. The document's cloud is by RTAB-Map, "
        "which estimates the poses from the images."
    )
    return Finding(values, why, draw, (6.4, 5.0))


def _plan_at(time: float) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads(sailed().last("PATH_PLAN", time))
    return plan


def cost_map() -> Finding:
    """Reproduce figure 37."""
    run, times = sailed(), (40.0, 80.0, 130.0)
    plans = [_plan_at(time) for time in times]
    values = tuple(
        Value(f"states searched for the path at {plan['time']:.0f} s", None, plan["searched"],
              digits=6)
        for plan in plans
    )  # fmt: skip

    def draw(figure: Any) -> None:
        for time, plan, panel in zip(times, plans, figure.subplots(1, 3), strict=True):
            found = unpack(run.last("OCCUPANCY_MAP", time))
            show(panel, found)
            draw_track(panel, time)
            path = np.array(plan["states"])
            panel.plot(path[:, 0], path[:, 1], color=COLOURS[2])
            panel.set_title(f"{time:.0f} s", fontsize=9)

    why = (
        "The map, the track so far (blue) and the path (green) that `pPathPlanner` planned through "
        "it, at three instants; where nothing was seen yet, it is planned as if that were free. "
        "The document's planner is Nav2."
    )
    return Finding(values, why, draw, (8.4, 5.2))


def _off_path() -> Floats:
    """Return, for each position of the track, its distance from the path in force [m]."""
    run = sailed()
    x, y = run.track("NAV_X"), run.track("NAV_Y")
    plans = [(time, np.array(json.loads(v)["states"])) for time, v in run.posts["PATH_PLAN"]]
    off = []
    for (time, east), (_, north) in zip(x, y, strict=True):
        known = [states for made, states in plans if made <= time]
        if known:
            path = known[-1]
            legs = np.linspace(path[:-1, :2], path[1:, :2], 9).reshape(-1, 2)
            off.append(np.hypot(*(legs - (east, north)).T).min())
    return np.array(off)


def corner() -> Finding:
    """Reproduce figure 38."""
    run, off = sailed(), _off_path()
    x, y = run.track("NAV_X"), run.track("NAV_Y")
    away = from_surface(np.column_stack((y[:, 1], x[:, 1])))
    values = (
        Value("greatest distance of the track from the path", None, float(off.max()), "m", 3),
        Value("root mean square", None, float(np.sqrt((off**2).mean())), "m", 3),
        Value("least distance of the track from a surface", None, float(away.min()), "m", 3),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        found = unpack(run.last("OCCUPANCY_MAP", run.seconds))
        show(panel, found)
        path = np.array(_plan_at(30.0)["states"])
        panel.plot(path[:, 0], path[:, 1], "--", color=COLOURS[2], label="path at 30 s")
        panel.plot(x[:, 1], y[:, 1], color=COLOURS[0], label="track")
        panel.set_xlim(-45, 45)
        panel.set_ylim(20, 110)
        panel.legend(fontsize=8)

    why = (
        "An Otter at 1.2 m/s, by `pHelmIvP` and `pMarinePIDV22`. The document's follows most "
        "paths at up to 0.5 m/s, and gets stuck at corners if it is faster."
    )
    return Finding(values, why, draw, (5.0, 4.8))


def commands() -> Finding:
    """Reproduce figure 39."""
    run = sailed()
    speed, heading = run.track("NAV_SPEED"), run.track("NAV_HEADING")
    turns = np.degrees(np.unwrap(np.radians(heading[:, 1])))
    rate = np.gradient(turns, heading[:, 0])
    rows = []
    plans = [(time, np.array(json.loads(v)["states"])) for time, v in run.posts["PATH_PLAN"]]
    for (_, states), until in zip(plans, [*(t for t, _ in plans[1:]), run.seconds], strict=True):
        change = (np.diff(states[:, 2]) + 180.0) % 360.0 - 180.0
        rates = change / np.diff(states[:, 3])
        rows += [
            row for row in zip(states[1:, 3], states[1:, 4], rates, strict=True) if row[0] < until
        ]
    ordered = np.array(rows)
    late = speed[:, 0] > 15.0
    wanted = np.interp(speed[late, 0], ordered[:, 0], ordered[:, 1])
    values = (
        Value("speed less the path's, after 15 s, root mean square", None,
              float(np.sqrt(((speed[late, 1] - wanted) ** 2).mean())), "m/s", 2),
        Value("greatest rate of turn of the paths", None, float(np.abs(ordered[:, 2]).max()),
              "deg/s", 3),
        Value("of the vessel", None, float(np.abs(rate).max()), "deg/s", 3),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.step(ordered[:, 0], ordered[:, 1], color=COLOURS[1], label="path")
        upper.plot(*speed.T, color=COLOURS[0], label="vessel")
        lower.step(ordered[:, 0], ordered[:, 2], color=COLOURS[1], label="path")
        lower.plot(heading[:, 0], rate, color=COLOURS[0], label="vessel")
        style_panel(upper, "", "speed [m/s]")
        style_panel(lower, "time [s]", "rate of turn [deg/s]")

    why = (
        "The speeds and rates of the paths in force, and the vessel's. The document's figure shows "
        "Nav2's commands, which its velocity controllers follow; here `pVelocityPID` would, see "
        "[actuators](actuators.md)."
    )
    return Finding(values, why, draw, (6.4, 4.2))
