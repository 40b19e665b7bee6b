"""Options and JSON output common to all benchmarks, and the load of the machine."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from steerageway.bus import wall

LOGS = Path(__file__).parent.parent / "logs"


def options_of(about: str, name: str) -> argparse.ArgumentParser:
    """Return a parser with the option for the output file.

    Args:
        about: the benchmark's docstring, whose first line is shown in the help.
        name: of the default file in ``logs``.
    """
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", default=LOGS / f"{name}.json")
    return parser


def load_before() -> dict[str, float]:
    """Return the load average of the last minute, the first figure of a benchmark."""
    return {"load_before": os.getloadavg()[0]}


def write(figures: Mapping[str, Any], file: Path) -> None:
    """Write figures, including ``load_before``, as JSON; print the machine's load."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(figures, indent=1) + "\n")
    busy = f"load before {figures['load_before']:.2f} on {os.cpu_count()} cores"
    print(f"{busy}; written to {file}")


def best(action: Callable[[], object], repeats: int) -> float:
    """Return the shortest time of several runs [s], after one run for warm-up."""
    action()
    times = []
    for _ in range(repeats):
        start = wall()
        action()
        times.append(wall() - start)
    return min(times)
