"""Process title: the name that ``ps``, ``top`` and ``pgrep`` show."""

from __future__ import annotations

from pathlib import Path

_TITLE = Path("/proc/self/comm")  # Linux; elsewhere processes keep the name they were started by


def name_process(title: str) -> None:
    """Set this process's name; the kernel keeps its first 15 bytes."""
    if _TITLE.exists():
        _TITLE.write_text(title)
