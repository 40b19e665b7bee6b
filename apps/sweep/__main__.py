"""``python -m apps.sweep``: about ``uSweep``, or ``uSweep`` beside a running mission."""

from steerageway.apps.shell import main
from steerageway.apps.sweep import Sweep

if __name__ == "__main__":
    main(Sweep)
