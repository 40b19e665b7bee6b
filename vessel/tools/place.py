"""Where a vessel named on the command line is."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from vessel.errors import InvalidValue

SHIPPED = Path(__file__).parents[2] / "inputs"


def folder_of(name: str) -> Path:
    """Give a vessel's folder: the path itself, or that name among the vessels that come along.

    Raises:
        InvalidValue: neither is there; names the nearest.
    """
    if Path(name).is_dir():
        return Path(name)
    if (SHIPPED / name).is_dir():
        return SHIPPED / name
    names = sorted(path.name for path in SHIPPED.glob("*/") if (path / "geometry.yml").exists())
    near = get_close_matches(name, names, 1)
    meant = f"did you mean {near[0]}?" if near else f"a folder, or one of {', '.join(names)}"
    raise InvalidValue(f"{name}: no such vessel; {meant}")
