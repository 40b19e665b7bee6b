"""``uTimerScript``: posts what a script says, when it says so."""

from steerageway.apps.scripts.timer_script.app import TimerScript

__all__ = ["TimerScript"]
