"""What ``vessel check`` says, by file, line and key, so that it stands at its field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PLACE = re.compile(r"(?P<file>.*?\.ya?ml|[^:]*)(?::(?P<line>\d+))?: (?P<rest>.*)", re.DOTALL)
KEY = re.compile(r"(?P<key>[A-Za-z_][\w.\-]*)(?P<end>: | is missing: )(?P<text>.*)", re.DOTALL)


def located(folder: Path, mistakes: Iterable[str]) -> list[dict[str, Any]]:
    """Give mistakes with ``file``, ``line`` (0 unknown), ``key`` and ``text``."""
    return [_located(str(folder), mistake) for mistake in mistakes]


def _located(folder: str, mistake: str) -> dict[str, Any]:
    said = mistake.replace(f"{folder}/", "")
    place = PLACE.match(said)
    if place is None or not place["file"].endswith((".yml", ".yaml")):
        return {"file": "", "line": 0, "key": "", "text": said}
    about = {"file": place["file"], "line": int(place["line"] or 0)}
    key = KEY.match(place["rest"])
    if key is None:
        return {**about, "key": "", "text": place["rest"]}
    missing = "missing: " if "missing" in key["end"] else ""
    return {**about, "key": key["key"], "text": missing + key["text"]}
