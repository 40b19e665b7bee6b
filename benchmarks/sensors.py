"""Cost of a measurement, and speed of missions with sensors: ``python benchmarks/sensors.py``.

Prints tables and writes JSON. Two parts:

measurements  time of ``uSensors``' activations per measurement: it receives 50 states per second,
              interpolates, measures, adds errors and posts, in ten activations per second. Ten
              sensors of a kind with 100 measurements per second each; for comparison one of them.
              Each activation is the minimum of many runs
missions      simulated seconds per wall second of the alpha mission in placement ``one``:
unchanged,
              with the sensors of inputs/sookshma, and with the vessel sookshma itself, 50 states
              per second; with and without a log. Kinds alternate in each round, so that their
              ratios hold on a busy machine too
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from math import cos, sin
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.apps.sensing.sensors import Sensors
from steerageway.bus import NANO, Config, Entry, Kind, Message, Runner, Setting, stopwatch
from steerageway.vessel.sensors.kinds import KINDS

ROOT = Path(__file__).parent.parent
ALPHA = ROOT / "missions" / "alpha"
TARGET_US, TARGET_RATE = 15.0, 250
TICK, STEP, RATE, MANY, LENGTH = 0.1, 0.02, 100, 10, 3.0  # s, s, Hz, sensors, s
FILE = ROOT / "inputs" / "sookshma" / "sensors.yml"
SENSORS = f"\nProcessConfig = uSensors\n{{\n  AppTick = 10\n  sensors_file = {FILE}\n}}\n"
SOOKSHMA = "prefix = NAV\n  model = fossen\n  vessel = sookshma"
PLACED = "sensor_location=1:0.5:-0.3, sensor_orientation=0.1:0.2:0.3"
PARTS = {name: [f"{part}_rms=0.1" for part in kind.parts] for name, kind in KINDS.items()}
RUDDER = "actuator_type=Rudder, actuator_id=1"


def turns() -> Iterator[tuple[int, list[Message]]]:
    """Yield the instants [ns] of activations and their mail: a vessel on a circle."""
    names = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
    rates = tuple(f"{name}_dot" for name in names[6:])
    form = "time=%.12g," + ",".join(f"{name}=%.12g" for name in (*names, *rates, "cs_1"))
    steps = round(TICK / STEP)
    for turn in range(round(LENGTH / TICK)):
        now = round((turn + 1) * TICK * NANO)
        mail = []
        for k in range(turn * steps, (turn + 1) * steps):
            t = (k + 1) * STEP
            place = (20 * sin(0.1 * t), 20 - 20 * cos(0.1 * t), 0.012345678901)
            state = (*place, 0.0123456789, 0.0234567891, 0.1 * t, 2.0, *[0.0123456789] * 4, 0.1)
            text = form % (t, *state, *[0.00123456789] * 6, 0.123456789)
            mail.append(Message("USM_STATE", text, t, "uSimMarineV22", "", "", now))
        yield now, mail


def measuring(kind: str, count: int, mission: Path, rounds: int) -> float:
    """Return the time per measurement of a kind [µs], the minimum of some rounds."""
    about = RUDDER if kind == "encoder" else PLACED
    line = f"sensor_type={kind}, publish_rate={RATE}, {', '.join((about, *PARTS[kind]))}"
    origin = [("LatOrigin", "59.9", ""), ("LongOrigin", "10.7", "")]
    deep = Message("WATER_DEPTH", 50.0, 0.0, "uPokeDB")
    least: list[float] = []
    for _ in range(rounds):
        lines = [Entry("sensor", line, f"bench.moos:{k}") for k in range(count)]
        config = Config([*lines, Entry("sensors_file", "none.yml", "bench.moos:0")])
        app = Sensors(
            Setting(
                "uSensors",
                config=config,
                globals=Config(origin),
                file=mission,
                folder=mission.parent,
                home=ROOT,
            )
        )
        app.configure()
        runner = Runner(app)
        runner.run(Kind.START, 0, [])
        runner.run(Kind.ITERATE, 1, [deep])
        spent, posts = [], 0
        for now, mail in list(turns()):
            began = stopwatch()
            posted, _, _ = runner.run(Kind.ITERATE, now, mail)
            spent.append(stopwatch() - began)
            posts += len(posted)
        least = [min(pair) for pair in zip(least or spent, spent, strict=True)]
    count_expected = round((LENGTH - STEP) * RATE + 1) * count
    assert posts >= count_expected, f"{kind}: {posts} posts"
    return 1e6 * sum(least) / count_expected


def measurements(folder: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Measure every kind of sensor."""
    mission = folder / "sookshma.moos"
    (folder / "none.yml").write_text("sensors: []\n")  # instead of those in the vessel's folder
    run = "ProcessConfig = ANTLER\n{\n  Run = MOOSDB\n  Run = uSimMarineV22\n}\n"
    mission.write_text(f"{run}ProcessConfig = uSimMarineV22\n{{\n  {SOOKSHMA}\n}}\n")
    gc.freeze()  # as in a run: long-lived objects are excluded from garbage collection
    print(f"measurements   ten together    alone   [µs], target {TARGET_US:.0f}")
    found = {}
    for kind in KINDS:
        together, alone = (measuring(kind, count, mission, rounds) for count in (MANY, 1))
        found[kind] = {"together_us": together, "alone_us": alone}
        print(f"  {kind:12}{together:12.1f}{alone:12.1f}")
    return found


def missions(rounds: int) -> dict[str, Any]:
    """Measure the speed of missions."""
    plain = (ALPHA / "alpha.moos").read_text()
    aboard = plain.replace("Run = uProcessWatch", "Run = uSensors\n  Run = uProcessWatch") + SENSORS
    lines = [
        line for line in aboard.splitlines() if "turn_" not in line and "thrust_map" not in line
    ]
    sookshma = "\n".join(lines).replace("prefix     = NAV", SOOKSHMA)
    texts = {"alpha": plain, "with sensors": aboard, "with sookshma": sookshma}
    rates: dict[str, list[float]] = {}
    for _ in range(rounds):
        for title, text in texts.items():
            for log in ("no log", "log"):
                with tempfile.TemporaryDirectory() as name:
                    rate = speed(Path(name), text, log == "log")
                rates.setdefault(f"{title}, {log}", []).append(rate)
    first = max(rates["alpha, no log"])
    print("missions                    best  median  target  ratio")
    for title, measured in rates.items():
        target = "" if title.startswith("alpha") else TARGET_RATE
        best = max(measured)
        print(f"  {title:22}{best:8.0f}{median(measured):8.0f}{target:>8}{best / first:7.2f}")
    return {title: {"best": max(r), "median": median(r), "rates": r} for title, r in rates.items()}


def speed(folder: Path, text: str, logged: bool) -> float:
    """Launch a mission; return its simulated seconds per wall second, without start-up."""
    mission, summary = folder / "alpha.moos", folder / "summary.json"
    mission.write_text(text)
    (folder / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    log = ("--log", str(folder / "log")) if logged else ("--no-log",)
    how = ("--placement", "one", "--warp", "max", "--for", "300", "--json", str(summary), *log)
    command = [sys.executable, str(ROOT / "launch.py"), str(mission), *how]
    subprocess.run(command, check=True, capture_output=True)
    rate: float = json.loads(summary.read_text())["warp_achieved"]
    return rate


def main() -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "sensors")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each mission")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            **load_before(),
            "measurements": measurements(folder, 4 * options.rounds),
            "missions": missions(options.rounds),
        }
    write(figures, options.json)


if __name__ == "__main__":
    main()
