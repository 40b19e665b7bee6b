"""Harbour passages by LiDAR only, over 100 seeds: ``python benchmarks/harbour_lidar.py``.

Each seed gives another harbour and other traffic. ``missions/harbour_lidar`` is run in each, with
its
tracker and without. Printed are contacts of hulls (meshes, at true positions), the error of tracks
(GOSPA), and detection ranges by size; JSON is written.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from benchmarks.touch import Touch
from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries
from steerageway.moos.node_report import parse
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.values import by_key
from steerageway.vessel.perception.tracking import gospa
from steerageway.world.mesh import Mesh
from steerageway.world.rays.caster import Body, Caster, Shape
from steerageway.world.rays.forms import BOX, Solid
from steerageway.world.rotation import rotation
from steerageway.world.scene.document import load
from steerageway.world.scene.model import BOTTOM, Item, Scene
from steerageway.world.scene.shaping import frustum
from steerageway.world.scene.synthetic import scene_text

ROOT = Path(__file__).parent.parent
MISSION = ROOT / "missions" / "harbour_lidar"
THROUGH = "MISSION = complete"
LONGEST = 400.0  # [s] maximum duration of a passage
OTTER = np.array([[1.0, 0.54], [1.0, -0.54], [-1.0, -0.54], [-1.0, 0.54]])  # its breadth and length
CHECK_INTERVAL = 0.5  # [s] between two checks for contacts of hulls
CUTOFF, WITHIN = 5.0, 50.0  # [m] of GOSPA; tracks farther away are not judged
NEAR = 1.0  # [m] maximum distance of an obstacle from the outline of the object it stands for
SIZES = ((0.0, 1.5), (1.5, 3.0), (3.0, 12.0), (12.0, 25.0))  # [m] classes of the table
POSE = ("n", "e", "d", "roll", "pitch", "yaw")
Traffic = dict[str, tuple[float, float, float, float]]
"""Name -> time [s], then x, y [m] and heading [deg] of a vessel."""
SPOOF = re.compile(r"^  spoof = .*\n", re.MULTILINE)


@dataclass
class Passage:
    """Results of a passage.

    Attributes:
        seconds: its duration [s]; None: not completed.
        touched: names of the objects touched.
        gospa: at each second: distance, localisation [m], missed, false.
        seen: size of an object [m], and the range at which it was first an obstacle or a contact
            [m];
            None: never, though the vessel came within 30 m.
    """

    seconds: float | None = None
    touched: list[str] = field(default_factory=list)
    gospa: list[tuple[float, float, int, int]] = field(default_factory=list)
    seen: list[tuple[float, float | None]] = field(default_factory=list)


def prepare(folder: Path, seed: int, *, tracker: bool = True) -> Path:
    """Write the mission with the harbour and the traffic of a seed; return its folder."""
    shutil.copytree(MISSION, folder)
    rng = Random(seed)
    length, other = rng.uniform(7.0, 11.0), rng.uniform(7.0, 11.0)
    lines = [
        f"name=ben,x={rng.uniform(-12, 12):.1f},y={rng.uniform(170, 240):.1f},"
        f"hdg={rng.uniform(175, 185):.1f},spd={rng.uniform(0.8, 1.5):.2f},len={length:.1f}",
        f"name=cal,x={rng.uniform(-12, 12):.1f},y={rng.uniform(20, 60):.1f},"
        f"hdg={rng.uniform(-5, 5) % 360:.1f},spd={rng.uniform(0.5, 0.9):.2f},len={other:.1f}",
    ]
    hulls = "".join(
        f"- {{name: {name}, length: {size:.1f}, breadth: {0.33 * size:.1f}}}\n"
        for name, size in (("ben", length), ("cal", other))
    )
    (folder / "harbour.yml").write_text(f"{scene_text('harbour', seed)}vessels:\n{hulls}")
    path = folder / "harbour.moos"
    text = path.read_text()
    first = SPOOF.search(text)
    assert first is not None
    text = SPOOF.sub("", text[: first.start()] + "SPOOFS\n" + text[first.start() :])
    text = text.replace("SPOOFS\n", "".join(f"  spoof = {line}\n" for line in lines))
    if not tracker:
        text = text.replace("  Run = uTracker\n", "")
        text = re.sub(r"^  sensor = .*\n", "", text, flags=re.MULTILINE)
    path.write_text(text)
    return folder


def sail(mission: Path, log: Path, until: str) -> tuple[Path, float | None]:
    """Run a mission; return its log, and its duration [s] if it was completed."""
    words = [str(mission), "--until", until, "--for", f"{LONGEST:g}"]
    words += ["--placement", "one", "--warp", "max", "--log", str(log)]
    outcome = run(plan_launch(parse_options(words)).plan, lambda progress: None)
    if outcome.exit_reason == "interrupted":
        sys.exit("interrupted")
    (path,) = log.rglob("*.alog")
    return path, outcome.simulated_seconds if outcome.exit_reason == "until" else None


class GroundTruth:
    """Ground truth of a passage, and its evaluation."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._caster = Caster([one for one in scene.standing() if self._stands(one.number)])
        self._shapes = {craft.name: Shape(craft.mesh) for craft in scene.craft}
        self._touch = Touch(frustum(OTTER, -0.2, 0.4))
        self._names = [*(one.name for one in scene.items), *(one.name for one in scene.craft)]
        self._sizes = dict(_sizes(scene))
        self._places = {
            one.name: (float(one.position[1]), float(one.position[0])) for one in scene.items
        }

    def _stands(self, number: int) -> bool:
        return self._scene.items[number].kind != BOTTOM

    def judge(self, log: Path, seconds: float | None) -> Passage:
        """Evaluate a passage from its log."""
        passage, looked = Passage(seconds), -CHECK_INTERVAL
        traffic: Traffic = {}
        here, last_judged = (0.0, 0.0), 0
        first: dict[str, float] = {}
        nearest = dict.fromkeys(self._sizes, 1e9)
        touched: set[int] = set()
        for entry in read_entries(log):
            if entry.name == "NODE_REPORT" and entry.source == "pSpoofNode":
                record = parse(str(entry.value))
                place = (record.x or 0.0, record.y or 0.0, record.heading or 0.0)
                traffic[record.name] = (entry.time, *place)
            elif entry.name == "NODE_REPORT":
                record = parse(str(entry.value))
                _note_contact(record.x or 0.0, record.y or 0.0, traffic, here, first)
            elif entry.name == "SCENE_POSE" and entry.time - looked >= CHECK_INTERVAL:
                looked = entry.time
                pose = {
                    key: float(v) for key, v in by_key(str(entry.value)).items() if key != "name"
                }
                here = (pose["e"], pose["n"])
                touched |= self._touched(pose, traffic)
                for name, place in self._places.items():
                    if name in nearest:
                        away = hypot(place[0] - here[0], place[1] - here[1])
                        nearest[name] = min(nearest[name], away)
                for name, (_, x, y, _) in traffic.items():
                    nearest[name] = min(nearest[name], hypot(x - here[0], y - here[1]))
            elif entry.name == "GIVEN_OBSTACLE" and "active=false" not in str(entry.value):
                self._note_obstacle(str(entry.value), here, first)
            elif entry.name == "TRACKS" and int(entry.time) > last_judged:
                last_judged = int(entry.time)
                passage.gospa.append(_judged(json.loads(str(entry.value)), traffic, here))
        passage.touched = [self._names[number] for number in sorted(touched)]
        passage.seen = [
            (size, first.get(name))
            for name, size in self._sizes.items()
            if name in first or nearest[name] < 30.0
        ]
        return passage

    def _touched(self, pose: dict[str, float], traffic: Traffic) -> set[int]:
        position = np.array([pose["n"], pose["e"], pose["d"]])
        bodies = []
        for number, craft in enumerate(self._scene.craft, len(self._scene.items)):
            if craft.name in traffic:
                _, x, y, heading = traffic[craft.name]
                place, axes = np.array([y, x, 0.0]), rotation(0.0, 0.0, heading)
                bodies.append(Body(number, self._shapes[craft.name], place, axes))
        axes = rotation(pose["roll"], pose["pitch"], pose["yaw"])
        return set(self._touch.met(self._caster, position, axes, bodies))

    def _note_obstacle(self, text: str, here: tuple[float, float], first: dict[str, float]) -> None:
        polygon = parse_polygon(text)
        for name, place in self._places.items():
            if name in self._sizes and name not in first:
                reach = NEAR + self._sizes[name] / 2.0
                if polygon.distance(place) < reach:
                    first[name] = hypot(place[0] - here[0], place[1] - here[1])


