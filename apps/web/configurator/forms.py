"""Keys of a vessel's files for the page's forms, from the declaration that the readers use."""

from __future__ import annotations

from typing import Any

from steerageway.vessel.fossen.keys.listing import FILES, record


def declared() -> dict[str, list[dict[str, Any]]]:
    """Return the key declarations of each file."""
    return {f"{file}.yml": [record(key) for key in keys] for file, keys in FILES.items()}
