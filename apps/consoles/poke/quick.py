"""Parser of quick-key files, with lines ``F2 = DEPLOY=true`` or ``Alt-p = pause``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.consoles.poke.lines import LineError, parse_line
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import cut_comment, decoded, file_bytes, split_line

_KEY = re.compile(r"F(?P<number>[1-9]|1[0-9]|2[0-4])|Alt-(?P<letter>\w)", re.IGNORECASE)


class QuickKey(NamedTuple):
    """A key and the line it executes.

    Attributes:
        shown: the key as in the file.
        keys: the key as prompt_toolkit names it.
        line: the console line.
    """

    shown: str
    keys: tuple[str, ...]
    line: str


def read_quick_keys(path: Path) -> list[QuickKey]:
    """Read a file of quick keys.

    Raises:
        FormatError: it cannot be read, or a line is invalid.
    """
    try:
        text = decoded(file_bytes(path))
    except (OSError, ValueError) as error:
        raise FormatError(str(path), "", "", f"expected a file of quick keys: {error}") from error
    found: dict[tuple[str, ...], QuickKey] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        if not (content := cut_comment(raw).strip()):
            continue
        line = split_line(content, f"{path}:{number}")
        match = _KEY.fullmatch(line.key)
        if match is None:
            raise line.error("expected F1 to F24 or Alt-LETTER, = and a line")
        # prompt_toolkit receives Alt-x as Escape followed by x.
        keys = ("escape", match["letter"]) if match["letter"] else (line.key.lower(),)
        try:
            job = parse_line(line.value)
        except LineError as error:
            raise line.error(str(error)) from None
        if job is None or keys in found:
            raise line.error("expected a line" if job is None else "duplicate key")
        found[keys] = QuickKey(line.key, keys, line.value)
    return list(found.values())
