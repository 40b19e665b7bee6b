"""``python -m apps.timer_script mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.timer_script.app import TimerScript

if __name__ == "__main__":
    main(TimerScript)
