"""Record the images of a WAM-V's camera in harbours, with labels: sets train, clear and foggy.

    python examples/detector/record.py data

Each run is the mission ``dataset`` in another harbour, with another view and other traffic. Half of
those for training are in fog and waves. The harbours of ``clear`` and ``foggy`` are kept back.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
import yaml

from steerageway.world.scene.synthetic import scene_text

SETS = {"train": range(20), "clear": range(1000, 1005), "foggy": range(1000, 1005)}
CAMERA = (
    "sensor_type=Camera, sensor_name=BOW, publish_rate=0.5, width=320, height=192, "
    "outputs=rgb:depth:semantic:instance"
)
SECONDS = 60


def harbour(seed: int, *, foggy: bool) -> str:
    """Return a scene: without the masts of its buoys, which would have boxes of their own."""
    scene = yaml.safe_load(scene_text("harbour", seed))
    scene["objects"] = [one for one in scene["objects"] if not one["name"].startswith("mast")]
    scene["vessels"] = [
        {"name": "ben", "length": 9, "material": "white"},
        {"name": "cal", "length": 12, "material": "blue"},
    ]
    scene["light"].pop("visibility", None)
    if foggy:
        scene["light"]["visibility"] = float(np.random.default_rng(seed).uniform(60.0, 200.0))
    return yaml.safe_dump(scene)


def settings(seed: int, *, foggy: bool) -> list[str]:
    """Return what differs from the mission's own blocks; waves come with the fog."""
    draw = np.random.default_rng(seed + 1).uniform
    height, yaw = draw(1.2, 3.0), draw(-0.7, 0.7)
    view = f"sensor_location=0.8:0:{-height:.2f}, sensor_orientation=0:0:{yaw:.2f}"
    spoofs = [
        f"name={name},x={draw(-25, 25):.0f},y={draw(20, 150):.0f},"
        f"hdg={draw(0, 360):.0f},spd={draw(0.5, 1.5):.1f},len={length}"
        for name, length in (("ben", 9), ("cal", 12))
    ]
    waves = ["waves.Hs=0.4", "waves.Tp=3"] if foggy else []
    return [
        f"uSceneSensors.sensor={CAMERA}, {view}",
        *(f"pSpoofNode.spoof={spoof}" for spoof in spoofs),
        "uSimMarineV22.vessel=inputs/wamv",
        f"uSimMarineV22.start_pos=x={draw(-15, 15):.1f},y={draw(-20, 60):.1f},heading=0,speed=0",
        *(f"uSimMarineV22.environment_key={wave}" for wave in waves),
        "pMcapLogger.log=*_BOW",
    ]


def record(folder: Path, seed: int, *, foggy: bool) -> None:
    """Run the mission, and write its dataset to ``folder/set``."""
    folder.mkdir(parents=True)
    scene, steerageway = folder / "harbour.yml", [sys.executable, "-m", "steerageway"]
    scene.write_text(harbour(seed, foggy=foggy))
    given = [f"uSceneSensors.scene={scene.resolve()}", *settings(seed, foggy=foggy)]
    how = ["--placement", "one", "--warp", "max", "--port", "auto", "--skip", "uSensors,pLogger"]
    config = [word for one in given for word in ("--config", one)]
    log = ["--for", str(SECONDS), "--log", str(folder / "run")]
    subprocess.run([*steerageway, "run", "dataset", *how, *log, *config], check=True)
    made = ["-o", str(folder / "set"), "--least-area", "12"]
    subprocess.run([*steerageway, "dataset", str(folder / "run"), *made], check=True)


def main() -> None:
    """Record all sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    for name, seeds in SETS.items():
        for seed in seeds:
            foggy = name == "foggy" or (name == "train" and seed % 2 == 1)
            record(given.folder / name / str(seed), seed, foggy=foggy)


if __name__ == "__main__":
    main()
