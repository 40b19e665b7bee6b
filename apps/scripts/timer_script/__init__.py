"""``uTimerScript``: posts the events of a script at their times."""
