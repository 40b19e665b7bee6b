"""Mission files that are templates: ``nsplug``'s directives and macros, expanded on the way.

The expanded files lie in a folder of their own, beside links to everything else of the mission's
folder, which is never written. What was expanded comes before what is linked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import NOWHERE, Origin, SourceMap
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_cache import cache_folder, link_tree, write_file
from steerageway.launcher.options import Options
from steerageway.moos.nsplug import DEFINED, DIRECTIVE, Expansion, expand

_DEFINE = re.compile(r"(?:([^\s:=]+):)?(\w+)(?:=(.*))?", re.DOTALL)
_UP = re.compile(r"(?:\.\./)+")
_PLUG = re.compile(r"([^=]+)=([^=@/]+)(?:@([^\s@]+))?")


@dataclass(frozen=True, slots=True)
class Expanded:
    """A mission file as it is to be read.

    Attributes:
        path: the file.
        warnings: what is doubtful about how it was made.
        unknown: macros in it that nobody defined.
        source_map: where its lines come from, and those of the files that are plugged in.
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
        options: of which ``define``, ``plug`` and ``path`` count.
    Raises:
        FormatError: a directive is wrong, or a file cannot be read.
        LaunchError: an option is wrong.
    """
    if (made := options.source_maps.get(str(path))) is not None:
        return Expanded(path, source_map=made)
    macros = dict(defines(options, community))
    plugs = dict(_plugs(options, community))
    if not (macros or plugs or is_template(path)):
        return Expanded(path)
    templates = {path.name: path}
    templates |= {target: path.parent / source for target, source in plugs.items()}
    files = {name: expand(file, macros, options.path) for name, file in templates.items()}
    folder = write_expanded(files, path.parent.resolve(), options.config)
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


def is_template(path: Path) -> bool:
    """Whether some line of a file is a directive."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return False  # whoever reads the mission says what is wrong with it
    return any(map(DIRECTIVE.match, text.split("\n")))


def defines(options: Options, community: str) -> Iterator[tuple[str, str]]:
    """Give the macros of ``--define`` that are for a community."""
    for text in options.define:
        found = _DEFINE.fullmatch(text)
        if found is None:
            raise LaunchError(f"--define {text}: expected [NAME:]KEY=VALUE")
        name, key, value = found.groups()
        if name in (None, community):
            yield key, DEFINED if value is None else value


def _plugs(options: Options, community: str) -> Iterator[tuple[str, str]]:
    """Give the files of ``--plug`` that are for a community: the new one, its template."""
    for text in options.plug:
        found = _PLUG.fullmatch(text)
        if found is None:
            raise LaunchError(f"--plug {text}: expected TEMPLATE=FILE[@NAME]")
        source, target, name = found.groups(default="")
        if name in ("", community):
            yield target, source


def write_expanded(files: dict[str, Expansion], beside: Path, more: Sequence[str]) -> Path:
    """Write the expanded files, and link what else is in the mission's folder.

    Args:
        files: what becomes of the templates.
        beside: the mission's folder.
        more: what the command line says beside the files.
    """
    texts = {name: made.text for name, made in files.items()}
    up = _leading_out(beside, [*texts.values(), *more])
    named = (f"{name}\n{text}" for name, text in texts.items())
    top = cache_folder((str(beside), str(up), *named))
    folder = link_tree(top, beside, up, but=texts)
    for name, text in texts.items():
        write_file(folder / name, text)
    return folder


def _leading_out(beside: Path, texts: Sequence[str]) -> int:
    """Give how many folders above the mission's some texts name, as ``../../charts`` does two."""
    ways = (way for text in texts for way in _UP.findall(text))
    return min(max((way.count("..") for way in ways), default=0), len(beside.parents))
