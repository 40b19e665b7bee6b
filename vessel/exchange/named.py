"""Files referenced by a vessel's files: their locations, missing ones, and those Panisim needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from steerageway.declarations.key import Key, Kind
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Folder, read_folder
from steerageway.vessel.fossen.keys import listing
from steerageway.vessel.fossen.keys.simulation import FILES as PANISIM
from steerageway.world.document import Section, read_if_there

OF_A_VESSEL = tuple(
    name for name in listing.FILES if name not in ("simulation_input", "environment")
)


def named_files(path: Path) -> Iterator[tuple[str, str, Path | None]]:
    """Yield each file referenced by a vessel's files: location of the key, name, path if found.

    Raises:
        InvalidValue: a file is wrong.
    """
    folder = read_folder(path)
    for name in OF_A_VESSEL:
        section = read_if_there(path / f"{name}.yml")
        yield from _in_section(folder, section, listing.FILES[name])


def _in_section(
    folder: Folder, section: Section, keys: tuple[Key, ...]
) -> Iterator[tuple[str, str, Path | None]]:
    for key in keys:
        node = section.nodes.get(key)
        if node is None or key not in section:
            continue
        if key.kind is Kind.FILE:
            try:
                found: Path | None = folder.find(section, key)
            except InvalidValue:
                found = None
            yield section.where(key), section.text(key), found
        elif key.kind is Kind.SECTION and isinstance(node, yaml.MappingNode):
            yield from _in_section(folder, section.section(key), key.keys)
        elif key.kind is Kind.LIST and isinstance(node, yaml.SequenceNode):
            for item in section.sections(key):
                yield from _in_section(folder, item, key.keys)


def missing_files(path: Path) -> list[str]:
    """Return a message for each referenced file that is missing or outside of the folder."""
    messages = []
    root = path.resolve()
    for where, name, found in named_files(path):
        if found is None:
            messages.append(f"{where}: {name}: no such file")
        elif not found.resolve().is_relative_to(root):
            messages.append(f"{where}: {name}: outside {path}: expected it within the folder")
    return messages


def panisim_lacks(path: Path) -> list[str]:
    """Return the files required by Panisim's reader that a vessel's folder does not have."""
    return [f"{name}.yml" for name in PANISIM if not (path / f"{name}.yml").is_file()]
