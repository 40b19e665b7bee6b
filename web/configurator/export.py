"""Export of a draft: as a zip, verified by reading it back, or as a Panisim configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from steerageway.vessel.exchange import left_out, write_config
from steerageway.web.configurator.archive import packed, unpacked, vessel_in
from steerageway.web.configurator.draft import Draft
from steerageway.web.configurator.tree import NotYaml, parsed, scalars

FILE = re.compile(r"[^\n]*\D\.(?:csv|json|gdf|stl|obj|glb|nc|[1-9])", re.IGNORECASE)


class NotExported(ValueError):
    """The vessel would not be complete in the export; the text says why."""


def exported(draft: Draft) -> bytes:
    """Return a draft as a zip.

    Raises:
        NotExported: a file that its YAML files name is missing, or the zip reads back differently.
    """
    with draft.lock:
        if missing := list(_missing(draft)):
            raise NotExported("; ".join(missing))
        contents = draft.contents()
    data = packed(draft.name, contents)
    name, back = vessel_in(unpacked(data))
    if name != draft.name or back != contents:
        raise NotExported("the zip does not hold what was put into it")
    return data


def as_config(draft: Draft) -> tuple[str, list[str]]:
    """Return a draft in the JSON format of Panisim's configurator, and remarks on what is left out.

    Raises:
        InvalidValue: a file is not valid.
    """
    with draft.lock:
        config = json.loads(write_config(draft.files))
        remarks = left_out(draft.files)
    return json.dumps({**config, "name": draft.name}, indent=2, ensure_ascii=False), remarks


def _missing(draft: Draft) -> Iterator[str]:
    """Return an error for each file that is named in YAML but is not in the vessel's folder."""
    names = draft.names()
    for file in names:
        if not file.endswith((".yml", ".yaml")):
            continue
        try:
            tree = parsed(draft.text(file) or "")
        except NotYaml:
            continue  # exported unchanged: its error is reported by the check
        for path, node in scalars(tree):
            value = node.real.text
            if FILE.fullmatch(value) and not _inside(value, names):
                key = ".".join(map(str, path))
                yield f"{file}:{node.line + 1}: {key}: {value}: expected in the vessel's folder"


def _inside(value: str, names: list[str]) -> bool:
    """Whether a path, or a tail of it, is the name of one of the files."""
    parts = Path(value).parts
    tails = {"/".join(parts[i:]) for i in range(len(parts))}
    return any(name in tails for name in names)
