"""``python -m apps.sweep``: about ``uSweep``, or ``uSweep`` beside a running mission."""

from apps.shell import main
from apps.sweep import Sweep

if __name__ == "__main__":
    main(Sweep)
