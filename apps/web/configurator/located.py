"""Diagnostics of ``vessel check`` split by file, line and key, to be shown at their fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from steerageway.diagnostics.diagnostic import Diagnostic

SUFFIXES = (".yml", ".yaml")


def located(folder: Path, mistakes: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return each diagnostic's ``file``, ``line`` (0: unknown), ``key`` and ``text``."""
    return [_located(f"{folder}/", mistake) for mistake in mistakes]


def _located(folder: str, mistake: Diagnostic) -> dict[str, Any]:
    text = mistake.expected.replace(folder, "")
    place = mistake.where.replace(folder, "")
    file, _, line = place.rpartition(":") if not place.endswith(SUFFIXES) else (place, "", "0")
    if not file.endswith(SUFFIXES):
        whole = str(replace(mistake, where=place, expected=text))
        return {"file": "", "line": 0, "key": "", "text": whole}
    missing = "missing: " if mistake.missing else ""
    return {"file": file, "line": int(line), "key": mistake.key, "text": missing + text}