def _note_contact(
    x: float,
    y: float,
    traffic: Traffic,
    here: tuple[float, float],
    first: dict[str, float],
) -> None:
    for name, (_, tx, ty, _) in traffic.items():
        if name not in first and hypot(x - tx, y - ty) < CUTOFF:
            first[name] = hypot(tx - here[0], ty - here[1])


def _sizes(scene: Scene) -> Iterator[tuple[str, float]]:
    """Yield the names and lengths [m] of the objects whose detection is evaluated."""
    for item in scene.items:
        if item.kind in ("buoy", "debris", "rock", "vessel") and not item.name.startswith("mast"):
            yield item.name, _length(item)
    for craft in scene.craft:
        low, high = craft.mesh.extent
        yield craft.name, float(high[0] - low[0])


def _length(item: Item) -> float:
    """Return the length of an object [m]."""
    if isinstance(item.form, Mesh):
        low, high = item.form.extent
        return float((high - low)[:2].max())
    assert isinstance(item.form, Solid)
    return 2.0 * float(item.form.size[: 2 if item.form.kind == BOX else 1].max())


def _judged(
    message: dict[str, Any],
    traffic: Traffic,
    here: tuple[float, float],
) -> tuple[float, float, int, int]:
    """Return the GOSPA of the moving tracks relative to the traffic."""
    truth = [(x, y) for _, x, y, _ in traffic.values()]
    tracks = [(one["x"], one["y"]) for one in message["tracks"] if one["moving"]]
    near = [
        np.array([p for p in some if hypot(p[0] - here[0], p[1] - here[1]) < WITHIN])
        for some in (truth, tracks)
    ]
    return tuple(gospa(*(one.reshape(-1, 2) for one in near), CUTOFF))


