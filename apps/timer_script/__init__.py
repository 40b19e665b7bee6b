"""``uTimerScript``: posts what a script says, when it says so."""

from apps.timer_script.app import TimerScript

__all__ = ["TimerScript"]
