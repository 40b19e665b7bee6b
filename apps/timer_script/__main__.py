"""``python -m apps.timer_script mission.moos``."""

from apps.shell import main
from apps.timer_script.app import TimerScript

if __name__ == "__main__":
    main(TimerScript)
