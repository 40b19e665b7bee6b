"""Zip archives of vessels: safe unpacking, and packing that is reproducible byte by byte."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from steerageway.web.configurator.names import MOST_BYTES, MOST_FILES, BadName, file_name

MARK = "geometry.yml"
CHUNK = 1 << 20
OLDEST = (1980, 1, 1, 0, 0, 0)
SKIPPED = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class BadArchive(ValueError):
    """Not a valid zip of a vessel; the text says why."""


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the contents of a zip's files by name.

    Raises:
        BadArchive: it is not a zip, has paths outside of its folder or links, or is too large.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            return _read(archive)
    except BadArchive:
        raise
    except BadZipFile as error:
        raise BadArchive(f"expected a zip file: {error}") from None
    except Exception as error:  # zlib and lzma have errors of their own
        raise BadArchive(f"expected a sound zip file: {error}") from None


def _read(archive: ZipFile) -> dict[str, bytes]:
    entries = [one for one in archive.infolist() if not one.is_dir() and not _skipped(one)]
    if len(entries) > MOST_FILES:
        raise BadArchive(f"{len(entries)} files: expected at most {MOST_FILES}")
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        try:
            name = file_name(entry.filename)
        except BadName as error:
            raise BadArchive(str(error)) from None
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise BadArchive(f"{name}: a link: expected files only")
        if entry.flag_bits & 1:
            raise BadArchive(f"{name}: expected no password")
        if name in files:
            raise BadArchive(f"{name}: expected once")
        files[name] = _bytes_of(archive, entry, left)
        left -= len(files[name])
    return files


def _skipped(entry: ZipInfo) -> bool:
    return entry.filename.startswith(SKIPPED) or entry.filename.endswith(SKIPPED)


def _bytes_of(archive: ZipFile, entry: ZipInfo, most: int) -> bytes:
    """Read a file in chunks: the size in its header may be false (a zip bomb)."""
    parts, size = [], 0
    with archive.open(entry) as file:
        while part := file.read(CHUNK):
            size += len(part)
            if size > most:
                raise BadArchive(f"expected at most {MOST_BYTES >> 20} MB unpacked")
            parts.append(part)
    return b"".join(parts)


def vessel_in(files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Return the name of the vessel in a zip, and its files, relative to its folder.

    The folder that contains ``geometry.yml`` is the vessel's; the name is "" if that is the top
    of the zip.

    Raises:
        BadArchive: it contains no vessel, or several.
    """
    tops = [PurePosixPath(name) for name in files if PurePosixPath(name).name == MARK]
    if len(tops) != 1:
        found = ", ".join(sorted(str(top.parent) for top in tops)) or "none"
        raise BadArchive(f"vessels (folders with {MARK}): {found}: expected one")
    folder = tops[0].parent
    if not folder.parts:
        return "", dict(files)
    inside = {
        str(PurePosixPath(name).relative_to(folder)): data
        for name, data in files.items()
        if PurePosixPath(name).is_relative_to(folder)
    }
    return folder.name, inside


def packed(name: str, files: Mapping[str, bytes]) -> bytes:
    """Return a zip of a vessel's files, in a folder of the vessel's name."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for file, data in sorted(files.items()):
            entry = ZipInfo(f"{name}/{file}", OLDEST)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, data)
    return stream.getvalue()
