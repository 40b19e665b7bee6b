"""Shipped missions, which can be named from any folder: ``steerageway run alpha``."""

from __future__ import annotations

from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1] / "missions"


def mission_path(argument: str) -> str:
    """Return the path of a mission.

    Args:
        argument: a path, or the name of a shipped mission; ``@NAME`` may follow either.

    Returns: the argument itself, unless there is no such path and it names a shipped mission.
    """
    name, mark, community = argument.partition("@")
    if not is_name(name) or Path(argument).exists() or Path(name).exists():
        return argument
    folder = SHIPPED / name
    return f"{folder}{mark}{community}" if folder.is_dir() else argument


def is_name(text: str) -> bool:
    """Whether a text may be a shipped mission's name: without folder and suffix."""
    return bool(text) and Path(text).name == text and not Path(text).suffix


def shipped_names() -> list[str]:
    """Return the names of all shipped missions."""
    return sorted(path.name for path in SHIPPED.iterdir() if path.is_dir())
