"""Where a vessel that is named is: a folder of one's own, or one that comes along."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue

SHIPPED = Path(__file__).resolve().parents[2] / "inputs"
MARK = "geometry.yml"  # every vessel's folder has one


def file_of(name: str, bases: Sequence[Path]) -> Path:
    """Return the first file of that path from one of the bases; from the nearest if none is there."""
    places = [base / name for base in bases]
    return next((place for place in places if place.is_file()), places[0])


def by_tail(named: str, *folders: Path) -> Path | None:
    """Return the file a path means: itself, or its longest tail below one of the folders.

    The longest first, so that ``b/geometry.yml`` of a main file in ``a`` is not a's geometry; a
    name alone is looked for in the first folder only.
    """
    parts = Path(named).parts
    tails = [parts[i:] for i in range(len(parts))]
    places = (folder.joinpath(*t) for t in tails for folder in folders[: len(t)])
    return next((path for path in places if path.is_file()), None)


def table_of(named: str, beside: Path, folder: Path) -> Path | None:
    """Return the file that a path in a vessel's file means; None if there is none.

    One that does not exist, as a path in somebody's container, is looked for by its tail, the
    longest first, below the folder of the file that names it, the vessel's, and those above.
    """
    parts = Path(named).parts
    bases = (beside, beside.parent, folder, folder.parent)
    tails = (base.joinpath(*parts[i:]) for base in bases for i in range(len(parts)))
    return next((tail for tail in tails if tail.is_file()), None)


def folder_of(name: str, bases: Sequence[Path] = (Path(),)) -> Path:
    """Return a vessel's folder: that path from one of the bases, or that name among those shipped.

    The first with a ``geometry.yml``; without any, the first folder there is.

    Args:
        name: a path, or the name of a vessel that comes along: ``otter`` or ``inputs/otter``.
        bases: where a path may start, the nearest first.

    Raises:
        InvalidValue: there is none; says where it was looked for, and names the nearest.
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
    """Return the names of the vessels that come along."""
    return sorted(file.parent.name for file in SHIPPED.glob(f"*/{MARK}"))
