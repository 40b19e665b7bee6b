"""``python -m apps.timer_script mission.moos``."""

from steerageway.apps.scripts.timer_script.app import TimerScript
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(TimerScript)
