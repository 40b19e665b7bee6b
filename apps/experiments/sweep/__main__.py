"""``python -m apps.sweep``: about ``uSweep``, or ``uSweep`` beside a running mission."""

from steerageway.apps.experiments.sweep import Sweep
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(Sweep)