def passage_of(seed: int, *, tracker: bool = True, until: str = THROUGH) -> Passage:
    """Run the passage of a seed, or until a condition holds, and evaluate it."""
    with tempfile.TemporaryDirectory() as folder:
        mission = prepare(Path(folder, "mission"), seed, tracker=tracker)
        log, seconds = sail(mission, Path(folder, "log"), until)
        return GroundTruth(load(mission / "harbour.yml")).judge(log, seconds)


def table_of(passages: list[Passage]) -> list[dict[str, Any]]:
    """Return detection ranges by size."""
    rows = []
    for low, high in SIZES:
        found = [away for p in passages for size, away in p.seen if low <= size < high]
        ranges = sorted(away for away in found if away is not None)
        if found:
            share = len(ranges) / len(found)
            tenth = ranges[len(ranges) // 10] if ranges else None
            middle = median(ranges) if ranges else None
            row = {"size_m": [low, high], "things": len(found), "seen": share}
            rows.append({**row, "range_median_m": middle, "range_tenth_m": tenth})
    return rows


def main() -> None:
    """Measure, print and write."""
    parser = options_of(__doc__ or "", "harbour_lidar")
    parser.add_argument("--seeds", type=int, default=100, help="number of seeds, from 1 (100)")
    options = parser.parse_args()
    figures: dict[str, Any] = load_before()
    passages, blind = [], []
    for seed in range(1, options.seeds + 1):
        passages.append(passage_of(seed))
        blind.append(passage_of(seed, tracker=False))
        print(f"seed {seed}: {_line(passages[-1])}; without: {_line(blind[-1])}", flush=True)
    for name, some in (("with its tracker", passages), ("without", blind)):
        touches = sum(bool(p.touched) for p in some)
        through = [p.seconds for p in some if p.seconds is not None]
        figures[name] = {"passages": len(some), "touching": touches, "through": len(through)}
        figures[name]["mean_s"] = mean(through) if through else None
        print(f"{name}: {figures[name]}")
    rows = [row for p in passages for row in p.gospa]
    figures["gospa"] = {
        "distance_m": mean(row[0] for row in rows),
        "localisation_m": mean(row[1] for row in rows),
        "missed": mean(row[2] for row in rows),
        "false": mean(row[3] for row in rows),
    }
    figures["sizes"] = table_of(passages)
    print("GOSPA:", figures["gospa"])
    for row in figures["sizes"]:
        print(row)
    write(figures, options.json)


def _line(passage: Passage) -> str:
    took = "not through" if passage.seconds is None else f"{passage.seconds:.0f} s"
    return f"{took}, touched {', '.join(passage.touched) or 'nothing'}"


if __name__ == "__main__":
    main()
