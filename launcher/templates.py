"""Expansion of mission files that are templates, with the directives and macros of ``nsplug``.

The expanded files are in a folder of the mission cache, with links to the other files of the
mission's folder, which is never written to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.declarations import write_whole
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import NOWHERE, Origin, SourceMap
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_cache import cache_folder, inside, link_tree, writing
from steerageway.launcher.options import Options
from steerageway.moos.lines import file_bytes
from steerageway.moos.nsplug import DEFINED, DIRECTIVE, expand

_DEFINE = re.compile(r"(?:([^\s:=]+):)?(\w+)(?:=(.*))?", re.DOTALL)
_UP = re.compile(r"(?:\.\./)+")
FOLDER = "\0folder\0"  # stands, in a text to be written, for the folder of the expanded files
_PLUG = re.compile(r"([^=]+)=([^=@/]+)(?:@([^\s@]+))?")


@dataclass(frozen=True, slots=True)
class Expanded:
    """A mission file after expansion.

    Attributes:
        path: the file to read.
        warnings: of the expansion.
        unknown: warnings of macros that are not defined.
        source_map: maps its lines, and those of plugged-in files, to the user's files.
    """

    path: Path
    warnings: tuple[Diagnostic, ...] = ()
    unknown: tuple[Diagnostic, ...] = ()
    source_map: SourceMap = NOWHERE


def expanded(path: Path, community: str, options: Options) -> Expanded:
    """Expand a mission file, if it is a template, and the files that are plugged in.

    Args:
        path: the mission file.
        community: the name given on the command line; "" for none.
        options: of which ``define``, ``plug`` and ``path`` are used.

    Raises:
        FormatError: a directive is not valid, or a file cannot be read.
        LaunchError: an option is not valid.
    """
    if (made := options.source_maps.get(str(path))) is not None:
        return Expanded(path, source_map=made)
    macros = dict(defines(options, community))
    plugs = dict(_plugs(options, community))
    if not (macros or plugs or is_template(path, options.path)):
        return Expanded(path)
    templates = {path.name: path}
    templates |= {target: path.parent / source for target, source in plugs.items()}
    files = {name: expand(file, macros, options.path) for name, file in templates.items()}
    texts = {name: made.text for name, made in files.items()}
    folder = write_expanded(texts, path.parent.resolve(), options.config)
    lines = {name: tuple(line.where for line in made.lines) for name, made in files.items()}
    source_map = SourceMap(
        community,
        folder,
        path.parent,
        {name: Origin(str(file), lines[name]) for name, file in templates.items()},
    )
    warnings = (warning for made in files.values() for warning in made.warnings)
    unknown = (warning for made in files.values() for warning in made.unknown)
    return Expanded(
        folder / path.name,
        tuple(map(source_map.named, warnings)),
        tuple(map(source_map.named, unknown)),
        source_map,
    )


def is_template(path: Path, search: Sequence[Path] = ()) -> bool:
    """Whether a line of a file is a directive that can be executed.

    A file whose only directives include files that are missing is written for no nsplug: MOOS-IvP
    passes over these lines, too.
    """
    try:
        raw = file_bytes(path)
    except (OSError, ValueError):
        return False  # reported when the mission is read
    text = raw.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    found = [match for match in map(DIRECTIVE.match, text.split("\n")) if match is not None]
    if "$(" in text or "%(" in text or any(match[1] != "include" for match in found):
        return bool(found)
    names = [match[2].split("<")[0].strip().strip('"') for match in found]
    return any((folder / name).is_file() for name in names for folder in (path.parent, *search))


def defines(options: Options, community: str) -> Iterator[tuple[str, str]]:
    """Return the macros of ``--define`` for a community."""
    for text in options.define:
        found = _DEFINE.fullmatch(text)
        if found is None:
            raise LaunchError(f"--define {text}: expected [NAME:]KEY=VALUE")
        name, key, value = found.groups()
        if name in (None, community):
            yield key, DEFINED if value is None else value


def _plugs(options: Options, community: str) -> Iterator[tuple[str, str]]:
    """Return the files of ``--plug`` for a community: (new file, template)."""
    for text in options.plug:
        found = _PLUG.fullmatch(text)
        if found is None:
            raise LaunchError(f"--plug {text}: expected TEMPLATE=FILE[@NAME]")
        source, target, name = found.groups(default="")
        if not inside(target):
            raise LaunchError(f"--plug {text}: expected the name of a file behind =")
        if name in ("", community):
            yield target, source


def write_expanded(texts: Mapping[str, str], mission_folder: Path, more: Sequence[str]) -> Path:
    """Write the expanded files to a cache folder, with links to the mission's other files.

    Args:
        texts: path below the mission's folder (``inside``) -> text of the file.
        mission_folder: the mission's folder.
        more: texts of the command line that may contain relative paths, too.
    """
    up = _leading_out(mission_folder, [*texts.values(), *more])
    named = (f"{name}\n{text}" for name, text in texts.items())
    with writing(str(mission_folder)):
        top = cache_folder((str(mission_folder), str(up), *named))
        folder = link_tree(top, mission_folder, up, list(texts))
        for name, text in texts.items():
            write_whole(folder / name, text.replace(FOLDER, str(folder)), follow=False)
    return folder


def _leading_out(mission_folder: Path, texts: Sequence[str]) -> int:
    """Return how many folders above the mission's the texts refer to: two for ``../../charts``."""
    ways = (way for text in texts for way in _UP.findall(text))
    return min(max((way.count("..") for way in ways), default=0), len(mission_folder.parents))
