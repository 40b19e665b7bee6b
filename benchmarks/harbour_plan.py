"""Passages of mazes by map and plan, over seeds: ``python benchmarks/harbour_plan.py``.

Each seed gives another maze and other traffic. ``missions/harbour_plan`` is run in each; then the
helm of ``missions/harbour_lidar``, which avoids what it sees and plans nothing; then the waypoint
alone. Printed are contacts of hulls (meshes, at true positions) and times; JSON is written.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from benchmarks.harbour_lidar import SPOOF, GroundTruth, Passage, sail
from steerageway.world.scene.document import load
from steerageway.world.scene.synthetic import scene_text

ROOT = Path(__file__).parent.parent
PLANNED, SEEN, BLIND = "with the planner", "avoiding what is seen", "the waypoint alone"
THROUGH = "NAV_Y > 190"  # waypoints are captured within 8 m
SPEED = 1.2  # [m/s] along the path


def prepare(folder: Path, seed: int, how: str = PLANNED) -> Path:
    """Write the mission with the maze and the traffic of a seed; return its folder."""
    name = "harbour_plan" if how == PLANNED else "harbour_lidar"
    shutil.copytree(ROOT / "missions" / name, folder)
    rng, lines, hulls = Random(seed), [], ""
    for vessel, lane, after in (("ben", 60.0, 50.0), ("cal", 110.0, 110.0)):
        side, speed, length = rng.choice((-1, 1)), rng.uniform(0.3, 0.6), rng.uniform(6.0, 9.0)
        # Near the middle when the Otter comes there; gone before it reaches a quay.
        start = min(34.0, speed * (after + rng.uniform(-20.0, 20.0)))
        lines.append(
            f"name={vessel},x={-side * start:.1f},y={lane + rng.uniform(-2, 2):.1f},"
            f"hdg={90 * side % 360},spd={speed:.2f},len={length:.1f},"
            f"dur={(start + 34.0) / speed:.0f}"
        )
        hulls += f"- {{name: {vessel}, length: {length:.1f}, breadth: {0.33 * length:.1f}}}\n"
    scene = "harbour_plan" if how == PLANNED else "harbour"
    (folder / f"{scene}.yml").write_text(f"{scene_text('maze', seed)}vessels:\n{hulls}")
    path = folder / f"{scene}.moos"
    text = path.read_text()
    first = SPOOF.search(text)
    assert first is not None
    text = SPOOF.sub("", text[: first.start()] + "SPOOFS\n" + text[first.start() :])
    text = text.replace("SPOOFS\n", "".join(f"  spoof = {line}\n" for line in lines))
    text = re.sub(r"start_pos = .*", "start_pos = x=0, y=0, heading=0, speed=0", text)
    if how == BLIND:
        text = text.replace("  Run = uTracker\n", "")
        text = re.sub(r"^  sensor = .*\n", "", text, flags=re.MULTILINE)
    path.write_text(text)
    if how != PLANNED:
        helm = folder / "harbour.bhv"
        helm.write_text(
            helm.read_text()
            .replace("0,215", "0,200")
            .replace("speed          = 1.5", f"speed          = {SPEED}")
        )
    return folder


def passage_of(seed: int, how: str = PLANNED, until: str = THROUGH) -> Passage:
    """Run the passage of a seed, or until a condition holds, and evaluate it."""
    with tempfile.TemporaryDirectory() as folder:
        mission = prepare(Path(folder, "mission"), seed, how)
        log, seconds = sail(mission, Path(folder, "log"), until)
        (scene,) = mission.glob("*.yml")
        return GroundTruth(load(scene)).judge(log, seconds)


def main() -> None:
    """Measure, print and write."""
    parser = options_of(__doc__ or "", "harbour_plan")
    parser.add_argument("--seeds", type=int, default=50, help="number of seeds, from 1 (50)")
    parser.add_argument("--first", type=int, default=1, help="the first of them (1)")
    parser.add_argument("--only", choices=(PLANNED, SEEN, BLIND), help="one of the ways to steer")
    options = parser.parse_args()
    figures: dict[str, Any] = load_before()
    for how in (options.only,) if options.only else (PLANNED, SEEN, BLIND):
        passages = []
        for seed in range(options.first, options.first + options.seeds):
            passages.append(passage_of(seed, how))
            one = passages[-1]
            took = "not through" if one.seconds is None else f"{one.seconds:.0f} s"
            touched = ", ".join(one.touched) or "nothing"
            print(f"{how}: seed {seed}: {took}, touched {touched}", flush=True)
        through = [one.seconds for one in passages if one.seconds is not None]
        touching = sum(bool(one.touched) for one in passages)
        figures[how] = {"passages": len(passages), "touching": touching, "through": len(through)}
        figures[how]["mean_s"] = mean(through) if through else None
        print(f"{how}: {figures[how]}")
    write(figures, options.json)


if __name__ == "__main__":
    main()
