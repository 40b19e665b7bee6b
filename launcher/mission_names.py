"""Missions that come with Steerageway: they go by their names wherever the project is installed."""

from __future__ import annotations

from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1] / "missions"


def mission_path(argument: str) -> str:
    """Give the path that an argument means.

    Args:
        argument: a path, or the name of a shipped mission; ``@NAME`` may follow either.
    Returns: the argument itself, unless nothing is there and it is such a name.
    """
    name, mark, community = argument.partition("@")
    if not is_name(name) or Path(argument).exists() or Path(name).exists():
        return argument
    folder = SHIPPED / name
    return f"{folder}{mark}{community}" if folder.is_dir() else argument


def is_name(text: str) -> bool:
    """Whether a text may be a mission's name: no folder before it, and no suffix behind."""
    return bool(text) and Path(text).name == text and not Path(text).suffix


def shipped_names() -> list[str]:
    """Give the names of all shipped missions."""
    return sorted(path.name for path in SHIPPED.iterdir() if path.is_dir())
