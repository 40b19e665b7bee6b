"""``uMayFinish``: waits until a running mission is judged, for shell scripts."""
