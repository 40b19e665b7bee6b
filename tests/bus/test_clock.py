"""The clock: age of this process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic

NAP = 0.2
CLOCK_TICK = 0.01  # what the system counts the starts of processes in [s]
ASK = (
    f"import time; time.sleep({NAP}); "
    "from steerageway.bus.core.clock import process_age; print(process_age())"
)


def test_the_age_of_a_process_is_set_by_the_process_that_started_it() -> None:
    began = monotonic()
    root = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", ASK], cwd=root, capture_output=True, text=True, check=True
    )
    lived = monotonic() - began
    assert NAP <= float(result.stdout) <= lived + CLOCK_TICK
