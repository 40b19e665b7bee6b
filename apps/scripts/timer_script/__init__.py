"""``uTimerScript``: posts the events of a script at their times."""

from steerageway.apps.scripts.timer_script.app import TimerScript

__all__ = ["TimerScript"]
