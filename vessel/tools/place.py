"""Locates vessel folders and files by name or path, including the shipped vessels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from steerageway.declarations import write_whole
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue

SHIPPED = Path(__file__).resolve().parents[2] / "inputs"
MARK = "geometry.yml"  # every vessel's folder has one


def file_of(name: str, bases: Sequence[Path]) -> Path:
    """Return the first existing file of a path relative to the bases; else the first path."""
    places = [base / name for base in bases]
    return next((place for place in places if place.is_file()), places[0])


def by_tail(named: str, *folders: Path) -> Path | None:
    """Return the file of a path: itself, or its longest existing tail below one of the folders.

    The longest first, so that ``b/geometry.yml`` of a main file in ``a`` is not a's geometry. A
    file name alone is searched in the first folder only.
    """
    parts = Path(named).parts
    tails = [parts[i:] for i in range(len(parts))]
    places = (folder.joinpath(*t) for t in tails for folder in folders[: len(t)])
    return next((path for path in places if path.is_file()), None)


def table_of(named: str, beside: Path, folder: Path) -> Path | None:
    """Return the file of a path in a vessel's file; None if it does not exist.

    A path that does not exist here, as one in a container, is searched by its tail, the longest
    first, below the folders of the naming file and of the vessel, and their parents.
    """
    parts = Path(named).parts
    bases = (beside, beside.parent, folder, folder.parent)
    tails = (base.joinpath(*parts[i:]) for base in bases for i in range(len(parts)))
    return next((tail for tail in tails if tail.is_file()), None)


def folder_of(name: str, bases: Sequence[Path] = (Path(),)) -> Path:
    """Return a vessel's folder: a path relative to one of the bases, or a shipped vessel.

    The first with a ``geometry.yml``; without one, the first existing folder.

    Args:
        name: a path, or the name of a shipped vessel: ``otter`` or ``inputs/otter``.
        bases: folders that a path may be relative to, in order.

    Raises:
        InvalidValue: no such folder; with the folders searched and the nearest name.
    """
    ours = SHIPPED / name.removeprefix("inputs/")
    places = [base / name for base in bases]
    if ours.parent == SHIPPED:
        places.append(ours)
    folders = [place for place in places if place.is_dir()]
    vessels = [folder for folder in folders if (folder / MARK).is_file()]
    if folders:
        return (vessels or folders)[0]
    parents = dict.fromkeys(place.parent.resolve() for place in places)
    found = (file for parent in (*parents, SHIPPED) for file in parent.glob(f"*/{MARK}"))
    meant = did_you_mean(Path(name).name, {file.parent.name for file in found})
    raise InvalidValue(f"{name}: no such vessel in {', '.join(map(str, parents))}; {meant}")


def shipped_vessels() -> list[str]:
    """Return the names of the shipped vessels."""
    return sorted(file.parent.name for file in SHIPPED.glob(f"*/{MARK}"))


def write_folder(files: Mapping[str, Mapping[str, Any]], folder: Path) -> Iterator[str]:
    """Write the keys of each file into a new folder, and yield the files' paths.

    Raises:
        InvalidValue: the folder exists already.
    """
    if folder.exists():
        raise InvalidValue("it exists already; expected a new folder (--output)", str(folder))
    folder.mkdir(parents=True)
    for name, keys in files.items():
        text = yaml.safe_dump(keys, sort_keys=False, default_flow_style=None, width=100)
        write_whole(folder / f"{name}.yml", text)
        yield f"{folder / name}.yml"
