"""``uMayFinish``: waits beside a run until its mission is judged, for shell scripts."""
