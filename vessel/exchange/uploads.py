"""Imports a HydRA zip and a foil's polar (CSV) into a vessel's folder, with safety checks."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZipFile, ZipInfo

from steerageway.declarations import write_whole
from steerageway.vessel.errors import InvalidValue

MOST_FILES, MOST_BYTES = 200, 100 << 20  # limits of an unpacked zip, against zip bombs
LINK = 0o120000
KEPT = (".json", ".gdf")
COLUMNS = ("alpha", "cl", "cd")


def unpacked(raw: bytes, name: str) -> dict[str, bytes]:
    """Return the files of a zip by their paths, checked before anything is unpacked.

    Raises:
        InvalidValue: no zip, an absolute or ``..`` path, a link, too many or too large files.
    """
    try:
        with ZipFile(BytesIO(raw)) as zipped:
            entries = [entry for entry in zipped.infolist() if not entry.is_dir()]
            _check(entries, name)
            return {entry.filename: _read(zipped, entry, name) for entry in entries}
    except InvalidValue:
        raise
    except Exception as error:  # zlib and lzma have errors of their own
        raise InvalidValue(f"{name}: not a readable zip: {error}") from error


def _check(entries: list[ZipInfo], name: str) -> None:
    if len(entries) > MOST_FILES:
        raise InvalidValue(f"{name}: {len(entries)} files: expected {MOST_FILES} at most")
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise InvalidValue(f"{name}: expected at most {MOST_BYTES >> 20} MB unpacked")
    for entry in entries:
        path = PurePosixPath(entry.filename)
        outside = path.is_absolute() or ".." in path.parts or "\\" in entry.filename
        if outside or ":" in entry.filename or "\0" in entry.filename:
            raise InvalidValue(f"{name}: {entry.filename!r}: expected paths within the folder")
        if (entry.external_attr >> 16) & 0o170000 == LINK:
            raise InvalidValue(f"{name}: {entry.filename}: a link: expected files only")


def _read(zipped: ZipFile, entry: ZipInfo, name: str) -> bytes:
    """Read an entry; reject one larger than its declared size."""
    with zipped.open(entry) as file:
        found = file.read(entry.file_size + 1)
    if len(found) > entry.file_size:
        raise InvalidValue(f"{name}: {entry.filename}: larger than declared")
    return found


def add_hydra(raw: bytes, folder: Path, name: str = "HydRA.zip") -> dict[str, str]:
    """Unpack the files of a HydRA zip that a vessel needs into ``HydRA/`` of its folder.

    Returns: values to set in the vessel's files, by dotted key.

    Raises:
        InvalidValue: as ``unpacked``; or the zip has not exactly one ``..._hydra.json``.
    """
    from steerageway.vessel.fossen.hydra import as_panisim

    files = unpacked(raw, name)
    results = [path for path in files if path.endswith("_hydra.json")]
    if len(results) != 1:
        found = ", ".join(results) or "none"
        raise InvalidValue(f"{name}: results {found}: expected one ..._hydra.json")
    kept = {path: data for path, data in files.items() if path.endswith(KEPT)}
    written = {}
    for path, data in kept.items():
        parts = PurePosixPath(path).parts
        below = parts[1:] if parts[0].lower() == "hydra" else parts
        place = folder.joinpath("HydRA", *below)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, data)
        written[path] = place.relative_to(folder).as_posix()
    as_panisim(folder / written[results[0]])  # raises if the results are invalid
    keys = {"hydrodynamics.hydra_file": written[results[0]]}
    meshes = [path for path in written.values() if path.endswith(".gdf")]
    return keys | ({"geometry.geometry_file": meshes[0]} if len(meshes) == 1 else {})


def add_naca(raw: bytes, folder: Path, name: str) -> dict[str, str]:
    """Add a foil's polar to a vessel's folder; an invalid one is not kept.

    Returns: values to set in the vessel's files, by dotted key.

    Raises:
        InvalidValue: not the name of a .csv file; a missing column or number.
    """
    from steerageway.vessel.fossen.build_actuators import read_table

    if PurePosixPath(name).name != name or not name.lower().endswith(".csv"):
        raise InvalidValue(f"{name}: expected the name of a .csv file")
    place = folder / name
    before = place.read_bytes() if place.is_file() else None
    write_whole(place, raw)
    try:
        read_table(place, COLUMNS, angles=True)
    except InvalidValue:
        if before is None:
            place.unlink()
        else:
            write_whole(place, before)
        raise
    return {"control_surfaces.naca_file": name}
