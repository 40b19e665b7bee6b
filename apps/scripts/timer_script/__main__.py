"""``python -m apps.timer_script mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.scripts.timer_script.app import TimerScript

if __name__ == "__main__":
    main(TimerScript)
