"""Station keeping of a WAM-V, over ten seeds: ``python benchmarks/station_keeping.py``.

Runs ``missions/station_keeping`` for ten minutes in gusts, waves and a current with each seed, and
once without its controller; prints the RMS of distance and of heading error, and writes JSON.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from math import hypot, sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.moos.alog import read_entries

ROOT = Path(__file__).parent.parent
MISSION = ROOT / "missions" / "station_keeping"
ARRIVED, LASTS = 30.0, 600.0  # [s]
HEADING = 200.0  # [deg], as the mission's setpoint


def kept(*words: str) -> tuple[float, float]:
    """Run the mission; return the RMS of distance [m] and of heading error [deg]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "launch.py", str(MISSION), "--for", str(ARRIVED + LASTS)]
        command += ["--placement", "one", "--warp", "max", "--log", folder, *words]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        (log,) = Path(folder).rglob("*.alog")
        return errors_of(log)


def errors_of(log: Path) -> tuple[float, float]:
    """Return the RMS of distance [m] and of heading error [deg] in a log, after arrival."""
    place: dict[str, float] = {}
    distances, turned = [], []
    for entry in read_entries(log):
        if entry.name in ("NAV_X", "NAV_Y", "NAV_HEADING"):
            place[entry.name] = float(entry.value)
            if entry.name == "NAV_HEADING" and entry.time >= ARRIVED:
                distances.append(hypot(place["NAV_X"], place["NAV_Y"]))
                turned.append((place["NAV_HEADING"] - HEADING + 180.0) % 360.0 - 180.0)
    return _rms(distances), _rms(turned)


def _rms(values: list[float]) -> float:
    return sqrt(sum(value * value for value in values) / len(values))


def main() -> None:
    """Measure, print and write."""
    parser = options_of(__doc__ or "", "station_keeping")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 1 (10)")
    options = parser.parse_args()
    figures: dict[str, Any] = load_before()
    cases = {f"seed {seed}": ("--seed", str(seed)) for seed in range(1, options.seeds + 1)}
    cases["without its controller"] = ("--skip", "pDynamicPositioning")
    for name, words in cases.items():
        distance, heading = kept(*words)
        figures[name] = {"distance_rms_m": distance, "heading_rms_deg": heading}
        print(f"{name}: {distance:.2f} m, {heading:.2f} degrees", flush=True)
    write(figures, options.json)


if __name__ == "__main__":
    main()
