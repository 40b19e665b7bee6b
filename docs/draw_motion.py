"""Draws the pictures of motion in docs/: ``python docs/draw_motion.py [NAME ...]``, as helm.png.

Each is what a few commands of ``steerageway`` make in a folder of their own: runs, and a plot of
their logs. Without a name all are drawn, which takes a quarter of an hour; the most of it goes to
the sweeps. Colours are reduced to a palette, so that the pictures stay small.
"""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PALETTE = 48  # colours of a picture
WIDE = 1000  # pixels, at most
DONE = '--until "MISSION = complete"'
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def panisim(folder: Path) -> None:
    """Write the files that the page on Panisim shows."""
    names = ("simulation_input.yml", "guidance.yml")
    (folder / "survey").mkdir()
    for name, text in zip(names, BLOCK.findall((DOCS / "panisim.md").read_text()), strict=False):
        (folder / "survey" / name).write_text(text)


def nothing(folder: Path) -> None:
    """Begin in an empty folder."""


def motions(folder: Path) -> None:
    """Draw significant double amplitudes over the wave height, the band being that of the seeds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = list(csv.DictReader((folder / "seas" / "results.csv").open()))
    height = next(key for key in rows[0] if key.endswith("waves.Hs"))
    heights = sorted({float(row[height]) for row in rows})
    figure, panels = plt.subplots(1, 2, figsize=(9.8, 3.7), layout="constrained")
    kinds = ((("roll", "pitch"), degrees(1.0)), (("heave",), 1.0))
    for panel, (names, unit) in zip(panels, kinds, strict=True):
        for name, color in zip(names, ("#0072B2", "#D55E00"), strict=False):
            seeds = [
                [
                    4 * unit * float(r[f"std NAV_{name.upper()}"])
                    for r in rows
                    if float(r[height]) == h
                ]
                for h in heights
            ]
            panel.plot(heights, [mean(s) for s in seeds], "o-", color=color, label=name)
            least, most = [min(s) for s in seeds], [max(s) for s in seeds]
            panel.fill_between(heights, least, most, color=color, alpha=0.2, linewidth=0)
        panel.set_xlabel("significant wave height [m]")
        panel.grid(color="#dfe3e8", linewidth=0.8)
        panel.set_xlim(0)
    panels[1].plot((0, heights[-1]), (0, heights[-1]), "--", color="#8a8f98", label="the sea")
    for panel, name in zip(panels, ("deg", "m"), strict=True):
        panel.set_ylim(0)
        panel.set_ylabel(f"significant double amplitude [{name}]")
        panel.legend(frameon=False)
    figure.savefig(folder / "picture.png", dpi=100)


@dataclass(frozen=True)
class Picture:
    """A picture, and how it is made.

    Attributes:
        page: in docs/, which shows it.
        steps: the arguments of ``steerageway``, one command after the other.
        before: prepares the folder. after: draws, where no command does.
        made: what the commands have made.
    """

    page: str
    steps: tuple[str, ...]
    before: Callable[[Path], None] = nothing
    after: Callable[[Path], None] = nothing
    made: str = "picture.png"


def one(mission: str, plot: str = "", options: str = DONE) -> tuple[str, str]:
    """Give the steps of a run and its plot."""
    return f"run missions/{mission} {options} --log one", f"alog plot one {plot}"


PICTURES = {
    "behaviors.png": Picture("behaviors.md", one("loiter")),
    "contacts.png": Picture("contacts.md", one("obstacles")),
    "fleets.png": Picture("fleets.md", one("fleet", options=f"--vessels 3 {DONE}")),
    "field_apps.png": Picture(
        "field_apps.md",
        one(
            "berta",
            options='--vessels 2 --until "shoreside:ARRIVED_ABE = true" '
            '--until "shoreside:ARRIVED_BEN = true"',
        ),
    ),
    "fossen.png": Picture("simulator.md", one("otter_survey")),
    "simulator.png": Picture(
        "simulator.md",
        (
            f"run missions/alpha {DONE} --log calm",
            f"run missions/alpha {DONE} --log drift --config uSimMarineV22.drift_vector=90,0.5",
            "alog plot calm drift",
        ),
    ),
    "helm.png": Picture(
        "helm.md",
        one("alpha", "--over-time DESIRED_HEADING,NAV_HEADING DESIRED_SPEED,NAV_SPEED"),
    ),
    "bump.png": Picture(
        "world.md",
        one("bump", "--over-time NAV_SPEED NAV_X --to 4", "--vessels 2 --for 5"),
    ),
    "navigation.png": Picture(
        "sensors.md",
        one(
            "estimated_nav",
            "--over-time GPS_X,NAV_X,USM_X NAV_X_STD,NAV_Y_STD --from 20 --to 35",
            "--for 60",
        ),
    ),
    "sensors.png": Picture(
        "sensors.md",
        one(
            "estimated_nav",
            "--over-time GPS_Y,USM_Y IMU_WZ --from 5 --to 45",
            "--for 60",
        ),
    ),
    "sweeps.png": Picture(
        "sweeps.md",
        ("run missions/monte_alpha --sweep missions/monte_alpha/sweep.yml --no-log --results out",),
        made="out/outcome_distance.png",
    ),
    "logs.png": Picture(
        "logs.md",
        (
            "run missions/alpha --for 120 --log one",
            "run missions/alpha --for 120 --log two --config uSimMarineV22.turn_rate=35",
            "alog plot one two",
        ),
    ),
    "pid.png": Picture(
        "pid.md",
        one(
            "otter_survey",
            "--over-time DESIRED_HEADING,NAV_HEADING DESIRED_RUDDER --from 0 --to 120",
            "--for 130",
        ),
    ),
    "panisim.png": Picture(
        "panisim.md",
        (f"run survey/simulation_input.yml {DONE} --log one", "alog plot one"),
        before=panisim,
    ),
    "vessels.png": Picture(
        "vessels.md", one("remus_dive", "--over-time DESIRED_DEPTH,NAV_DEPTH NAV_PITCH NAV_SPEED")
    ),
    "gusts_track.png": Picture(
        "drift_and_wormholes.md",
        (
            f"run missions/gusts {DONE} --log gusts",
            f"run missions/gusts {DONE} --log calm --skip uDriftWormhole",
            "alog plot gusts calm",
        ),
    ),
    "sea_states.png": Picture(
        "world.md",
        (
            "run missions/sea_trials --sweep missions/sea_trials/sea_states.yml --no-log "
            "--results seas",
        ),
        after=motions,
    ),
}


def draw(name: str, into: Path = DOCS) -> Path:
    """Make a picture, and give its file."""
    from PIL import Image

    picture = PICTURES[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "missions").symlink_to(ROOT / "missions")
        picture.before(folder)
        for step in picture.steps:
            perform(step, folder)
        picture.after(folder)
        image = Image.open(folder / picture.made).convert("RGB")
        image.thumbnail((WIDE, WIDE), Image.Resampling.LANCZOS)
        image.quantize(PALETTE, dither=Image.Dither.NONE).save(into / name, optimize=True)
    return into / name


def perform(step: str, folder: Path) -> None:
    """Do one step in the folder."""
    words = shlex.split(step)
    if words[0] == "run" and "--sweep" not in words:
        words += ["--warp", "max", "--placement", "one", "--port", "auto"]
    if words[:2] == ["alog", "plot"]:
        words += ["-o", "picture.png"]
    subprocess.run(
        [sys.executable, "-m", "steerageway", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def main() -> None:
    """Draw what is named."""
    parser = ArgumentParser(description="Draw the pictures of motion in docs/.")
    parser.add_argument("name", nargs="*", help=f"one of {', '.join(PICTURES)}; all")
    for name in parser.parse_args().name or PICTURES:
        if name not in PICTURES:
            parser.error(f"{name}: expected one of {', '.join(PICTURES)}")
        print(f"{name}: {draw(name).stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main()
