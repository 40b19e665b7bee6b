"""``python -m apps.sweep``: information about ``uSweep``, or ``uSweep`` in a running mission."""

from steerageway.apps.experiments.sweep import Sweep
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(Sweep)
