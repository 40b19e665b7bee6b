"""Input files of a sweep and their digest, by which a changed sweep is not continued.

They are found by planning runs and recording the files that are opened.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from sysconfig import get_path
from typing import NamedTuple

from steerageway.apps.experiments.sweep.design import extremes
from steerageway.diagnostics.diagnostic import Diagnostic, merged
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.files_read import files_read
from steerageway.launcher.mission_cache import cache_root
from steerageway.launcher.sweep.execution import check_run
from steerageway.launcher.sweep.runs import Run, Sweep

_APPS = "*.py"  # modules next to a mission: digested always, as Python may read cached bytecode
_CODE = (".py", ".pyc", ".nbi", ".nbc", ".so", ".zip")
_MACHINE = ("/proc", "/sys", "/dev", "/etc")
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
_INSTALLED = (".dist-info", ".egg-info")
_OPTIONS = ("--", "record")  # beginnings of what warnings are about


class Inputs(NamedTuple):
    """The input files of a sweep.

    Attributes:
        names: their paths, relative to the current folder.
        digest: of the names and the contents.
        digests: name -> digest of the contents.
    """

    names: tuple[str, ...]
    digest: str
    digests: Mapping[str, str]


def inputs_of(names: Sequence[str]) -> Inputs:
    """Return input files with their digest.

    Raises:
        OSError: one cannot be read.
    """
    digest, digests = sha256(), {}
    for name in names:
        text = Path(name).read_bytes()
        digest.update(os.fsencode(f"{name}\0{len(text)}\0") + text)
        digests[name] = sha256(text).hexdigest()
    return Inputs(tuple(names), digest.hexdigest(), digests)


class Checked(NamedTuple):
    """What the check of a sweep found.

    Attributes:
        inputs: its input files.
        warnings: as texts.
        doubtful: whether some are of names in its options that nothing may post or read.
    """

    inputs: Inputs
    warnings: list[str]
    doubtful: bool


def check_sweep(sweep: Sweep, missions: Sequence[str], *, must_end: bool = False) -> Checked:
    """Check a sweep's runs; return their files, and the warnings.

    The first run must be valid, and have an end if it is to be performed (``must_end``). Others
    are checked for the varied values: a word may name a file, and a number may be out of range.

    Raises:
        LaunchError: the first run is not valid.
    """
    first, *others = _representative(sweep)
    with files_read() as read:
        warnings = list(_check_first(sweep, first, must_end))
        for run in others:
            try:
                warnings += check_run(sweep, run)
            except LaunchError as error:  # reported in its row, too
                warnings += (one.of(f"case {run.number}") for one in error.diagnostics)
    files = dict.fromkeys(file for path in read if _counts(file := path.resolve()))
    for mission in missions:
        path = Path(mission if Path(mission).exists() else mission.rpartition("@")[0])
        folder = path if path.is_dir() else path.parent
        files |= dict.fromkeys(file.resolve() for file in folder.glob(_APPS))
    inputs = inputs_of([os.path.relpath(file) for file in sorted(files)])
    texts = merged(map(sweep.locate, _different(warnings)))
    return Checked(inputs, texts, any(map(_is_of_options, warnings)))


def _is_of_options(warning: Diagnostic) -> bool:
    """Whether a warning is about an option or a recorded variable, not about a mission's file."""
    return any(one.startswith(_OPTIONS) for one in (warning.about, warning.where))


def _different(warnings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the first of those that differ only in the value, which is what a sweep varies."""
    first: dict[Diagnostic, Diagnostic] = {}
    for warning in warnings:
        first.setdefault(replace(warning, value=""), warning)
    return list(first.values())


def _check_first(sweep: Sweep, run: Run, must_end: bool) -> tuple[Diagnostic, ...]:
    try:
        return check_run(sweep, run, must_end=must_end)
    except LaunchError as error:
        raise LaunchError(*map(sweep.locate, error.diagnostics)) from error


def _representative(sweep: Sweep) -> list[Run]:
    """Return the first run, and the first with each value that is to be checked."""
    first: dict[str, dict[str, int]] = {name: {} for name in sweep.columns}
    for index, run in enumerate(sweep.runs):
        for name, found in first.items():
            found.setdefault(run.values[name], index)
    tried = [found[value] for found in first.values() for value in extremes(found)]
    return [sweep.runs[index] for index in dict.fromkeys((0, *tried))]


@cache
def _of_the_machine() -> tuple[Path, ...]:
    folders = (*_MACHINE, *map(get_path, _LIBRARIES))
    return tuple(Path(folder).resolve() for folder in folders)


def _counts(file: Path) -> bool:
    apart = (*_of_the_machine(), cache_root().resolve())
    inside = any(file.is_relative_to(folder) for folder in apart)
    installed = any(part.endswith(_INSTALLED) for part in file.parts)
    return file.suffix not in _CODE and not inside and not installed and file.is_file()
