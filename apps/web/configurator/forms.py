"""The keys of a vessel's files, as forms need them: from the one declaration the readers have."""

from __future__ import annotations

from typing import Any

from steerageway.vessel.fossen.keys.listing import FILES, record


def declared() -> dict[str, list[dict[str, Any]]]:
    """Give the keys of each file."""
    return {f"{file}.yml": [record(key) for key in keys] for file, keys in FILES.items()}
